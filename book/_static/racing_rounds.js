// The figure "An optimal arm that has to stay": Racing on given rewards, round by round, with its fourth step or without.
// With it the same numbers as pareto_core.Racing, with which a test compares them.
"use strict";

(() => {
    const {add, arrow, drawAxes, scalesOf} = window.paretoPlane;
    const [WIDTH, UNIT] = [480, 1000];  // of the picture; rewards are thousandths
    const PLAN = {low: [-1, -1], high: [4, 4], tick: 1};

    // Average, sum of squared deviations and confidence radius of an arm after its n-th reward.
    const observe = ({mean, scatter}, reward, n, constant) => {
        const next = mean.map((value, c) => value + (reward[c] - value) / n);
        const spread = scatter.map((value, c) => value + (reward[c] - mean[c]) * (reward[c] - next[c]));
        const level = constant + Math.log(n);
        const radius = spread.map((value) => {
            const variance = Math.sqrt(4 * level / n) + (n > 1 ? value / (n - 1) : 0);
            return Math.sqrt(2 * variance * level / n);
        });
        return {mean: next, scatter: spread, radius};
    };

    // Steps 2 to 5 of Racing with accuracy 0. `neededFor`: the arms for which each arm that is sure has to stay.
    const decide = (arms, active, waits) => {
        const ahead = (a, b) => [0, 1].map((c) =>
            arms[a].mean[c] - arms[b].mean[c] > Math.hypot(arms[a].radius[c], arms[b].radius[c]));
        const everywhere = (a, b) => ahead(a, b).every(Boolean);
        const somewhere = (a, b) => ahead(a, b).some(Boolean);
        const remaining = active.filter((i) => !active.some((j) => everywhere(j, i)));
        const sure = remaining.filter((i) => remaining.every((j) => j === i || somewhere(i, j)));
        const open = remaining.filter((i) => !sure.includes(i));
        const neededFor = arms.map((_, j) => waits && sure.includes(j) ? open.filter((i) => !somewhere(i, j)) : []);
        const leaving = sure.filter((j) => neededFor[j].length === 0);
        return {remaining, sure, neededFor, leaving, staying: remaining.filter((i) => !leaving.includes(i))};
    };

    // What each round has measured and decided, until no arm is active.
    const follow = ({rewards, delta}, waits) => {
        const constant = Math.log(2 * rewards.length / delta);
        let arms = rewards.map(() => ({mean: [0, 0], scatter: [0, 0], radius: [Infinity, Infinity]}));
        let [active, accepted, eliminated] = [rewards.map((_, k) => k), [], []];
        const rounds = [];
        for (let n = 1; active.length > 0 && 2 * n <= rewards[0].length; n++) {
            arms = arms.map((arm, k) => {
                const reward = rewards[k].slice(2 * n - 2, 2 * n).map((value) => value / UNIT);
                return active.includes(k) ? observe(arm, reward, n, constant) : arm;
            });
            const decided = decide(arms, active, waits);
            accepted = [...accepted, ...decided.leaving];
            eliminated = [...eliminated, ...active.filter((k) => !decided.remaining.includes(k))];
            rounds.push({arms, active, accepted, eliminated, ...decided});
            active = decided.staying;
        }
        return rounds;
    };
    window.paretoRacing = follow;

    const isWaiting = (round, k) => round.staying.includes(k) && round.sure.includes(k);

    const statusOf = (race, rounds, n, k) => {
        const round = rounds[n - 1];
        if (isWaiting(round, k)) {
            return `certainly optimal, needed for ${round.neededFor[k].map((i) => race.labels[i]).join(", ")}`;
        }
        if (round.staying.includes(k)) return "open";
        const left = 1 + rounds.findIndex(({staying}) => !staying.includes(k));
        return `${round.accepted.includes(k) ? "accepted" : "eliminated"} in round ${left}`;
    };

    const inWords = ({labels, optimal}, rounds, n) => {
        const {accepted, sure, staying, neededFor} = rounds[n - 1];
        const names = (arms) => [...arms].sort((a, b) => a - b).map((k) => labels[k]).join(", ").replace(/, (\w+)$/, " and $1");
        if (staying.length === 0) {
            const wrong = accepted.filter((k) => !optimal.includes(k));
            const verdict = wrong.length ? `wrong: ${names(wrong)} ${wrong.length > 1 ? "are" : "is"} dominated` : "right";
            return `The race ends after round ${n}. Its answer ${names(accepted)} is ${verdict}.`;
        }
        const waiting = sure.filter((k) => staying.includes(k));
        if (waiting.length === 0) return `In round ${n} no arm has to wait.`;
        const reasons = waiting.map((k) => `${labels[k]}, without which ${names(neededFor[k])} might not be eliminated`);
        return `In round ${n}, certainly optimal but still sampled: ${reasons.join("; ")}.`;
    };

    const set = (element, attributes) => {
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    };

    const makePlane = (parent, {labels}) => {
        const scales = scalesOf(PLAN);
        const svg = add(parent, "svg", {viewBox: `0 0 ${WIDTH} ${scales.height}`, role: "img"});
        svg.setAttribute("aria-label", "Averages in boxes, and arrows from arms that wait to those that they are needed for");
        const layer = drawAxes(svg, PLAN, scales);
        const arms = labels.map((label) => {
            const around = add(layer, "g");
            const [box, symbol] = [add(around, "rect"), add(around, "circle", {class: "symbol", r: 6})];
            return {around, box, symbol, name: add(around, "text", {"text-anchor": "end"}, label)};
        });
        return {scales, arms, change: add(layer, "path", {class: "change"})};
    };

    const showPlane = ({scales, arms, change}, round) => {
        arms.forEach(({around, box, symbol, name}, k) => {
            const {mean, radius} = round.arms[k];
            const optimal = round.sure.includes(k) || round.accepted.includes(k);
            const stays = round.staying.includes(k);
            set(around, {class: `arm ${optimal ? "optimal" : "dominated"}${stays ? "" : " gone"}`});
            const [x, y] = scales.toPicture(mean);
            const [left, top] = scales.toPicture([mean[0] - radius[0], mean[1] + radius[1]]);
            set(box, {x: left, y: top, width: 2 * (x - left), height: 2 * (y - top)});
            set(symbol, {cx: x, cy: y});
            set(name, {x: x - 9, y: y - 9});
        });
        const at = (k) => scales.toPicture(round.arms[k].mean);
        const pairs = round.staying.flatMap((k) => round.neededFor[k].map((i) => arrow(at(k), at(i))));
        set(change, {d: pairs.join("")});
    };

    // For each arm a bar: rounds in which it was open, and in which it was certainly optimal and had to stay.
    const makeTable = (parent, {labels}) => {
        const table = add(parent, "table");
        const head = add(add(table, "thead"), "tr");
        for (const name of ["arm", "samples", "", "status"]) add(head, "th", {}, name);
        const body = add(table, "tbody");
        return labels.map((label) => {
            const row = add(body, "tr");
            add(row, "th", {scope: "row"}, label);
            const count = add(row, "td", {class: "number"});
            const cell = add(row, "td", {class: "bars"});
            const [open, waits] = ["bar open", "bar waits"].map((name) => add(cell, "span", {class: name}));
            return {count, open, waits, status: add(row, "td")};
        });
    };

    const showTable = (rows, race, rounds, n, longest) => rows.forEach(({count, open, waits, status}, k) => {
        const past = rounds.slice(0, n);
        const samples = past.filter(({active}) => active.includes(k)).length;
        const waited = past.filter((round) => isWaiting(round, k)).length;
        count.textContent = samples;
        open.style.width = `${100 * (samples - waited) / longest}%`;
        waits.style.width = `${100 * waited / longest}%`;
        status.textContent = statusOf(race, rounds, n, k);
    });

    const makeControls = (parent) => {
        const controls = add(parent, "div", {class: "clock"});
        const button = (text, name) => add(controls, "button", {type: "button", "aria-label": name, title: name}, text);
        const buttons = {
            back: button("−1", "One round back"), step: button("+1", "One more round"),
            next: button("Next change", "Next round that changes the status of an arm"),
        };
        const around = add(controls, "label", {class: "time"}, "Round ");
        const output = add(around, "output", {"aria-live": "off"});  // the slider says the same
        const slider = add(around, "input", {type: "range", min: 1, step: 1});
        const choice = add(controls, "label");
        const hasty = add(choice, "input", {type: "checkbox"});
        add(choice, "span", {}, " Accept an arm as soon as it is certainly optimal (without step 4)");
        return {...buttons, slider, output, hasty};
    };

    const build = (figure) => {
        const race = JSON.parse(figure.dataset.race);
        const runs = [follow(race, true), follow(race, false)];
        const longest = Math.max(...runs.map((rounds) => rounds.length));
        const board = document.createElement("div");
        const controls = makeControls(board);
        const {slider, output, hasty} = controls;
        const said = add(board, "p", {class: "said", "aria-live": "polite"});
        const columns = add(board, "div", {class: "columns"});
        const plane = makePlane(columns, race);
        const rows = makeTable(add(columns, "div", {class: "table-wrap"}), race);

        const rounds = () => runs[Number(hasty.checked)];
        const statuses = (n) => race.labels.map((_, k) => statusOf(race, rounds(), n, k)).join();
        const goTo = (wanted) => {
            slider.max = rounds().length;
            const n = Math.min(rounds().length, Math.max(1, wanted));
            slider.value = n;
            output.textContent = `${n} of ${rounds().length}`;
            slider.setAttribute("aria-valuetext", output.textContent);
            showPlane(plane, rounds()[n - 1]);
            showTable(rows, race, rounds(), n, longest);
            said.textContent = inWords(race, rounds(), n);
        };
        const now = () => Number(slider.value);
        const nextChange = () => {
            let n = now();
            while (n < rounds().length && statuses(n) === statuses(now())) n += 1;
            return n;
        };
        slider.addEventListener("input", () => goTo(now()));
        hasty.addEventListener("change", () => goTo(now()));
        controls.back.addEventListener("click", () => goTo(now() - 1));
        controls.step.addEventListener("click", () => goTo(now() + 1));
        controls.next.addEventListener("click", () => goTo(nextChange()));
        goTo(race.first);
        figure.querySelector("img").replaceWith(board);
    };

    document.addEventListener("DOMContentLoaded", () => {
        for (const figure of document.querySelectorAll(".play-rounds:has(img)")) build(figure);
    });
})();
