"""The accessibility of an open page, judged by axe.

axe weighs each element against all others near it, which takes a minute on the page of the package
as it is. So it gets the page without what is there a thousand times: each formula is a box
of its size, and contrast is judged, by day and at night, on what is left when one piece of text of
each combination of colours, size and weight stays. The rules that do not look at colours run once.
"""

import importlib.resources

from references.browser import SETTLED

PACKAGE = "axe_playwright_python"
# The boxes of formulas hold one letter and stay as wide as they are, and displayed formulas keep
# their twins for screen readers, for what scrolls has to take the focus. What is changed while it
# is no part of the page is styled once, not after each change.
BOX_FORMULAS = """
    const sizes = [...document.querySelectorAll("mjx-math")].map(
        (formula) => [formula, formula.getBoundingClientRect()]);
    const article = document.querySelector(".bd-article");
    const [around, next] = [article.parentNode, article.nextSibling];
    article.remove();
    for (const [formula, {width, height}] of sizes) {
        formula.replaceChildren("x");  // what scrolls without a text does not count
        formula.style.cssText = `display: inline-block; width: ${width}px; height: ${height}px`;
    }
    const twins = article.querySelectorAll("mjx-container:not([display]) mjx-assistive-mml");
    for (const twin of twins) twin.remove();
    around.insertBefore(article, next);
"""
TURN = f"""
    const turn = async () => {{
        const {{dataset}} = document.documentElement;
        dataset.theme = dataset.theme === "dark" ? "light" : "dark";
        await {SETTLED};
    }};
"""
ONE_OF_EACH = """
    const under = (piece) => {
        for (let around = piece; around; around = around.parentElement) {
            const colour = getComputedStyle(around).backgroundColor;
            if (!colour.endsWith(", 0)")) return colour;
        }
        return "";
    };
    const sample = new Map();
    const look = () => {
        for (const piece of document.body.querySelectorAll("*")) {
            const holdsText = [...piece.childNodes].some(
                (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
            if (!holdsText || !piece.checkVisibility()) continue;
            const {color, fontSize, fontWeight, opacity} = getComputedStyle(piece);
            const kind = [color, under(piece), fontSize, fontWeight, opacity].join();
            if (!sample.has(kind)) sample.set(kind, piece);
        }
    };
    look();
    await turn();
    look();
    const kept = new Set();  // with inputs, for the state of one can colour its label
    for (const piece of [...sample.values(), ...document.querySelectorAll("input")]) {
        for (let each = piece; each; each = each.parentElement) kept.add(each);
    }
    for (const each of kept) {
        if (each.closest("head") || each === document.documentElement) continue;
        each.replaceChildren(...[...each.childNodes].filter(
            (node) => node.nodeType === Node.TEXT_NODE || kept.has(node)));
    }
"""
COLOURS = '["color-contrast", "link-in-text-block"]'
SAY = """(found) => found.violations.map(
    ({id, nodes}) => `${id}: ${nodes.length}, ${nodes[0].html.slice(0, 200)}`)"""


def audit():
    """Expression whose value is the violations of levels A and AA of WCAG, one text for each rule.

    Returns
    -------
    str
    """
    structure = f"""
        found.push(...({SAY})(await axe.run(document, {{
            runOnly: ["wcag2a", "wcag2aa"],
            rules: Object.fromEntries({COLOURS}.map((rule) => [rule, {{enabled: false}}])),
            resultTypes: ["violations"],
        }})));
    """
    colours = f"""
        found.push(...({SAY})(await axe.run(document, {{
            runOnly: {{type: "rule", values: {COLOURS}}},
            resultTypes: ["violations"],
        }})));
    """
    source = (importlib.resources.files(PACKAGE) / "axe.min.js").read_text(encoding="utf-8")
    steps = BOX_FORMULAS + structure + TURN + ONE_OF_EACH + colours + "await turn();" + colours
    return f"{source};\n(async () => {{const found = []; {steps} return found;}})()"
