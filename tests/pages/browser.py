"""A headless Chromium with one page open, for the tests of pages. Fails where the page writes an error to its console."""

import contextlib
import os
import shutil
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By


@contextlib.contextmanager
def opened(path):
    """A Page, closed at the end."""
    options = webdriver.ChromeOptions()
    # Chromium's sandbox wants a user other than root, and its shared memory more than containers give.
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1600,1000"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        driver.get("file://" + os.path.abspath(path))
        page = Page(driver, seconds_of_process(driver))
        yield page
        errors = driver.get_log("browser")
        if errors:
            sys.exit(f"the console has: {errors}")
    finally:
        driver.quit()


def seconds_of_process(driver):
    """The processor time of the page's process: what else a machine does counts for little in it."""
    driver.execute_cdp_cmd("Performance.enable", {})
    metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "ProcessTime")


class Page:
    """What tests do with a page. `seconds_to_open` is the processor time until its load event."""

    def __init__(self, driver, seconds_to_open):
        self.driver = driver
        self.seconds_to_open = seconds_to_open

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        return [element.text for element in self.driver.find_elements(By.CSS_SELECTOR, selector)]

    def is_shown(self, selector):
        return any(element.is_displayed() for element in self.driver.find_elements(By.CSS_SELECTOR, selector))

    def click_text(self, selector, text):
        """Clicks the first element of those selected that has `text` in it."""
        for element in self.driver.find_elements(By.CSS_SELECTOR, selector):
            if text in element.text:
                element.click()
                self.settle()
                return
        sys.exit(f"nothing in {selector} says {text!r}: {self.texts(selector)[:50]}")

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        self.settle()

    def settle(self):
        """Waits until what was done is drawn: some events come after the call that causes them."""
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def picture(self, path):
        self.driver.save_screenshot(path)


def expect(condition, message):
    """Ends the test with `message` where the condition does not hold."""
    if not condition:
        sys.exit(message)


def light_and_dark_differ(page, key):
    """Presses the key that changes from light to dark and back."""
    colour = lambda: page.one("body").value_of_css_property("background-color")
    before = colour()
    page.press(key)
    expect(colour() != before, "light and dark look the same")
