// Shows the definition of a term while the pointer or the focus is on its link.
"use strict";

(() => {
    const bubble = document.createElement("span");
    bubble.id = "definition";
    bubble.setAttribute("role", "tooltip");
    bubble.hidden = true;
    let shown = null;

    const hide = () => {
        shown?.removeAttribute("aria-describedby");
        bubble.hidden = true;
        shown = null;
    };

    const show = (link) => {
        hide();
        shown = link;
        bubble.textContent = link.dataset.definition;
        bubble.hidden = false;
        link.setAttribute("aria-describedby", bubble.id);
        const place = link.getBoundingClientRect();
        const width = document.documentElement.clientWidth;
        const left = Math.min(place.left, width - bubble.offsetWidth - 8);
        bubble.style.left = `${Math.max(left, 8) + window.scrollX}px`;
        bubble.style.top = `${place.bottom + 6 + window.scrollY}px`;
    };

    window.addEventListener("DOMContentLoaded", () => {
        document.body.append(bubble);
        for (const link of document.querySelectorAll("a.defined[title]")) {
            link.dataset.definition = link.title;
            link.removeAttribute("title"); // the browser would show it a second time
            for (const event of ["pointerenter", "focus"]) {
                link.addEventListener(event, () => show(link));
            }
            for (const event of ["pointerleave", "blur"]) link.addEventListener(event, hide);
        }
        window.addEventListener("keydown", (event) => {
            if (event.key === "Escape") hide();
        });
    });
})();
