// The figure "The race": several rules on the same rewards, of which a reader plays the samples one by one.
"use strict";

(() => {
    const {add, arrow, drawAxes, line, scalesOf} = window.paretoPlane;
    const {STATUS, answerOf, followAll, inWords, radius, thresholdAt} = window.paretoRace;
    const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, FLOOR] = [480, 190, 40, 468, 8, 150];  // of the chart
    const SPEEDS = {slow: 15, normal: 60, fast: 240};  // samples a second
    const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");

    const makePlane = (parent, {means, labels}) => {
        const edge = (c, sign) => sign * Math.ceil(Math.max(...means.map((mean) => sign * mean[c])) + 0.9);
        const plan = {low: [edge(0, -1), edge(1, -1)], high: [edge(0, 1), edge(1, 1)], tick: 1};
        const scales = scalesOf(plan);
        const svg = add(parent, "svg", {viewBox: `0 0 ${WIDTH} ${scales.height}`, role: "img"});
        svg.setAttribute("aria-label", "True means, estimates with their boxes, and the closest wrong answer");
        const layer = drawAxes(svg, plan, scales);
        for (const mean of means) {
            const [x, y] = scales.toPicture(mean);
            add(layer, "path", {class: "truth", d: `M${x - 7} ${y}H${x + 7}M${x} ${y - 7}V${y + 7}`});
        }
        const arms = labels.map((label) => {
            const arm = add(layer, "g");
            return {
                arm,
                box: add(arm, "rect"),
                symbol: add(arm, "circle", {class: "symbol", r: 6}),
                name: add(arm, "text", {"text-anchor": "end"}, label),
            };
        });
        return {scales, arms, change: add(layer, "path", {class: "change"})};
    };

    const set = (element, attributes) => {
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    };

    const showArm = ({arm, box, symbol, name}, mean, half, scales) => {
        arm.toggleAttribute("hidden", mean === null);
        if (mean === null) return;
        const [x, y] = scales.toPicture(mean);
        const [left, top] = scales.toPicture([mean[0] - half, mean[1] + half]);
        set(box, {x: left, y: top, width: 2 * (x - left), height: 2 * (y - top)});
        set(symbol, {cx: x, cy: y});
        set(name, {x: x - 9, y: y - 9});
    };

    const showPlane = ({scales, arms, change}, race, rule, time) => {
        const state = rule.at(time);
        const answer = answerOf(state);
        arms.forEach((parts, k) => {
            const decided = state.status[k] === "." ? "open" : "decided";
            set(parts.arm, {class: `arm ${answer.includes(k) ? "optimal" : "dominated"} ${decided}`});
            showArm(parts, state.means[k], radius(state.counts[k], race.delta), scales);
        });
        const ends = time < rule.stop && state.closest
            ? state.means.map((mean, k) => [mean, state.closest.alternative[k]].map(scales.toPicture)) : [];
        const moved = ends.filter(([from, to]) => Math.hypot(to[0] - from[0], to[1] - from[1]) > 1);
        set(change, {d: moved.map(([from, to]) => arrow(from, to)).join("")});
    };

    // One curve of evidence for each rule, seen up to the present.
    const makeChart = (parent, {delta}, rules, longest) => {
        const all = rules.flatMap((rule) => Array.from({length: rule.stop}, (_, t) => rule.at(t + 1).evidence));
        const most = 1.05 * Math.max(...all, thresholdAt(longest, delta));
        const x = (time) => LEFT + time / longest * (RIGHT - LEFT);
        const y = (nats) => FLOOR - nats / most * (FLOOR - TOP);
        const svg = add(parent, "svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img"});
        svg.setAttribute("aria-label", "Evidence against the closest wrong answer over samples, and the threshold");
        add(svg, "path", {class: "axes", d: line([[LEFT, TOP], [LEFT, FLOOR], [RIGHT, FLOOR]])});
        for (let nats = 0; nats < most; nats += 2) {
            add(svg, "text", {x: LEFT - 6, y: y(nats) + 4, "text-anchor": "end"}, nats);
        }
        for (let time = 0; time <= longest; time += 200) {
            add(svg, "text", {x: x(time), y: FLOOR + 16, "text-anchor": "middle"}, time);
        }
        add(svg, "text", {x: WIDTH / 2, y: FLOOR + 34, "text-anchor": "middle"}, "samples");
        const upwards = `translate(11 ${(TOP + FLOOR) / 2}) rotate(-90)`;
        add(svg, "text", {transform: upwards, "text-anchor": "middle"}, "evidence (nats)");
        const later = Array.from({length: longest - 5}, (_, k) => k + 6);
        const threshold = later.map((time) => [x(time), y(thresholdAt(time, delta))]);
        add(svg, "path", {class: "threshold", d: line(threshold)});
        add(svg, "text", {x: RIGHT, y: threshold.at(-1)[1] - 6, "text-anchor": "end"}, "threshold");
        const past = add(add(svg, "clipPath", {id: "race-past"}), "rect", {x: LEFT, y: 0, height: HEIGHT});
        const layer = add(svg, "g", {"clip-path": "url(#race-past)"});
        const curves = rules.map((rule) => add(layer, "path", {d: line(
            Array.from({length: rule.stop + 1}, (_, time) => [x(time), y(rule.at(time).evidence)]))}));
        return {x, y, past, curves, now: add(svg, "circle", {r: 5})};
    };

    const showChart = ({x, y, past, curves, now}, rules, chosen, time) => {
        set(past, {width: x(time) - LEFT});
        curves.forEach((curve, k) => curve.setAttribute("class", k === chosen ? "chosen" : "other"));
        const seen = Math.min(time, rules[chosen].stop);
        set(now, {cx: x(seen), cy: y(rules[chosen].at(seen).evidence)});
    };

    // Samples and status of each arm.
    const makeTable = (parent, {labels}) => {
        const table = add(parent, "table");
        const head = add(add(table, "thead"), "tr");
        for (const name of ["arm", "samples", "", "status"]) add(head, "th", {}, name);
        const body = add(table, "tbody");
        return labels.map((label) => {
            const row = add(body, "tr");
            add(row, "th", {scope: "row"}, label);
            const count = add(row, "td", {class: "number"});
            const bar = add(add(row, "td", {class: "bars"}), "span", {class: "bar"});
            return {count, bar, status: add(row, "td")};
        });
    };

    const showTable = (rows, most, {counts, status}) => rows.forEach((row, k) => {
        row.count.textContent = counts[k];
        row.bar.style.width = `${100 * counts[k] / most}%`;
        row.status.textContent = STATUS[status[k]];
    });

    // One line for each rule: a choice, how far it is, and where it has stopped.
    const makeLanes = (parent, rules, longest) => {
        const around = add(parent, "fieldset", {class: "lanes"});
        add(around, "legend", {}, "Rule that is shown");
        return rules.map((rule, k) => {
            const label = add(around, "label");
            const input = add(label, "input", {type: "radio", name: "race-rule", value: k});
            add(label, "span", {class: "name"}, rule.name);
            const bar = add(add(label, "span", {class: "track"}), "span", {class: "bar"});
            const state = add(label, "span", {class: "state"});
            const show = (time) => {
                bar.style.width = `${100 * Math.min(time, rule.stop) / longest}%`;
                bar.classList.toggle("stopped", time >= rule.stop);
                state.textContent = time >= rule.stop ? `stopped at ${rule.stop}` : "";
            };
            return {input, show};
        });
    };

    const makeControls = (parent, longest) => {
        const controls = add(parent, "div", {class: "clock"});
        const button = (text, name) => add(controls, "button", {type: "button", "aria-label": name, title: name}, text);
        const back = button("−1", "One sample back");
        const play = button("Play", "Play");
        const step = button("+1", "One more sample");
        const speed = add(add(controls, "label", {}, "Speed "), "select");
        for (const name of Object.keys(SPEEDS)) add(speed, "option", {value: name}, name);
        speed.value = "normal";
        const around = add(controls, "label", {class: "time"}, "Samples of each rule ");
        const output = add(around, "output", {"aria-live": "off"});  // the slider says the same
        const slider = add(around, "input", {type: "range", min: 0, max: longest, step: 1});
        return {back, play, step, speed, slider, output};
    };

    // Moves the slider while it plays: in each frame, or once a second where motion is unwelcome.
    const makeClock = ({play, speed, slider}, moveTo) => {
        let [playing, since, from, frame] = [false, 0, 0, 0];
        const setPlaying = (value) => {
            playing = value;
            cancelAnimationFrame(frame);
            play.textContent = playing ? "Pause" : "Play";
            set(play, {"aria-label": play.textContent, title: play.textContent});
        };
        const restart = (now) => { [since, from] = [now, Number(slider.value)]; };
        const tick = (now) => {
            const wanted = from + Math.floor((now - since) / 1000 * SPEEDS[speed.value]);
            const wait = STILL.matches && now - since < 1000;
            if (!wait && wanted > Number(slider.value)) moveTo(Math.min(wanted, Number(slider.max)));
            if (!wait && STILL.matches) restart(now);
            if (slider.value !== slider.max) {
                frame = requestAnimationFrame(tick);
            } else {
                setPlaying(false);
                moveTo(Number(slider.value));  // so that the end is spoken
            }
        };
        play.addEventListener("click", () => {
            setPlaying(!playing);
            if (!playing) return moveTo(Number(slider.value));
            if (slider.value === slider.max) moveTo(0);
            restart(performance.now());
            frame = requestAnimationFrame(tick);
        });
        speed.addEventListener("change", () => restart(performance.now()));
        return {isPlaying: () => playing, pause: () => setPlaying(false)};
    };

    const build = (figure) => {
        const race = JSON.parse(figure.dataset.race);
        const rules = followAll(race);
        const longest = Math.max(...rules.map((rule) => rule.stop));
        const most = Math.max(...rules.flatMap((rule) => rule.at(rule.stop).counts));
        const board = document.createElement("div");
        const controls = makeControls(board, longest);
        const said = add(board, "p", {class: "said"});
        const columns = add(board, "div", {class: "columns"});
        const plane = makePlane(columns, race);
        const right = add(columns, "div");
        const lanes = makeLanes(right, rules, longest);
        const chart = makeChart(right, race, rules, longest);
        const rows = makeTable(right, race);

        const moveTo = (time) => {
            controls.slider.value = time;
            controls.output.textContent = time;
            const chosen = lanes.findIndex(({input}) => input.checked);
            lanes.forEach(({show}) => show(time));
            showPlane(plane, race, rules[chosen], time);
            showChart(chart, rules, chosen, time);
            showTable(rows, most, rules[chosen].at(time));
            said.setAttribute("aria-live", clock.isPlaying() ? "off" : "polite");
            said.textContent = inWords(race, rules[chosen], time);
        };
        const clock = makeClock(controls, moveTo);
        const goTo = (time) => {
            clock.pause();
            moveTo(Math.min(longest, Math.max(0, time)));
        };
        const now = () => Number(controls.slider.value);
        controls.slider.addEventListener("input", () => goTo(now()));
        controls.back.addEventListener("click", () => goTo(now() - 1));
        controls.step.addEventListener("click", () => goTo(now() + 1));
        for (const {input} of lanes) input.addEventListener("change", () => moveTo(now()));
        lanes[race.chosen].input.checked = true;
        moveTo(rules[race.chosen].stop);  // what a rule has found is seen at once
        figure.querySelector("img").replaceWith(board);
    };

    document.addEventListener("DOMContentLoaded", () => {
        for (const figure of document.querySelectorAll(".play-race:has(img)")) build(figure);
    });
})();
