// What is folded opens for the printer. Browsers open it for a search in the page.
"use strict";

(() => {
    const opened = [];  // perhaps in two steps
    window.addEventListener("beforeprint", () => {
        opened.push(...document.querySelectorAll(".bd-article details:not([open])"));
        for (const piece of opened) piece.open = true;
    });
    window.addEventListener("afterprint", () => {
        for (const piece of opened.splice(0)) piece.open = false;
    });
})();
