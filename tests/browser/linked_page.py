"""A lesson in Chromium as the tests of links drive it: what the server sent, what the controls show, what a hand does."""

import time

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

SAID = ("markdown", "text", "heading", "alert", "metric", "code")  # what is written on the page
DRAWN = ("plotly_chart", "bidi_component", "dataframe", "table")
ENDS = ("attend_link", "attend_page", "attend_tour")  # views that every page has
MAIN = "[data-testid=stMain]"
CONTROLS = (
    "Slider",
    "ButtonGroup",
    "Radio",
    "Selectbox",
    "MultiSelect",
    "NumberInput",
    "Checkbox",
    "TextInput",
    "TextArea",
)

STANDS = """() => [
  document.querySelectorAll('[data-testid=stSkeleton], [data-testid=stSpinner]').length,
  document.querySelectorAll('[data-testid=stMain] *').length]"""

READ_CONTROLS = """kinds => Object.fromEntries(kinds.flatMap(kind =>
  [...document.querySelectorAll(`[data-testid=stMain] [data-testid=st${kind}]`)].flatMap(box => {
    const key = [...(box.closest('[class*=st-key-]')?.classList ?? [])].find(each => each.startsWith('st-key-'));
    if (!key || !box.checkVisibility()) return [];
    const of = (selector, take) => [...box.querySelectorAll(selector)].map(take);
    const shown = {
      Slider: () => of('[role=slider], input[type=range]', each => each.getAttribute('aria-valuetext') ?? each.value),
      ButtonGroup: () => of(
        'button[aria-checked=true], button[aria-pressed=true], [data-selected=true]', each => each.textContent),
      Radio: () => of('label', each => [each.textContent, each.querySelector('input')?.checked]).filter(each => each[1]),
      Selectbox: () => [
        box.querySelector('input')?.value || box.querySelector('[data-baseweb=select], [role=combobox]')?.textContent],
      MultiSelect: () => [box.innerText],
      NumberInput: () => of('input', each => each.value),
      Checkbox: () => of('input', each => each.checked),
      TextInput: () => of('input', each => each.value),
      TextArea: () => of('textarea', each => each.value),
    }[kind]();
    return [[key.slice(7), shown]];
  })))"""

# What a view says of the place that is pointed at goes with the pointer, not with the link.
READ_VIEWS = """() => [...document.querySelectorAll('[data-testid=stMain] *')]
.filter(each => each.shadowRoot).flatMap(host => {
  const key = [...(host.closest('[class*=st-key-]')?.classList ?? [])].find(each => each.startsWith('st-key-')) ?? '';
  if (/_(link|page|tour)$/.test(key)) return [];
  const text = node => node.nodeType === 3 ? node.data
    : node.nodeType !== 1 || node.matches('style, [role=status], .now, .formula') || !node.checkVisibility() ? ''
    : [...node.childNodes].map(text).join(' ');
  const pressed = ['aria-pressed', 'aria-checked', 'aria-current'];
  const controls = `input, select, ${pressed.map(name => `[${name}]`).join()}`;
  const states = [...host.shadowRoot.querySelectorAll(controls)].map(each =>
    each.type === 'checkbox' || each.type === 'radio' ? each.checked
    : each.value || pressed.map(name => each.getAttribute(name)).join());
  return [[key.slice(7), [...host.shadowRoot.childNodes].map(text).join(' ').replace(/\\s+/g, ' ').trim(), states]];
})"""


class LinkedPage:
    """A lesson open in a browser context of its own; `sent` is what the server sent in the last whole run."""

    def __init__(self, chromium, address=""):
        self.context = chromium.new_context(viewport={"width": 1100, "height": 700}, reduced_motion="reduce")
        self.page = self.context.new_page()
        # Figures are compared as they were sent; to draw them would take more time than all else.
        session = self.context.new_cdp_session(self.page)
        session.send("Network.enable")
        session.send("Network.setBlockedURLs", {"urls": ["*/PlotlyChart*"]})
        self.page.on("websocket", lambda socket: socket.on("framereceived", self.take))
        if address:
            self.open(address)

    def open(self, address):
        """Open an address as a browser does that has never been here: nothing is kept but the course's own scripts."""
        if self.page.url.startswith("http"):
            self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self.context.clear_cookies()
        # Tours are folded away in this browser: whether they are is the browser's, not the link's.
        self.context.add_cookies([{"name": "attend_tours", "value": "folded", "url": address.split("?")[0]}])
        self.page.goto("about:blank")  # another address of the same page would not load it anew
        self.sent, self.coming, self.cached = {}, {}, {}
        self.runs, self.running, self.heard = 0, False, time.monotonic()
        self.page.goto(address)
        self.rest()

    def close(self):
        self.context.close()

    def take(self, frame):
        """Take in a message of the server's."""
        if isinstance(frame, str):
            return
        message = ForwardMsg.FromString(frame)
        kind = message.WhichOneof("type")
        self.heard = time.monotonic()
        if kind == "ref_hash":
            known = ForwardMsg()
            known.CopyFrom(self.cached[message.ref_hash])
            known.metadata.CopyFrom(message.metadata)
            message, kind = known, "delta"
        elif message.hash:
            self.cached[message.hash] = message
        if kind == "new_session":
            self.running = True
            # A run of fragments leaves what other parts of the page drew, and clears what these drew before.
            again = set(message.metadata.run.fragment_ids)
            self.coming = {path: d for path, d in self.sent.items() if again and d.fragment_id not in again}
        elif kind == "delta":
            self.coming[tuple(message.metadata.delta_path)] = message.delta
        elif kind == "script_finished":
            self.running = message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
            self.sent, self.runs = self.coming, self.runs + 1

    def rest(self, quiet=0.6, limit=150):
        """Wait until the server has answered, the page shows it, and nothing more has come for a while."""
        began = since = time.monotonic()
        last = None
        while time.monotonic() - max(since, self.heard) < quiet or self.running or not self.runs:
            assert time.monotonic() - began < limit, "The page did not come to rest."
            self.page.wait_for_timeout(100)
            now = self.page.evaluate(STANDS)
            if now != last or now[0] or now[1] < 60:
                last, since = now, time.monotonic()

    @property
    def said(self):
        """All that the server sent to be read or drawn, in the page's order."""
        found = []
        for path, delta in sorted(self.sent.items()):
            if path[0] != 0 or delta.WhichOneof("type") != "new_element":
                continue
            element = delta.new_element
            kind = element.WhichOneof("type")
            if kind in SAID:
                found.append((kind, str(getattr(element, kind))))
            elif kind == "plotly_chart":
                found.append((kind, element.plotly_chart.spec))
            elif kind == "bidi_component" and not element.bidi_component.component_name.endswith(ENDS):
                found.append((element.bidi_component.component_name, element.bidi_component.json))
            elif kind == "dataframe" and element.dataframe.editing_mode:
                continue  # sent as it was before the edits; what is made of them is compared
            elif kind in ("dataframe", "table"):
                table = type(element.dataframe)() if kind == "dataframe" else type(element.table)()
                table.CopyFrom(getattr(element, kind))
                if kind == "dataframe":
                    table.ClearField("id")
                found.append((kind, table.SerializeToString(deterministic=True)))
        return found

    @property
    def broken(self):
        """What the page says of a mistake of ours, if it does."""
        return any("mistake of ours" in str(content) for kind, content in self.said if kind == "alert")

    def state(self):
        """What stands on the page now: controls, views, and all that the server sent."""
        controls = self.page.evaluate(READ_CONTROLS, list(CONTROLS))
        controls.pop("picture_format", None)
        return {"controls": controls, "views": self.page.evaluate(READ_VIEWS), "said": self.said}

    def address(self, lesson):
        """The link that "Take it away" shows."""
        link = self.page.locator(f".st-key-{lesson}_link code")
        if not link.count() or not link.first.is_visible():
            self.page.get_by_role("tab", name="Take it away").click()
            link.first.wait_for()
            self.rest()
        self.page.wait_for_timeout(350)  # the link follows the address three times a second
        return link.first.text_content()
