// What the figures share whose arms a reader moves: a plane with arms, sliders, a sentence and a table.
// Each figure is a plan in a file of its own: its axes and sliders, and what to show for which arms.
"use strict";

window.paretoPlane = (() => {
    const SVG = "http://www.w3.org/2000/svg";
    const [WIDTH, LEFT, RIGHT, TOP, BOTTOM] = [480, 58, 22, 12, 44];
    const KEYS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1]};

    const dominates = (a, b) => a[0] >= b[0] && a[1] >= b[1] && (a[0] > b[0] || a[1] > b[1]);

    const paretoSet = (means) => means.map((_, k) => k)
        .filter((k) => !means.some((other) => dominates(other, means[k])));

    const place = (point, digits) => `(${point.map((each) => each.toFixed(digits)).join(", ")})`;

    const add = (parent, name, attributes = {}, text = "") => {
        const space = name === "svg" ? SVG : parent.namespaceURI;
        const element = document.createElementNS(space, name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        element.textContent = text;
        parent.append(element);
        return element;
    };

    const scalesOf = ({low, high}) => {  // both objectives have the same unit
        const unit = (WIDTH - LEFT - RIGHT) / (high[0] - low[0]);
        const floor = TOP + unit * (high[1] - low[1]);
        return {
            height: floor + BOTTOM,
            toPicture: ([x, y]) => [LEFT + unit * (x - low[0]), floor - unit * (y - low[1])],
            toPlane: ([x, y]) => [low[0] + (x - LEFT) / unit, low[1] + (floor - y) / unit],
        };
    };

    const line = (points) => `M${points.map((point) => point.join(" ")).join("L")}`;

    const arrow = (start, end) => {
        const angle = Math.atan2(end[1] - start[1], end[0] - start[0]);
        const barb = (turn) => [end[0] - 9 * Math.cos(angle + turn), end[1] - 9 * Math.sin(angle + turn)];
        return line([start, end]) + line([barb(0.45), end, barb(-0.45)]);
    };

    const drawAxes = (svg, plan, scales) => {
        const ticks = (c) => {
            const count = Math.floor((plan.high[c] - plan.low[c]) / plan.tick + 1e-9);
            return Array.from({length: count + 1}, (_, k) => plan.low[c] + k * plan.tick);
        };
        const [left, floor] = scales.toPicture(plan.low);
        const [right, top] = scales.toPicture(plan.high);
        add(svg, "path", {class: "axes", d: line([[left, top], [left, floor], [right, floor]])});
        for (const tick of ticks(0)) {
            const [x] = scales.toPicture([tick, plan.low[1]]);
            add(svg, "text", {x, y: floor + 16, "text-anchor": "middle"}, tick);
        }
        for (const tick of ticks(1)) {
            const [, y] = scales.toPicture([plan.low[0], tick]);
            add(svg, "text", {x: left - 6, y: y + 4, "text-anchor": "end"}, tick);
        }
        add(svg, "text", {x: (left + right) / 2, y: floor + 36, "text-anchor": "middle"}, "objective 1");
        const turned = `translate(14 ${(top + floor) / 2}) rotate(-90)`;
        add(svg, "text", {transform: turned, "text-anchor": "middle"}, "objective 2");
        // What reaches beyond the axes is cut off.
        const box = {x: left, y: top, width: right - left, height: floor - top};
        return add(svg, "svg", {...box, viewBox: `${left} ${top} ${box.width} ${box.height}`});
    };

    const drawMarks = (layer, marks, scales) => {
        layer.replaceChildren();
        for (const {kind, points, pointed} of marks) {
            const seen = points.map(scales.toPicture);
            const still = pointed && Math.hypot(seen[1][0] - seen[0][0], seen[1][1] - seen[0][1]) < 1;
            const d = pointed ? arrow(...seen) : line(seen);
            if (!still) add(layer, "path", {class: kind, d});
        }
    };

    // An arm is a circle, or a square if its kind says so; a larger circle that is not seen takes the finger.
    const makeArm = (svg, name) => {
        const arm = add(svg, "g", {class: "arm", tabindex: 0, role: "slider", "aria-label": `arm ${name}`});
        add(arm, "circle", {class: "touched", r: 22});
        add(arm, "path", {class: "symbol"});
        add(arm, "text", {x: -9, y: -9, "text-anchor": "end"}, name);
        return arm;
    };

    const ROUND = "M7 0A7 7 0 1 1 -7 0A7 7 0 1 1 7 0Z";
    const SQUARE = "M-6 -6H6V6H-6Z";

    const showArm = (arm, point, kind, plan, scales) => {
        arm.setAttribute("transform", `translate(${scales.toPicture(point).join(" ")})`);
        arm.setAttribute("class", `arm ${kind}`);
        arm.setAttribute("aria-valuenow", point[0]);
        arm.setAttribute("aria-valuetext", `${place(point, plan.digits)}, ${kind}`);
        arm.querySelector(".symbol").setAttribute("d", kind.includes("infeasible") ? SQUARE : ROUND);
    };

    const showTable = (table, head, rows) => {
        table.replaceChildren();
        const names = add(add(table, "thead"), "tr");
        for (const name of head) add(names, "th", {}, name);
        const body = add(table, "tbody");
        for (const [name, ...cells] of rows) {
            const row = add(body, "tr");
            add(row, "th", {scope: "row"}, name);
            for (const cell of cells) add(row, "td", {}, cell);
        }
    };

    const makeSliders = (controls, sliders) => sliders.map(({label, least, most, value}) => {
        const around = add(controls, "label", {}, `${label} `);
        const output = add(around, "output", {}, value);
        const input = add(around, "input", {type: "range", min: least, max: most, step: 1, value});
        input.addEventListener("input", () => { output.textContent = input.value; });
        return input;
    });

    const setSliders = (sliders, values) => values.forEach((value, k) => {
        sliders[k].value = value;
        sliders[k].dispatchEvent(new Event("input"));
    });

    const followPointer = (svg, arm, scales, moveTo) => {
        const follow = ({clientX, clientY}) => {
            const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
            moveTo(scales.toPlane([x, y]));
        };
        // A finger moves the arm and does not scroll the page.
        arm.addEventListener("touchstart", (event) => event.preventDefault(), {passive: false});
        arm.addEventListener("pointerdown", (pressed) => {
            if (pressed.button !== 0) return;
            pressed.preventDefault();  // no text is selected on the way
            arm.focus({preventScroll: true});
            const moving = new AbortController();
            const listen = (type, react) => window.addEventListener(type, (event) => {
                if (event.pointerId === pressed.pointerId) react(event);
            }, {signal: moving.signal});
            listen("pointermove", follow);
            listen("pointerup", () => moving.abort());
            listen("pointercancel", () => moving.abort());
        });
    };

    const build = (figure, usual) => {
        const start = JSON.parse(figure.dataset.start);
        const plan = {...usual, ...start.axes};
        const state = {...start, arms: start.arms.map((arm) => [...arm])};
        state.names ??= state.arms.map((_, k) => String(k));
        const scales = scalesOf(plan);
        const picture = document.createElement("div");
        const svg = add(picture, "svg", {viewBox: `0 0 ${WIDTH} ${scales.height}`, role: "group"});
        svg.setAttribute("aria-label", "Arms in two objectives");
        const layer = drawAxes(svg, plan, scales);
        const arms = state.names.map((name) => makeArm(svg, name));
        const controls = add(picture, "div", {class: "controls"});
        const sliders = makeSliders(controls, plan.sliders(state));
        const said = add(picture, "p", {"aria-live": "polite"});
        const table = add(add(picture, "div", {class: "table-wrap"}), "table");
        const again = add(picture, "button", {type: "button"}, "Start again");

        const update = () => {
            state.chosen = sliders.map((slider) => Number(slider.value));
            const shown = plan.show(state);
            drawMarks(layer, shown.marks, scales);
            arms.forEach((arm, k) => showArm(arm, state.arms[k], shown.kinds[k], plan, scales));
            said.textContent = shown.said;
            showTable(table, plan.head, shown.rows);
        };
        const moveTo = (k, point) => {
            const fraction = 1 / plan.step;  // whole, so that the places on the grid are exact
            state.arms[k] = point.map((value, c) => Math.round(
                Math.min(plan.high[c], Math.max(plan.low[c], value)) * fraction) / fraction);
            update();
        };
        arms.forEach((arm, k) => {
            arm.setAttribute("aria-valuemin", plan.low[0]);
            arm.setAttribute("aria-valuemax", plan.high[0]);
            followPointer(svg, arm, scales, (point) => moveTo(k, point));
            arm.addEventListener("keydown", (event) => {
                if (!(event.key in KEYS)) return;
                event.preventDefault();
                const steps = (event.shiftKey ? 10 : 2) * plan.step;
                moveTo(k, state.arms[k].map((value, c) => value + steps * KEYS[event.key][c]));
            });
        });
        picture.addEventListener("input", update);
        again.addEventListener("click", () => {
            state.arms = start.arms.map((arm) => [...arm]);
            setSliders(sliders, plan.sliders(state).map(({value}) => value));
            update();
        });
        update();
        figure.querySelector("img").replaceWith(picture);
    };

    const play = (plan) => document.addEventListener("DOMContentLoaded", () => {
        for (const figure of document.querySelectorAll(`.play-arms[data-figure=${plan.name}]:has(img)`)) build(figure, plan);
    });

    return {add, arrow, dominates, drawAxes, line, paretoSet, place, play, scalesOf, showTable};
})();
