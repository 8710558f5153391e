"""Let each of the files given end with one line break; fail if one did not."""

import sys
from pathlib import Path

wrong = []
for path in map(Path, sys.argv[1:]):
    content = path.read_bytes()
    ended = content.rstrip(b"\r\n") + b"\n" if content.strip() else b""
    if content != ended and content != ended[:-1] + b"\r\n":
        path.write_bytes(ended)
        wrong.append(f"{path}: the end was corrected")
sys.exit("\n".join(wrong))
