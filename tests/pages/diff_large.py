"""`diff_large.py write MODULE OUT` writes the module's function often, under many names; `diff_large.py open PAGE` opens the page."""

import pathlib
import sys

from browser import expect, opened

BYTES = 5_000_000
SECONDS = 3
# A machine that does other work as well may be slow once; a page that is too large is slow each time.
TIMES = 3


def write(module, output):
    text = pathlib.Path(module).read_text()
    function = text[text.index("define"):]
    copies = (function.replace("@function", f"@function{index}") for index in range(BYTES // len(function) + 1))
    pathlib.Path(output).write_text("\n".join(copies))


def seconds_to_open(path):
    with opened(path) as page:
        return page.seconds_to_open


def open_page(path):
    times = []
    while not times or min(times) >= SECONDS:
        expect(len(times) < TIMES, f"the page took {times} s to open")
        times.append(seconds_to_open(path))
    with opened(path) as page:
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
