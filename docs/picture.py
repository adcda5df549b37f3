"""Draws docs/answer.svg: what `brassspec ask` answers to the first question of docs/questions.md.

python docs/picture.py
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

DOCS = Path(__file__).resolve().parent


def main() -> None:
    question = re.findall(r"^```brass\n(.*?)^```", (DOCS / "questions.md").read_text(encoding="utf-8"), re.M | re.S)[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "question.brass"
        path.write_text(question, encoding="utf-8")
        command = [sys.executable, "-m", "brassspec", "ask", str(path)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    console = Console(record=True, width=118, file=io.StringIO())
    console.print(Text("$ cat question.brass", "bold"))
    console.print(Text(question.rstrip()))
    console.print(Text("\n$ brassspec ask question.brass", "bold"))
    for line in answer.splitlines():
        style = "bold red" if line.startswith("No") else "cyan" if line.strip().startswith("coal.nearest") else ""
        console.print(Text(line, style))
    console.save_svg(str(DOCS / "answer.svg"), title="brassspec")


if __name__ == "__main__":
    main()
