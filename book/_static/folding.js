// What is folded opens for a link into it and for the printer. Browsers open it for a search in the page.
"use strict";

(() => {
    const open = (piece) => {
        for (let around = piece; around; around = around.parentElement?.closest("details")) {
            if (around.tagName === "DETAILS") around.open = true;
        }
    };

    const named = (hash) => {
        try {
            return decodeURIComponent(hash.slice(1));
        } catch {
            return hash.slice(1);  // a per cent sign that encodes nothing
        }
    };

    const follow = () => {
        const wanted = document.getElementById(named(location.hash));
        if (!wanted?.closest("details")) return;
        open(wanted.closest("details"));
        wanted.scrollIntoView();
    };

    const opened = [];  // for the printer, perhaps in two steps
    window.addEventListener("beforeprint", () => {
        opened.push(...document.querySelectorAll(".bd-article details:not([open])"));
        for (const piece of opened) piece.open = true;
    });
    window.addEventListener("afterprint", () => {
        for (const piece of opened.splice(0)) piece.open = false;
    });
    // The same link a second time does not change the address.
    document.addEventListener("click", ({target}) => {
        const link = target.closest("a[href*='#']");
        if (link?.href === location.href) follow();
    });
    window.addEventListener("hashchange", follow);
    window.addEventListener("load", follow);
})();
