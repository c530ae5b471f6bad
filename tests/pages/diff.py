"""Opens the page of diff.ll and does what readers do: `diff.py PAGE [PICTURE]`."""

import sys

from browser import expect, light_and_dark_differ, opened
from selenium.webdriver.common.keys import Keys

SUMMARIES = "#symbols summary code"


def names(page):
    """The symbols of the list."""
    return [text.split("\n")[0] for text in page.texts(SUMMARIES)]


def set_filter(page, text):
    page.one("#filter").send_keys(Keys.CONTROL, "a")
    page.one("#filter").send_keys(Keys.DELETE, text, Keys.ESCAPE)


def differences_come_first(page):
    expect(names(page) == ["@$s4main3fooyySiF", "@triple", "@gone", "@come"], f"the list has {names(page)}")
    expect("main.foo(Swift.Int) -> ()" in page.texts(SUMMARIES)[0], "a mangled symbol has no readable name")
    expect(page.texts("#symbols tr") == [], "rows are there before anything is unfolded")
    expect("4 of 6" in page.one("#count").text, f"the count says {page.one('#count').text}")


def verdicts_and_kinds_filter(page):
    page.click_text("#verdicts label", "identical")
    expect("@same" in names(page), "what is identical is not listed")
    page.click_text("#verdicts label", "different")
    expect(names(page) == ["@same", "@gone", "@come"], f"without what differs: {names(page)}")
    page.click_text("#kinds label", "variables")
    expect("@counter" in names(page), "a variable is not listed")
    for kind, label in [("#kinds", "variables"), ("#verdicts", "different"), ("#verdicts", "identical")]:
        page.click_text(f"{kind} label", label)
    expect(len(names(page)) == 4, "the filters do not go back")


def names_filter(page):
    for text, left in [("TRIP", ["@triple"]), ("main.foo", ["@$s4main3fooyySiF"]), ("$s4main", ["@$s4main3fooyySiF"]), ("zzz", [])]:
        set_filter(page, text)
        expect(names(page) == left, f"the filter {text!r} leaves {names(page)}")
    set_filter(page, "")


def functions_unfold(page):
    page.click_text(SUMMARIES, "foo")
    shown = page.texts("#symbols details[open] tr.changed")
    expect(len(shown) == 2 and all("add nsw" in row and "sub nsw" in row for row in shown), f"unfolded: {shown}")
    expect([mark for mark in page.texts("#symbols details[open] mark")] == ["add", "sub"] * 2, "the opcodes are not marked")
    expect(not any("mul i64 %7" in row for row in page.texts("#symbols tr.same")), "lines far from differences are shown")
    page.click_text("#symbols .gap button", "2 lines")
    expect(any("mul i64 %7" in row for row in page.texts("#symbols tr.same")), "the lines between are not shown")
    page.click_text(SUMMARIES, "foo")
    expect(not page.is_shown("#symbols tr"), "a function does not fold")
    page.click_text("#unfold", "unfold")
    expect(len(page.driver.find_elements("css selector", "#symbols details[open]")) == 4, "not everything unfolds")
    page.click_text("#fold", "fold")
    expect(not page.is_shown("#symbols tr"), "not everything folds")


def keys_work(page):
    page.one("h1").click()
    page.press("j")
    expect("@triple" in page.one("#symbols .current summary").text, "j does not go on from the function clicked last")
    page.press("k")
    expect("foo" in page.one("#symbols .current summary").text, "k does not go up")
    page.press("o")
    expect("foo" in page.one("#symbols details[open]").text, "o does not unfold")
    page.press("o")
    expect(not page.is_shown("#symbols tr"), "o does not fold")
    page.press("n")
    expect("sub nsw i64 %3" in page.one("#symbols tr.current").text, "n does not go to the first difference")
    page.press("n")
    page.press("n")
    expect("mul i64 %0, 4" in page.one("#symbols tr.current").text, "n does not go on in the next function")
    page.press("p")
    expect("%11, 12" in page.one("#symbols tr.current").text, "p does not go back")
    page.press("e")
    expect(not page.is_shown("#symbols .gap"), "e does not show all lines")
    page.press("/")
    page.press("gone", Keys.ENTER)
    expect(names(page) == ["@gone"], "/ does not filter")
    set_filter(page, "")
    page.press("?")
    expect(page.is_shown("#help"), "? does not help")
    page.press(Keys.ESCAPE)
    expect(not page.is_shown("#help"), "Escape does not close")


def main():
    with opened(sys.argv[1]) as page:
        differences_come_first(page)
        verdicts_and_kinds_filter(page)
        names_filter(page)
        functions_unfold(page)
        keys_work(page)
        if len(sys.argv) > 2:
            page.press("n")
            page.picture(sys.argv[2])
        light_and_dark_differ(page, key="t")


main()
