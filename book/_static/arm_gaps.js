// The figure "What the gaps are": the sub-optimality gaps of arms in two objectives, and what each comes from.
// The same numbers as pareto_core.gaps, with which a test compares them.
"use strict";

(() => {
    const {paretoSet, place, play} = window.paretoPlane;

    // By how much a is ahead of b in the objective where it is furthest ahead: M(a, b). m(a, b) is -M(a, b).
    const lead = (a, b) => Math.max(a[0] - b[0], a[1] - b[1]);
    const smallest = (ways) => ways.reduce((best, way) => way.gap < best.gap ? way : best);

    // The gap of a dominated arm counts `factor` times in that of an optimal arm: twice for Auer et al. (2016).
    const gapsOf = (means, factor = 1) => {
        const optimal = paretoSet(means);
        const dominated = means.map((_, k) => k).filter((k) => !optimal.includes(k));
        const found = Array(means.length);
        for (const i of dominated) {
            const ways = optimal.map((j) => ({gap: -lead(means[i], means[j]), kind: "m", pair: [i, j]}));
            found[i] = ways.reduce((best, way) => way.gap > best.gap ? way : best);
        }
        for (const i of optimal) {
            const ways = [];
            for (const j of optimal.filter((other) => other !== i)) {
                for (const pair of [[i, j], [j, i]]) {
                    ways.push({gap: lead(means[pair[0]], means[pair[1]]), kind: "M", pair});
                }
            }
            for (const j of dominated) {
                ways.push({gap: Math.max(lead(means[j], means[i]), 0) + factor * found[j].gap, kind: "M+", pair: [j, i]});
            }
            found[i] = smallest(ways);
        }
        return {optimal, gaps: found};
    };
    window.paretoGaps = gapsOf;

    // From the second arm of the pair towards the first, in the objective where the first is furthest ahead.
    const leadMark = (means, [a, b]) => {
        const c = means[a][0] - means[b][0] >= means[a][1] - means[b][1] ? 0 : 1;
        const end = [...means[b]];
        end[c] = Math.max(means[a][c], means[b][c]);
        return {kind: "lead", points: [means[b], end], pointed: true};
    };

    const formula = ({kind, pair}, names, factor) => {
        const [a, b] = pair.map((k) => names[k]);
        if (kind !== "M+") return `${kind}(${a}, ${b})`;
        return `M(${a}, ${b})⁺ + ${factor === 1 ? "" : `${factor} × `}gap of ${a}`;
    };

    const show = ({arms, names, factor = 1}) => {
        const {optimal, gaps} = gapsOf(arms, factor);
        const kinds = arms.map((_, k) => optimal.includes(k) ? "optimal" : "dominated");
        const rises = ([x, y], gap) => ({kind: "change", points: [[x, y], [x + gap, y + gap]], pointed: true});
        const least = smallest(gaps);
        return {
            kinds,
            marks: arms.map((arm, k) => kinds[k] === "dominated"
                ? rises(arm, gaps[k].gap) : leadMark(arms, gaps[k].pair)),
            said: `Pareto set: ${optimal.map((k) => names[k]).join(", ")}. The smallest gap, that of arm `
                + `${names[gaps.indexOf(least)]}, is ${least.gap.toFixed(2)}.`,
            rows: arms.map((arm, k) => [
                names[k], place(arm, 2), kinds[k], gaps[k].gap.toFixed(2), formula(gaps[k], names, factor),
            ]),
        };
    };

    play({
        name: "arm_gaps",
        low: [1, 1], high: [5, 3], tick: 0.5, step: 0.05, digits: 2,
        head: ["arm", "means", "status", "gap Δ", "formula"],
        sliders: () => [],
        show,
    });
})();
