"""A learner's hand, at random but seeded: it drags, types, chooses, presses and steps as a browser lets it."""

import re

from tests.browser.linked_page import CONTROLS, MAIN

# Nothing of these is for the link: guesses, answers, and what is the learner's own.
HANDS_OFF = (
    "predict",
    "picture_format",
    "_own_sentence",
    "counting_text",
    "text_source",
    "_score_",
    "_came_",
    "_traced_",
    "_lecture_",
)
# Nor what is pressed to train, to leave the page, or to keep a model for this session alone; steps are taken below.
NOT_PRESSED = re.compile(r"_(lecture_add|train|stop|go_on|keep|open|publish|step_\w+)$")
EDITED = re.compile(r"_(initial|transition|emission)_\d+$")  # tables whose cells can be changed
BUTTONS = ("First", "Back", "Next", "Last")
WORDS = ("the king is tired", "she sells <b>red</b> hats", "ten of them", "My lord, what is this?")
IN_A_VIEW = """() => [...document.querySelectorAll('[data-testid=stMain] *')].filter(each => each.shadowRoot)
  .flatMap((host, i) => [...host.shadowRoot.querySelectorAll(
    'button, input, select, canvas[tabindex="0"], [role=button][tabindex], .scores .cell')].map((each, j) => [each, i, j]))
  .filter(([each]) => each.checkVisibility() && !each.disabled
     && !/save|csv|svg|png|copy|play|pause|your turn|unfold|to-story/i.test(
       each.textContent + each.title + each.className + each.getAttribute('aria-label')))
  .map(([each, i, j]) => { each.setAttribute('data-hand', `${i}-${j}`);
    return [`${i}-${j}`, each.tagName.toLowerCase(), each.type ?? '', each.className?.baseVal ?? each.className]; })"""


def hand(page, random):
    """Change one thing on the page that is chosen at random; return what was done in words."""
    places = []
    for kind in (*CONTROLS, "Button", "DataFrame"):
        for box in page.locator(f"{MAIN} [data-testid=st{kind}]").all():
            places.append((kind, box))
    places += [("Step", None)] * 2 if page.locator(f"{MAIN} [class*=_step_next] button").count() else []
    in_views = page.evaluate(IN_A_VIEW)
    places += [("View", in_views)] * min(4, len(in_views))
    for _ in range(20):
        kind, box = random.choice(places)
        if kind == "View":
            return in_view(page, random, random.choice(box))
        if kind == "Step":
            name = random.choice(BUTTONS)
            button = page.locator(f"{MAIN} [class*=_step_{name.lower()}] button").first
            if not button.is_enabled():
                continue
            button.click()
            return f"stepped {name}"
        key = box.evaluate(
            "box => [...(box.closest('[class*=st-key-]')?.classList ?? [])].find(each => each.startsWith('st-key-')) ?? ''"
        )
        if not key or not box.is_visible() or any(off in key for off in HANDS_OFF):
            continue
        if kind == "Button" and NOT_PRESSED.search(key):
            continue
        if kind == "DataFrame" and not EDITED.search(key):
            continue
        done = DO[kind](page, box, random)
        if done:
            return f"{key[7:]}: {done}"
    return "nothing"


def in_view(page, random, place):
    """Press, turn or type into a part of a browser view."""
    mark, tag, kind, name = place
    part = page.locator(f"[data-hand='{mark}']")
    part.scroll_into_view_if_needed()
    if tag == "input" and kind == "range":
        keys = press(page, part, random, ("ArrowRight", "ArrowLeft", "PageUp"))
    elif tag == "select":
        part.select_option(index=0)
        keys = "first"
    elif tag == "canvas":
        keys = press(page, part, random, ("ArrowDown", "ArrowRight"))
        page.keyboard.press("Enter")
    elif tag == "span":  # a score of the causal mask
        part.click()
        page.keyboard.press("Control+A")
        page.keyboard.type(keys := str(random.randint(-3, 3)))
        page.keyboard.press("Enter")
    elif tag == "g":
        keys = press(page, part, random, ("ArrowRight", "ArrowUp", "ArrowLeft"))
    elif tag == "input" and kind not in ("checkbox", "radio"):
        part.fill(keys := "1:2")
        page.keyboard.press("Enter")
    else:
        part.click(timeout=5000)
        keys = "clicked"
    return f"view {tag}.{name}: {keys}"


def press(page, part, random, keys):
    """Press one of the keys a few times on a part of the page."""
    part.focus()
    key, times = random.choice(keys), random.randint(1, 4)
    for _ in range(times):
        page.keyboard.press(key)
    return f"{key} x {times}"


def slide(page, box, random):
    return press(
        page,
        random.choice(box.locator("[role=slider], input[type=range]").all()),
        random,
        ("ArrowRight", "ArrowLeft"),
    )


def click_one(page, box, random, of="button"):
    offered = [each for each in box.locator(of).all() if each.is_enabled()]
    if not offered:
        return ""
    chosen = random.choice(offered)
    chosen.click(timeout=5000)
    return chosen.text_content()


def press_button(page, box, random):
    button = box.locator("button").first
    if not button.is_enabled():
        return ""
    said = button.text_content()
    button.click(timeout=5000)
    return said


def edit_cell(page, box, random):
    cells = box.locator("canvas").first
    size = cells.bounding_box()
    cells.click(
        timeout=5000,
        position={
            "x": size["width"] * random.uniform(0.5, 0.95),
            "y": size["height"] * random.uniform(0.6, 0.9),
        },
    )
    page.keyboard.type(said := random.choice(("0", "0.1", "0.25", "0.5", "1")))
    page.keyboard.press("Enter")
    return said


def choose_radio(page, box, random):
    return click_one(page, box, random, "label[data-baseweb=radio], [role=radiogroup] label")


def select(page, box, random):
    box.locator("input, [role=combobox]").first.click(timeout=5000)
    options = page.locator("[role=option]")
    options.first.wait_for(timeout=5000)
    chosen = options.nth(random.randrange(min(options.count(), 8)))
    said = chosen.text_content()
    chosen.click(timeout=5000)
    if (
        box.get_attribute("data-testid") == "stMultiSelect"
    ):  # its list stays open; where one is chosen it would clear it
        page.keyboard.press("Escape")
    return said


def count(page, box, random):
    # A number typed beyond the ends is refused and stays in the field, where it says nothing of the page.
    said = press(page, box.locator("input"), random, ("ArrowUp", "ArrowDown"))
    page.keyboard.press("Enter")
    return said


def toggle(page, box, random):
    box.locator("label").first.click(timeout=5000)
    return "turned"


def write(page, box, random):
    field = box.locator("input, textarea").first
    if not field.is_enabled():
        return ""
    field.fill(said := random.choice(WORDS))
    field.press("Control+Enter" if box.locator("textarea").count() else "Enter")
    field.blur()
    return said


DO = {
    "Button": press_button,
    "DataFrame": edit_cell,
    "Slider": slide,
    "ButtonGroup": click_one,
    "Radio": choose_radio,
    "Selectbox": select,
    "MultiSelect": select,
    "NumberInput": count,
    "Checkbox": toggle,
    "TextInput": write,
    "TextArea": write,
}
