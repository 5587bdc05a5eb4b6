"""A headless Chromium that opens pages and reports what went wrong on them.

It speaks the Chrome DevTools Protocol over two pipes: messages in JSON, each ended by a
zero byte.
"""

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

# Pieces of text that hardly stand out from what is under them: a contrast below 3 as WCAG has it.
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
        if ((light + 0.05) / (dark + 0.05) < 3) faint.push(text.slice(0, 60));
    }
    return faint;
})()"""
# Colours change slowly when the theme turns to the dark.
SETTLED = "Promise.all(document.getAnimations().map((each) => each.finished)).then(() => null)"


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

    def open(self, address):
        """Open a page; its target and the session that speaks to it, once it is loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable", session)
        self._events.clear()
        self.call("Page.navigate", session, url=address)
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._events.append(self._receive())
        return target, session

    def ask(self, address, expression):
        """Open a page, and return the value of an expression in it."""
        target, session = self.open(address)
        value = self.evaluate(session, expression)
        self.call("Target.closeTarget", targetId=target)
        return value

    def visit(self, address, width, dark, height=900):
        """Open a page; what it complains of, and how it looks.

        Returns the complaints, by how many pixels the page is too wide, and the pieces of text
        that are cut off and that are too faint.
        """
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable", session)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            session,
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", session, features=[scheme])
        self._events.clear()
        self.call("Page.navigate", session, url=address)
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            self._events.append(self._receive())
        self.evaluate(session, "window.MathJax?.startup?.promise.then(() => null) ?? null")
        root = "document.documentElement"
        excess = self.evaluate(session, f"{root}.scrollWidth - {root}.clientWidth")
        cut_off = self.evaluate(session, CUT_OFF)
        self.evaluate(session, SETTLED)
        faint = self.evaluate(session, FAINT)
        complaints = [text for text in map(_complaint, self._events) if text]
        self.call("Target.closeTarget", targetId=target)
        return complaints, excess, cut_off, faint


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
