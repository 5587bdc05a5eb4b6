// A table from which a reader chooses: rows that do not fit the answers are hidden.
"use strict";

// Each table of a page brings this script: those that it has made ready are left alone.
for (const figure of document.querySelectorAll(".play-choice:has(.controls[hidden])")) {
    const boxes = [...figure.querySelectorAll("select")];
    const rows = [...figure.querySelectorAll("tbody tr")];
    const heads = [...figure.querySelectorAll("th")];

    const update = () => {
        const fits = (row) => boxes.every(
            (box, k) => box.value === "" || box.value === row.cells[k].textContent);
        for (const row of rows) row.hidden = !fits(row);
        figure.querySelector(".none").hidden = rows.some((row) => !row.hidden);
        boxes.forEach((box, k) => {  // a column that says what was just answered
            for (const cell of [heads[k], ...rows.map((row) => row.cells[k])]) {
                cell.hidden = box.value !== "";
            }
        });
    };

    figure.querySelector(".controls").hidden = false;
    for (const box of boxes) box.addEventListener("change", update);
    update();
    // A browser that comes back to a page may give the answers of the last visit.
    window.addEventListener("pageshow", update);
}
