"""lit's view of pages: which there are, and how one is run. Does not own the running, which is `pages`'."""

import glob
import os
import subprocess

import lit.Test
import lit.formats

import pages


def listed():
    """Every page with blocks to test, as paths from the repository's root."""
    book = glob.glob(os.path.join(pages.ROOT, "docs", "book", "src", "**", "*.md"), recursive=True)
    return sorted(os.path.relpath(path, pages.ROOT) for path in book) + ["CONTRIBUTING.md", "README.md"]


class Pages(lit.formats.TestFormat):
    """A test for each page, and one for each page that a script writes."""

    def __init__(self, silc):
        self.silc = silc

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, config):
        for path in listed():
            yield lit.Test.Test(suite, path_in_suite + tuple(path.split(os.sep)), config)
        yield lit.Test.Test(suite, path_in_suite + ("written-pages",), config)

    def execute(self, test, lit_config):
        if test.path_in_suite[-1] == "written-pages":
            return self.check_written_pages()
        page = pages.Page(os.path.join(pages.ROOT, *test.path_in_suite[1:]), self.silc, test.config.environment)
        try:
            page.run()
        except pages.Failure as failure:
            return lit.Test.FAIL, f"{page.path}: {failure}"
        return lit.Test.PASS, "\n".join(page.skipped)

    def check_written_pages(self):
        """The pages that scripts/reference-pages writes are what it writes."""
        script = os.path.join(pages.ROOT, "scripts", "reference-pages")
        result = subprocess.run([script, "--silc", self.silc, "--check"], capture_output=True, text=True, check=False)
        return (lit.Test.FAIL if result.returncode else lit.Test.PASS), result.stdout + result.stderr
