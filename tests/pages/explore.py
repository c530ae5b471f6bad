"""Opens the page of explore.sil and does what readers do: `explore.py PAGE [PICTURE]`."""

import sys

from browser import expect, light_and_dark_differ, opened
from selenium.webdriver.common.keys import Keys


def lines(page, listing, kind):
    return page.texts(f"#{listing} .row.{kind}")


def a_line_of_sil_lights_up_what_it_became(page):
    page.click_text("#sil .row", "builtin \"smul_with_overflow_Int64\"")
    expect(len(lines(page, "sil", "chosen")) == 1, "the chosen line is not marked")
    expect(any("smul.with.overflow" in line for line in lines(page, "ir", "lit")), f"the IR of the builtin is not lit: {lines(page, 'ir', 'lit')}")
    expect(any("mul" in line for line in lines(page, "assembly", "lit")), f"the assembly of the builtin is not lit: {lines(page, 'assembly', 'lit')}")
    expect("of LLVM IR" in page.one("#status").text, "the status does not count")


def ir_and_assembly_light_up_where_they_came_from(page):
    page.click_text("#ir .row", "smul.with.overflow")
    expect("smul_with_overflow" in " ".join(lines(page, "sil", "lit")), "the SIL of an instruction of IR is not lit")
    page.click_text("#assembly .row.lit", "mul")
    expect("smul_with_overflow" in " ".join(lines(page, "sil", "lit")), "the SIL of an instruction of assembly is not lit")


def tabs_change_target_and_level(page):
    before = page.texts("#assembly .row")
    page.click_text("#tabs button", "aarch64 -O2")
    expect(page.texts("#assembly .row") != before, "another target has the same assembly")
    expect(any("mul" in line for line in lines(page, "assembly", "lit")), "what was chosen is not lit in another tab")
    page.one("#sil").click()
    page.press("1")
    expect(page.one("#tabs button").get_attribute("aria-selected") == "true", "the key 1 does not open the first tab")


def functions_are_filtered_and_opened(page):
    page.one("#filter").send_keys("SQUARE")
    expect(page.texts("#functions .row") == ["square"], f"the filter leaves {page.texts('#functions .row')}")
    page.click_text("#functions .row", "square")
    expect("@square" in " ".join(lines(page, "sil", "chosen")), "a function does not open at its line")
    page.one("#filter").send_keys(Keys.CONTROL, "a")
    page.one("#filter").send_keys(Keys.DELETE)
    expect("main" in page.texts("#functions .row"), "an empty filter hides functions")


def keys_move_and_step(page):
    page.one("#sil").click()
    page.press("p")
    expect("@main" in " ".join(lines(page, "sil", "chosen")), "p does not go to the function before")
    first = lines(page, "sil", "chosen")
    page.one("#sil").send_keys(Keys.ARROW_DOWN)
    expect(lines(page, "sil", "chosen") != first, "an arrow does not move")
    page.press(Keys.ESCAPE)
    expect(not lines(page, "sil", "lit"), "Escape leaves something lit")


def the_graph_has_all_blocks(page):
    page.click_text("#functions .row", "main")
    page.press("g")
    expect(page.is_shown("#graph .block") and len(page.texts("#graph .block")) == 4, f"the graph shows {page.texts('#graph .block')}")
    expect(len(page.driver.find_elements("css selector", "#graph .edge")) == 4, "an edge is missing")
    page.one("#graph .block").click()
    expect(not page.is_shown("#graph"), "a block does not lead back to the text")


def main():
    with opened(sys.argv[1]) as page:
        a_line_of_sil_lights_up_what_it_became(page)
        if len(sys.argv) > 2:
            page.picture(sys.argv[2])
        ir_and_assembly_light_up_where_they_came_from(page)
        tabs_change_target_and_level(page)
        functions_are_filtered_and_opened(page)
        keys_move_and_step(page)
        the_graph_has_all_blocks(page)
        light_and_dark_differ(page, key="d")


main()
