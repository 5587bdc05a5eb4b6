// Pictures in a row: a slider shows one of them, and a button all, one after the other.
"use strict";

// Each figure of a page brings this script: those that it has made ready are left alone.
for (const figure of document.querySelectorAll(".play-frames:not(.playing)")) {
    const frames = [...figure.querySelectorAll(".frame")];
    if (frames.length < 2) continue;  // nothing to play
    const slider = figure.querySelector("input");
    const output = figure.querySelector("output");
    const button = figure.querySelector("button");
    const SECOND = 1000;
    let timer = null;

    const show = (number) => {
        slider.value = number;
        frames.forEach((frame, k) => frame.classList.toggle("shown", k === number));
        output.textContent = `${number + 1} of ${frames.length}`;
        slider.setAttribute("aria-valuetext", output.textContent);
    };

    const pause = () => {
        clearInterval(timer);
        timer = null;
        button.textContent = "▶";
        button.setAttribute("aria-label", "play");
    };

    const play = () => {
        if (Number(slider.value) === frames.length - 1) show(0);
        button.textContent = "⏸";
        button.setAttribute("aria-label", "pause");
        timer = setInterval(() => {
            show(Number(slider.value) + 1);
            if (Number(slider.value) === frames.length - 1) pause();
        }, SECOND);
    };

    figure.querySelector(".controls").hidden = false;
    figure.classList.add("playing");
    output.setAttribute("aria-live", "off");  // the slider says the same
    slider.addEventListener("input", () => {
        pause();
        show(Number(slider.value));
    });
    button.addEventListener("click", () => (timer === null ? play() : pause()));
    show(0);
    // A browser that comes back to a page may set its sliders as they were.
    window.addEventListener("pageshow", () => show(Number(slider.value)));
}
