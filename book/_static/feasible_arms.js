// The figure "What is each arm called?": arms in two objectives, and three limits that feasible ones keep.
// The same answers as in pareto_core.geometry.partition, with which a test compares them.
"use strict";

(() => {
    const {dominates, paretoSet, place, play} = window.paretoPlane;

    const answersFor = (means, [least1, least2, total]) => {
        const all = means.map((_, k) => k);
        const feasible = all.filter((k) => means[k][0] >= least1 && means[k][1] >= least2
            && means[k][0] + means[k][1] <= total);
        const optimal = paretoSet(feasible.map((k) => means[k])).map((each) => feasible[each]);
        const dominated = all.filter((k) => optimal.some((j) => dominates(means[j], means[k])));
        return {feasible, optimal, dominated};
    };
    window.paretoFeasible = answersFor;

    const show = ({arms, names, chosen}) => {
        const {feasible, optimal, dominated} = answersFor(arms, chosen);
        const [least1, least2, total] = chosen;
        const kinds = arms.map((_, k) => [
            optimal.includes(k) && "optimal", dominated.includes(k) && "dominated",
            !feasible.includes(k) && "infeasible",
        ].filter(Boolean).join(" "));
        const either = arms.map((_, k) => k).filter((k) => kinds[k] === "dominated infeasible");
        const list = (found) => found.map((k) => names[k]).join(", ") || "none";
        const dominators = (k) => optimal.filter((j) => dominates(arms[j], arms[k]));
        const reason = {
            "optimal": () => "optimal",
            "dominated": (k) => `dominated by ${list(dominators(k))}`,
            "infeasible": () => "infeasible",
            "dominated infeasible": (k) => `infeasible, or dominated by ${list(dominators(k))}`,
        };
        const corners = [[least1, least2], [total - least2, least2], [least1, total - least1], [least1, least2]];
        return {
            kinds,
            marks: [{kind: "region", points: corners}],
            said: `Optimal: ${list(optimal)}. Right answers: ${2 ** either.length}`
                + (either.length ? `, for two reasons are right for ${list(either)}.` : "."),
            rows: arms.map((arm, k) => [
                names[k], place(arm, 0), feasible.includes(k) ? "yes" : "no", reason[kinds[k]](k),
            ]),
        };
    };

    play({
        name: "feasible_arms",
        low: [0, 0], high: [120, 100], tick: 20, step: 1, digits: 0,
        head: ["arm", "means", "feasible", "called"],
        sliders: ({limits}) => [
            {label: "objective 1 at least", least: 0, most: 60, value: limits[0]},
            {label: "objective 2 at least", least: 0, most: 50, value: limits[1]},
            {label: "their sum at most", least: 120, most: 220, value: limits[2]},
        ],
        show,
    });
})();
