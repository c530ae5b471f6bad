"""`diff_large.py write MODULE OUT` writes the module's function often, under many names; `diff_large.py open PAGE` opens the page."""

import pathlib
import sys

from browser import expect, opened

BYTES = 5_000_000
SECONDS = 3


def write(module, output):
    text = pathlib.Path(module).read_text()
    function = text[text.index("define"):]
    copies = (function.replace("@function", f"@function{index}") for index in range(BYTES // len(function) + 1))
    pathlib.Path(output).write_text("\n".join(copies))


def open_page(path):
    with opened(path) as page:
        expect(page.seconds_to_open < SECONDS, f"the page took {page.seconds_to_open:.1f} s to open")
        page.click_text("#symbols summary", "@function0")
        rows = page.texts("#symbols details[open] tr.changed")
        expect(len(rows) == 2 and "udiv" in rows[0] and "sdiv" in rows[0], f"the first function has {rows}")


def main():
    match sys.argv[1:]:
        case ["write", module, output]:
            write(module, output)
        case ["open", path]:
            open_page(path)
        case _:
            sys.exit(__doc__)


main()
