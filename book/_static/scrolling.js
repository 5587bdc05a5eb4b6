// What scrolls by itself takes the focus, so that the keys can scroll it.
"use strict";

(() => {
    const CANDIDATES =
        ".bd-article :is(mjx-container, .math, .cell_output, .table-wrap, .frame, pre, p)";

    const scrolls = (piece) => piece.scrollWidth > piece.clientWidth && piece.clientWidth > 0
        && ["auto", "scroll"].includes(getComputedStyle(piece).overflowX);

    const update = () => {  // looks at all before it changes any, so that the page is laid out once
        const pieces = [...document.querySelectorAll(CANDIDATES)];
        const scrolling = new Set(pieces.filter(scrolls));
        for (const piece of pieces) {
            if (scrolling.has(piece)) piece.tabIndex = 0; else piece.removeAttribute("tabindex");
        }
    };

    // A window of a new size, and what is unfolded, change the size of the article; a picture in a
    // row has a size while it is shown.
    const watch = () => {
        const observer = new ResizeObserver(update);
        for (const each of document.querySelectorAll(".bd-article, .frame")) observer.observe(each);
    };

    window.addEventListener("load", () => {
        (window.MathJax?.startup?.promise ?? Promise.resolve()).then(watch);
    });
})();
