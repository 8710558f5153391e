"""False claims of joint inference: laws of scores, and how often a claim on them is false."""
