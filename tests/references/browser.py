"""A headless Chromium that opens pages and reports what went wrong on them.

It speaks the Chrome DevTools Protocol over two pipes: messages in JSON, each ended by a
zero byte.
"""

import contextlib
import json
import os
import select
import shutil
import subprocess
import time

PATIENCE = 60.0  # seconds for an answer
# Pieces of text, pictures and formulas that reach beyond the box of the article, or of something
# around them that cuts off what is too wide, where nothing in between scrolls.
CUT_OFF = """(() => {
    const article = document.querySelector(".bd-article");
    const lost = [];
    for (const piece of article?.querySelectorAll("*") ?? []) {
        const holdsText = [...piece.childNodes].some(
            (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
        if (!holdsText && !["IMG", "MJX-C"].includes(piece.tagName)) continue;
        if (piece.closest("mjx-assistive-mml, .visually-hidden, .headerlink, button")) continue;
        const range = document.createRange();
        range.selectNodeContents(piece);
        const box = piece.tagName === "IMG" ? piece : range;
        const {right, width} = box.getBoundingClientRect();
        if (width === 0) continue;
        for (let around = piece; around !== article.parentElement; around = around.parentElement) {
            const overflow = getComputedStyle(around).overflowX;
            if (overflow === "auto" || overflow === "scroll") break;
            if (overflow === "visible" && around !== article) continue;
            if (right > around.getBoundingClientRect().right + 2) {
                lost.push(piece.textContent.trim().slice(0, 60) || piece.src || piece.tagName);
                break;
            }
        }
    }
    return lost;
})()"""

# Pieces of text that stand out too little from what is under them: a contrast below 4.5, or below
# 3 in large letters, as level AA of WCAG has it.
FAINT = """(() => {
    const numbers = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
    const luminance = (colour) => numbers(colour).slice(0, 3)
        .map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0);
    const under = (piece) => {
        for (let around = piece; around; around = around.parentElement) {
            const colour = getComputedStyle(around).backgroundColor;
            if ((numbers(colour)[3] ?? 1) > 0.5) return colour;
        }
        return "rgb(255, 255, 255)";
    };
    const faint = [];
    for (const piece of document.querySelectorAll(".bd-article *")) {
        const text = [...piece.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
            .map((node) => node.textContent.trim()).join("");
        if (!text || !piece.checkVisibility()) continue;
        if (piece.closest(".visually-hidden, .headerlink, mjx-container")) continue;
        const [dark, light] = [getComputedStyle(piece).color, under(piece)]
            .map(luminance).sort((one, other) => one - other);
        const {fontSize, fontWeight} = getComputedStyle(piece);
        const large = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
        if ((light + 0.05) / (dark + 0.05) < (large ? 3 : 4.5)) faint.push(text.slice(0, 60));
    }
    return faint;
})()"""
# Headings, tables and pictures that do not show, or that something lies over.
UNREADABLE = """(() => {
    const lost = [];
    for (const piece of document.querySelectorAll(".bd-article :is(h1, h2, h3, table, img)")) {
        if (piece.closest("details:not([open])")) continue;
        piece.scrollIntoView({block: "start", behavior: "instant"});
        window.scrollBy({top: -100, behavior: "instant"});
        const {left, top, width, height} = piece.getBoundingClientRect();
        const shown = document.elementFromPoint(left + Math.min(9, width / 2), top + 9);
        const loaded = piece.tagName !== "IMG" || piece.naturalWidth > 0;
        const visible = piece.checkVisibility({opacityProperty: true, visibilityProperty: true});
        if (!visible || !height || !loaded || !piece.contains(shown)) {
            lost.push(piece.alt || piece.textContent.trim().slice(0, 60));
        }
    }
    return lost;
})()"""
# Two frames after a change of the window's size, all that follows it has.
DRAWN = """new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"""
# Colours change slowly when the theme turns to the dark; in folded code, not before it is opened.
SETTLED = """Promise.all(
    document.getAnimations().filter((each) => each.effect.target.checkVisibility())
        .map((each) => each.finished.catch(() => null))  // cancelled
).then(() => null)"""


def find_chromium():
    """Path of a Chromium or Chrome, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """One process; use it as a context manager."""

    def __init__(self, program, profile):
        to_read, self._to_write = os.pipe()
        self._to_read, to_write = os.pipe()
        options = "--headless=new --no-sandbox --disable-gpu --remote-debugging-pipe"
        self._process = subprocess.Popen(
            [
                "bash",
                "-c",
                f'exec "$0" {options} --user-data-dir="$1" 3<&$2 4>&$3',
                program,
                str(profile),
                str(to_read),
                str(to_write),
            ],
            pass_fds=(to_read, to_write),
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._count = 0
        self._unread = b""
        self._events = []

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._process.kill()
        self._process.wait()
        os.close(self._to_read)
        os.close(self._to_write)

    def _receive(self):
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self._unread:
            if not select.select([self._to_read], [], [], deadline - time.monotonic())[0]:
                raise TimeoutError(f"no answer in {PATIENCE:.0f} s")
            self._unread += os.read(self._to_read, 1 << 16)
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        """Call a method of the protocol and return its result; events are kept aside."""
        self._count += 1
        request = {"id": self._count, "method": method, "params": parameters}
        if session is not None:
            request["sessionId"] = session
        os.write(self._to_write, json.dumps(request).encode() + b"\0")
        while True:
            message = self._receive()
            if message.get("id") == self._count:
                assert "error" not in message, f"{method}: {message['error']}"
                return message["result"]
            self._events.append(message)

    def evaluate(self, session, expression):
        """Value of an expression in the page, awaited if it is a promise."""
        result = self.call(
            "Runtime.evaluate",
            session,
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
        )
        assert "exceptionDetails" not in result, f"{expression}: {result}"
        return result["result"].get("value")

    @contextlib.contextmanager
    def page(self, address, scripts=True):
        """Open a page, with its scripts or without; its session, until it is closed."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable", session)
        self.call("Emulation.setScriptExecutionDisabled", session, value=not scripts)
        self._events.clear()
        self.call("Page.navigate", session, url=address)
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._events.append(self._receive())
        yield session
        self.call("Target.closeTarget", targetId=target)

    def ask(self, address, expression, scripts=True):
        """Open a page, with its scripts or without, and return the value of an expression in it."""
        with self.page(address, scripts) as session:
            return self.evaluate(session, expression)

    def swipe(self, session, start, right, up):
        """Draw a finger from a place in the window to the right and up, by so many pixels."""
        self.call("Emulation.setTouchEmulationEnabled", session, enabled=True)

        def touch(kind, *points):
            places = [{"x": x, "y": y} for x, y in points]
            self.call("Input.dispatchTouchEvent", session, type=kind, touchPoints=places)

        touch("touchStart", start)
        for part in (0.25, 0.5, 0.75, 1.0):
            touch("touchMove", (start[0] + part * right, start[1] - part * up))
        touch("touchEnd")

    def visit(self, address, windows, audit="null"):
        """Open a page in the first window, and show it in all others; what is wrong with it.

        Parameters
        ----------
        address : str
        windows : sequence of tuple
            Width of each, and whether its colours are dark.
        audit : str
            Expression that is evaluated in the last one. It may change the page.

        Returns
        -------
        tuple
            What the page complains of, `faults` in all windows, and the value of the audit.
        """
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable", session)
        self.show(session, *windows[0])
        self._events.clear()
        self.call("Page.navigate", session, url=address)
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._events.append(self._receive())
        self.evaluate(session, "window.MathJax?.startup?.promise.then(() => null) ?? null")
        wrong = [fault for window in windows for fault in self.faults(session, *window)]
        complaints = [text for text in map(_complaint, self._events) if text]
        found = self.evaluate(session, audit)
        self.call("Target.closeTarget", targetId=target)
        return complaints, wrong, found

    def show(self, session, width, dark):
        """Give the window a width, and tell the page which colours its reader prefers."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", session, **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", session, features=[scheme])

    def faults(self, session, width, dark):
        """What is too wide for a window, cut off in it, too faint, or in other colours."""
        self.show(session, width, dark)
        self.evaluate(session, DRAWN)
        root = "document.documentElement"
        window = f"{width} {'dark' if dark else 'light'}"
        excess = self.evaluate(session, f"{root}.scrollWidth - {root}.clientWidth")
        found = [f"{window}: the page is {excess} px too wide"] if excess > 0 else []
        found += [f"{window}: cut off: {text}" for text in self.evaluate(session, CUT_OFF)]
        self.evaluate(session, SETTLED)
        found += [f"{window}: faint: {text}" for text in self.evaluate(session, FAINT)]
        if not window.endswith(self.evaluate(session, f"{root}.dataset.theme")):
            found.append(f"{window}: in other colours")
        return found


def _complaint(event):
    """What an event complains of, or None."""
    method, parameters = event["method"], event["params"]
    if method == "Runtime.exceptionThrown":
        return parameters["exceptionDetails"]["text"]
    if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
        return " ".join(str(value.get("value")) for value in parameters["args"])
    if method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
        return parameters["entry"]["text"]
    if method == "Network.loadingFailed" and not parameters.get("canceled"):
        return f"request failed: {parameters['errorText']}"
    return None
