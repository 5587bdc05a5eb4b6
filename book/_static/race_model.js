// The figure "The race": what is known after each sample of each rule.
// Counts, means, boxes, the evidence and its threshold are computed here, and a test compares them with those
// of pareto_core; what Racing and APE have decided about an arm is in the data.
"use strict";

window.paretoRace = (() => {
    const {paretoSet} = window.paretoPlane;
    const STATUS = {".": "open", "+": "optimal", "w": "optimal, but needed", "-": "dominated"};
    const DECIDES_ARMS = ["Racing", "APE"];  // the others stop by the evidence

    const thresholdAt = (time, delta) => Math.log(Math.log(1 + time) / delta);

    // Half the side of a box: the radius of Racing that grows with the iterated logarithm.
    const radius = (count, delta) => {
        const x = Math.log(1 / delta);
        return Math.sqrt((2 * x + 3 * Math.max(Math.log(x), 0) + 2 * Math.log(1 + Math.log(count))) / count);
    };

    // The evidence against the closest wrong answer, once each arm has a sample.
    const evidenceOf = (means, counts, time) => {
        if (means.includes(null)) return {evidence: 0, closest: null};
        const closest = window.paretoAlternative(means, counts.map((each) => each / time));
        return {evidence: time * closest.value, closest};
    };

    const follow = ({labels, rewards}, {name, arms, statuses}) => {
        const counts = labels.map(() => 0);
        const sums = labels.map(() => [0, 0]);  // of hundredths, exact
        const states = [{counts: [...counts], means: labels.map(() => null), evidence: 0, closest: null}];
        for (const letter of arms) {
            const k = labels.indexOf(letter);
            const n = counts[k]++;
            for (const c of [0, 1]) sums[k][c] += rewards[k][2 * n + c];
            const means = sums.map((sum, i) => counts[i] ? sum.map((each) => each / 100 / counts[i]) : null);
            states.push({counts: [...counts], means, ...evidenceOf(means, counts, states.length)});
        }
        const statusAt = (time) => statuses.reduce(
            (found, [since, status]) => since <= time ? status : found, ".".repeat(labels.length));
        states.forEach((state, time) => { state.status = statusAt(time); });
        return {name, stop: arms.length, at: (time) => states[Math.min(time, arms.length)]};
    };

    // The estimated Pareto set while an arm is open, and the answer of the rule in the end.
    const answerOf = ({means, status}) => {
        if (means.includes(null)) return [];
        if (status.includes(".")) return paretoSet(means);
        return means.map((_, k) => k).filter((k) => status[k] !== "-");
    };

    const inWords = ({labels, means, delta}, rule, time) => {
        const state = rule.at(time);
        if (state.closest === null) return "First, each arm is sampled once.";
        const answer = answerOf(state);
        const names = answer.map((k) => labels[k]).join(", ");
        if (time >= rule.stop) {
            const right = String(answer) === String(paretoSet(means)) ? "right" : "wrong";
            return `${rule.name} stopped after ${rule.stop} samples and answers ${names}, which is ${right}.`;
        }
        const {kind, freed, loser, winner} = state.closest;
        const wrong = kind === "addition"
            ? `that ${labels[freed]} is optimal` : `that ${labels[winner]} dominates ${labels[loser]}`;
        const decided = [...state.status].filter((each) => each !== ".").length;
        const stop = DECIDES_ARMS.includes(rule.name)
            ? `${rule.name} has decided ${decided} of ${labels.length} arms`
            : `${rule.name} stops at ${thresholdAt(time, delta).toFixed(2)}`;
        return `After ${time} samples the estimates say ${names}. The closest wrong answer is ${wrong}; `
            + `the evidence against it is ${state.evidence.toFixed(2)}, and ${stop}.`;
    };

    const followAll = (race) => race.rules.map((rule) => follow(race, rule));

    return {STATUS, answerOf, followAll, inWords, radius, thresholdAt};
})();
