// What scrolls by itself takes the focus, so that the keys can scroll it.
"use strict";

(() => {
    const CANDIDATES = ".bd-article :is(mjx-container, .math, .cell_output, .table-wrap, pre, p)";

    const scrolls = (piece) => piece.scrollWidth > piece.clientWidth && piece.clientWidth > 0
        && ["auto", "scroll"].includes(getComputedStyle(piece).overflowX);

    const update = () => {  // looks at all before it changes any, so that the page is laid out once
        const pieces = [...document.querySelectorAll(CANDIDATES)];
        const scrolling = new Set(pieces.filter(scrolls));
        for (const piece of pieces) {
            if (scrolling.has(piece)) piece.tabIndex = 0; else piece.removeAttribute("tabindex");
        }
    };

    // A window of a new size, and what is unfolded, change the size of the article.
    const watch = () => {
        const article = document.querySelector(".bd-article");
        if (article) new ResizeObserver(update).observe(article);
    };

    window.addEventListener("load", () => {
        (window.MathJax?.startup?.promise ?? Promise.resolve()).then(watch);
    });
})();
