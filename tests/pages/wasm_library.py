"""Calls a WebAssembly library in a page: `wasm_library.py LIBRARY HOST.js`. Prints what the page's script says."""

import base64
import pathlib
import sys

from browser import opened

PAGE = "<!doctype html><title>A host</title><script>{script}</script>"


def main():
    library, script = map(pathlib.Path, sys.argv[1:])
    page = library.with_suffix(".html")
    page.write_text(PAGE.format(script=script.read_text()))
    text = base64.b64encode(library.read_bytes()).decode()
    with opened(page) as page:
        said = page.driver.execute_script(f"return call(Uint8Array.from(atob('{text}'), (letter) => letter.charCodeAt(0)))")
    print("\n".join(said))


main()
