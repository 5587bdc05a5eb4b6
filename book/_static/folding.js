// What is folded opens for a link into it, for a search in the page, and for the printer.
"use strict";

(() => {
    const open = (piece) => {
        for (let around = piece; around; around = around.parentElement?.closest("details")) {
            if (around.tagName === "DETAILS") around.open = true;
        }
    };

    const follow = () => {
        const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        if (!wanted?.closest("details")) return;
        open(wanted.closest("details"));
        wanted.scrollIntoView();
    };

    let closed = [];
    window.addEventListener("beforeprint", () => {
        closed = [...document.querySelectorAll(".bd-article details:not([open])")];
        for (const piece of closed) piece.open = true;
    });
    window.addEventListener("afterprint", () => {
        for (const piece of closed) piece.open = false;
    });
    window.addEventListener("hashchange", follow);
    window.addEventListener("load", follow);
})();
