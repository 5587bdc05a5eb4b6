// What scrolls by itself takes the focus, so that the keys can scroll it.
"use strict";

(() => {
    const CANDIDATES = ".bd-article :is(mjx-container, .math, .cell_output, .table-wrap, pre, p)";

    const update = () => {
        for (const piece of document.querySelectorAll(CANDIDATES)) {
            const scrolls = piece.scrollWidth > piece.clientWidth && piece.clientWidth > 0
                && ["auto", "scroll"].includes(getComputedStyle(piece).overflowX);
            if (scrolls) piece.tabIndex = 0; else piece.removeAttribute("tabindex");
        }
    };

    window.addEventListener("load", () => {
        (window.MathJax?.startup?.promise ?? Promise.resolve()).then(update);
        window.addEventListener("resize", update);
    });
})();
