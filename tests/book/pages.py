#!/usr/bin/env python3
"""Runs the code blocks of Markdown pages: the book, README.md and CONTRIBUTING.md.

    tests/book/pages.py PAGE.md… [--silc PATH] [--update]

Each page runs in a temporary folder of its own, which has links to the repository's `examples`, `tests` and `docs`.
`silc` on PATH is the program under test. The language of a block says how it is tested:

    sh                 runs under `bash -eu`; it must succeed, or end with the status of `status=N`
    output             equals the output of the `sh` block before it; a line `…` stands for any number of lines, `…` in a
                       line for any text
    sil                `silc check` accepts it; with `refused` it does not, and with `later` a command below checks it
    any, file=NAME     the block is written to this file
    any, from=PATH     the lines are in this file in this order; a line `…` stands for any number of lines
    any, illustration  the block is a picture or a pattern, and not tested

`sh` and `output` take two more words. `needs=A+B` names programs: where one is missing the block is skipped. `not-run`
marks commands that change the machine or take minutes. A block that none of these rules covers is an error, so that no
block stays untested by accident.

--update writes what the commands printed into the `output` blocks that have no `…`.

Owns the reading and running of pages. Does not own their discovery by lit, which is `lit.local.cfg`'s.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS_OF_A_BLOCK = 120
FENCE = re.compile(r"^( *)```(.*)$")
GAP = "…"


@dataclass
class Block:
    """A fenced block: its language, the words after that, its lines, and the number of its first line."""

    language: str
    words: dict
    lines: list = field(default_factory=list)
    line: int = 0

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)


class Failure(Exception):
    """A block that does not hold, with its line."""

    def __init__(self, block, message):
        super().__init__(f"line {block.line}: {message}")


def blocks_of(text):
    """The fenced blocks of a page in order. `text` is Markdown."""
    blocks, current, indent = [], None, ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence and current is None:
            language, *words = [word for word in re.split(r"[,\s]+", fence[2].strip()) if word] or [""]
            named = dict(word.partition("=")[::2] for word in words)
            current, indent = Block(language, named, line=number + 1), fence[1]
        elif fence:
            blocks.append(current)
            current = None
        elif current is not None:
            current.lines.append(line.removeprefix(indent))
    return blocks


def holds(pattern, lines):
    """Whether `lines` are those of `pattern`, in which `…` stands for any lines, or for any text of a line."""
    if not pattern:
        return not lines
    first, rest = pattern[0], pattern[1:]
    if first.strip() == GAP:
        return any(holds(rest, lines[count:]) for count in range(len(lines) + 1))
    return bool(lines) and line_holds(first, lines[0]) and holds(rest, lines[1:])


def line_holds(pattern, line):
    expression = ".*".join(re.escape(part) for part in pattern.rstrip().split(GAP))
    return re.fullmatch(expression, line.rstrip()) is not None


class Page:
    """One page and the folder in which its blocks run."""

    def __init__(self, path, silc, environment):
        self.path = path
        self.silc = os.path.abspath(silc)
        self.environment = dict(environment)
        self.printed = None
        self.skipped = []
        self.outputs = {}

    def run(self):
        """Runs all blocks in order. Raises Failure for the first that does not hold."""
        with open(self.path, encoding="utf-8") as file:
            blocks = blocks_of(file.read())
        with tempfile.TemporaryDirectory() as folder:
            self.prepare(folder)
            for block in blocks:
                self.run_block(block)

    def prepare(self, folder):
        self.folder = os.path.join(folder, "work")
        programs = os.path.join(folder, "bin")
        for made in (self.folder, programs):
            os.mkdir(made)
        for name in ("examples", "tests", "docs"):
            os.symlink(os.path.join(ROOT, name), os.path.join(self.folder, name))
        os.symlink(self.silc, os.path.join(programs, "silc"))
        self.environment["PATH"] = os.pathsep.join([programs, self.environment.get("PATH", "")])
        self.environment["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
        self.environment.update(LC_ALL="C.UTF-8", COLUMNS="120", PWD=self.folder)

    def run_block(self, block):
        words = block.words
        if self.is_left_out(block):
            return
        if "file" in words:
            path = os.path.join(self.folder, words["file"])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(block.text)
        if block.language == "sh":
            self.run_commands(block)
        elif block.language == "output":
            self.compare_output(block)
        elif "from" in words:
            self.find_quotation(block)
        elif block.language == "sil" and "later" not in words:
            self.check_sil(block)
        elif "file" not in words:
            raise Failure(block, f"nothing says how this '{block.language}' block is tested")

    def is_left_out(self, block):
        if "illustration" in block.words:
            return True
        path = self.environment["PATH"]
        needed = [name for name in block.words.get("needs", "").split("+") if name]
        missing = [name for name in needed if not shutil.which(name, path=path)]
        if missing or "not-run" in block.words:
            reason = f"needs {', '.join(missing)}" if missing else "not run"
            self.skipped.append(f"line {block.line}: {reason}")
            self.printed = None
            return True
        return False

    def call(self, words):
        """The status and the output of a command. Its processes end with it, also after a timeout."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with subprocess.Popen(words, cwd=self.folder, env=self.environment, text=True, errors="replace",
                              start_new_session=True, **streams) as process:
            try:
                printed, _ = process.communicate(timeout=SECONDS_OF_A_BLOCK)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return None, ""
        return process.returncode, printed

    def run_commands(self, block):
        status, printed = self.call(["bash", "-euo", "pipefail", "-c", block.text])
        if status is None:
            raise Failure(block, f"the commands took more than {SECONDS_OF_A_BLOCK} s")
        expected = int(block.words.get("status", 0))
        if status != expected:
            raise Failure(block, f"the status is {status}, not {expected}:\n{printed}")
        self.printed = printed

    def compare_output(self, block):
        if self.printed is None:
            raise Failure(block, "no `sh` block that ran stands before this output")
        lines = self.printed.splitlines()
        if not any(GAP in line for line in block.lines):
            self.outputs[block.line] = (len(block.lines), lines)
        if not holds(block.lines, lines):
            raise Failure(block, f"the output is another:\n{self.printed}")

    def find_quotation(self, block):
        path = block.words["from"]
        inside = os.path.join(self.folder, path)
        with open(inside if os.path.exists(inside) else os.path.join(ROOT, path), encoding="utf-8") as file:
            lines = [line.strip() for line in file.read().splitlines()]
        quoted = [GAP, *(line.strip() for line in block.lines), GAP]
        # Each run of quoted lines is looked for after the one before it.
        start, part = 0, []
        for line in quoted:
            if line != GAP:
                part.append(line)
            elif part:
                found = next((at for at in range(start, len(lines)) if lines[at:at + len(part)] == part), None)
                if found is None:
                    raise Failure(block, f"{path} does not have these lines in this order:\n" + "\n".join(part))
                start, part = found + len(part), []

    def check_sil(self, block):
        name = block.words.get("file", "block.sil")
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(block.text)
        status, printed = self.call([self.silc, "check", name])
        if (status == 0) == ("refused" in block.words):
            raise Failure(block, f"silc check ends with {status}:\n{printed}")

    def update(self):
        """Runs the page, and writes what its commands printed into its `output` blocks. True where that changed the page."""
        self.compare_output = self.remember_output
        self.run()
        with open(self.path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        before = list(lines)
        for line, (count, printed) in sorted(self.outputs.items(), reverse=True):
            lines[line - 1:line - 1 + count] = printed
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        return lines != before

    def remember_output(self, block):
        if not any(GAP in line for line in block.lines):
            lines = [line.rstrip() for line in (self.printed or "").splitlines()]
            self.outputs[block.line] = (len(block.lines), lines)
        elif not holds(block.lines, (self.printed or "").splitlines()):
            print(f"{self.path}: line {block.line}: the output is another:\n{self.printed}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("pages", nargs="+", metavar="PAGE.md")
    parser.add_argument("--silc", default=os.path.join(ROOT, "target", "release", "silc"))
    parser.add_argument("--update", action="store_true", help="write what commands print into the pages")
    options = parser.parse_args()
    failed = 0
    for path in options.pages:
        page = Page(path, options.silc, os.environ)
        try:
            if options.update:
                print(f"{path}: {'updated' if page.update() else 'the same'}")
            else:
                page.run()
        except Failure as failure:
            failed += 1
            print(f"{path}: {failure}")
        for skipped in page.skipped:
            print(f"{path}: {skipped}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
