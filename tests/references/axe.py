"""The accessibility of an open page, judged by axe.

axe weighs each element against all others near it, which takes a minute on the page of the package
as it is. So it gets the page without what is there a thousand times: each formula is a box of its
size, and code and signatures are plain text. Colours are judged without it, on the page as it is:
contrast by `faint` in `page_faults.js`, and links in a text are underlined.
"""

import importlib.resources

PACKAGE = "axe_playwright_python"
# The boxes of formulas hold one letter and stay as wide as they are, and displayed formulas keep
# their twins for screen readers, for what scrolls has to take the focus. What is changed while it
# is no part of the page is styled once, not after each change.
SIMPLIFY = """
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
    for (const code of article.querySelectorAll(".highlight pre, .sig > :not(:has(a)), code")) {
        code.replaceChildren(code.textContent);
    }
    around.insertBefore(article, next);
"""
RULES = """{
    runOnly: ["wcag2a", "wcag2aa"],
    rules: {"color-contrast": {enabled: false}, "link-in-text-block": {enabled: false}},
    resultTypes: ["violations"],
}"""
SAY = "({id, nodes}) => `${id}: ${nodes.length}, ${nodes[0].html.slice(0, 200)}`"


def audit():
    """Expression for the violations of levels A and AA of WCAG, one text for each rule."""
    source = (importlib.resources.files(PACKAGE) / "axe.min.js").read_text(encoding="utf-8")
    found = f"(await axe.run(document, {RULES})).violations.map({SAY})"
    return f"{source};\n(async () => {{{SIMPLIFY} return {found};}})()"
