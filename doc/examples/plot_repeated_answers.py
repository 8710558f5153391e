"""
Two models that answer each prompt several times
================================================

Generated answers differ from run to run. Each model answered every prompt five times, and several
prompts are about the same document. Answers to one prompt are not independent rows, and neither
are prompts about one document.
"""

import matplotlib.pyplot as plt
import numpy as np

from skcvstats import compare_losses

rng = np.random.default_rng(0)
n_documents, n_prompts, n_runs = 40, 5, 5
document = np.repeat(np.arange(n_documents), n_prompts)
ease = rng.normal(size=n_documents)[document] + rng.normal(size=document.size)
advantage = 0.5 * rng.normal(size=n_documents)[document]  # some documents suit one model more


def wrong(skill):
    """Whether each answer of each run is wrong."""
    chance = 1 / (1 + np.exp(ease + skill))
    return list((rng.random((n_runs, document.size)) < chance).astype(float))


runs = {"large": wrong(1.0 + advantage), "small": wrong(0.6)}

# %%
# A list of arrays is one model that was run several times: its losses are averaged prompt by
# prompt. ``groups=`` says which prompts belong together.

result = compare_losses(runs, metric="wrong_answers", groups=document)
print(result)

# %%
# Treating every answer as a separate row understates the standard error:

answers = {name: np.concatenate(own) for name, own in runs.items()}
as_rows = compare_losses(answers, metric="wrong_answers")
by_prompt = compare_losses(runs, metric="wrong_answers")
for name, found in [("answers", as_rows), ("prompts", by_prompt), ("documents", result)]:
    test = found[0].test
    law = test.describe().law
    print(f"{name:10} standard error {test.standard_error:.4f}, {law}, p = {test.pvalue:.4f}")

# %%
# Is the difference larger than five percentage points? Pass a margin to find out.

print(compare_losses(runs, metric="wrong_answers", groups=document, margin=0.05))

# %%
figure, ax = plt.subplots(figsize=(7, 2), layout="constrained")
for height, found in enumerate([result, by_prompt, as_rows]):
    ax.hlines(height, *found[0].confidence_interval(), linewidth=3)
    ax.plot(found[0].test.estimate, height, "ko")
ax.axvline(0, color="black", linewidth=1)
ax.set_yticks(range(3), ["documents", "prompts", "answers"])
ax.set(xlabel="share of right answers, large minus small", ylim=(-0.6, 2.6))
plt.show()
