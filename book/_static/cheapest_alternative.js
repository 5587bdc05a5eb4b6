// The figure "The cheapest alternative": what it costs to change the Pareto set of arms in two objectives.
// The same numbers as pareto_core.transport_cost, with which a test compares them.
"use strict";

(() => {
    const {paretoSet, place, play} = window.paretoPlane;

    // Least of own/2 (x - start)^2 plus the sum of weight/2 (level - x)^2 over the levels above x: the
    // best x is the mean of the start and of the levels above it, so these means are tried.
    const clear = (start, own, levels) => {
        const costAt = (x) => levels.reduce(
            (sum, [level, weight]) => sum + weight / 2 * Math.max(level - x, 0) ** 2, own / 2 * (x - start) ** 2);
        let [weights, moments, best] = [own, own * start, {at: start, cost: costAt(start)}];
        for (const [level, weight] of [...levels].sort((one, other) => other[0] - one[0])) {
            weights += weight;
            moments += weight * level;
            const [at, cost] = [moments / weights, costAt(moments / weights)];
            if (cost < best.cost) best = {at, cost};
        }
        return best;
    };

    const removal = (means, weights, loser, winner) => {
        const total = weights[loser] + weights[winner];
        const alternative = means.map((mean) => [...mean]);
        let squares = 0;
        for (const c of [0, 1]) {
            const lead = means[loser][c] - means[winner][c];
            if (lead <= 0) continue;
            squares += lead ** 2;
            alternative[loser][c] = means[winner][c] + weights[loser] / total * lead;
            alternative[winner][c] = alternative[loser][c];
        }
        const value = weights[loser] * weights[winner] / total * squares / 2;
        return {value, kind: "removal", loser, winner, alternative};
    };

    // The arms above it, from left to right: those left of a cut step to the left, the others down.
    const addition = (means, weights, optimal, freed) => {
        const isAbove = (k, point) => means[k][0] > point[0] && means[k][1] > point[1];
        const above = optimal.filter((k) => isAbove(k, means[freed])).sort((j, k) => means[j][0] - means[k][0]);
        const levels = (arms, c) => arms.map((k) => [means[k][c], weights[k]]);
        let best = {value: Infinity};
        for (let cut = 0; cut <= above.length; cut++) {
            const left = clear(means[freed][0], weights[freed], levels(above.slice(0, cut), 0));
            const down = clear(means[freed][1], weights[freed], levels(above.slice(cut), 1));
            const value = left.cost + down.cost;
            if (value < best.value) best = {value, point: [left.at, down.at]};
        }
        const alternative = means.map((mean) => [...mean]);
        alternative[freed] = best.point;
        for (const k of above.filter((arm) => isAbove(arm, best.point))) {
            const c = means[k][1] - best.point[1] < means[k][0] - best.point[0] ? 1 : 0;
            alternative[k][c] = best.point[c];
        }
        return {value: best.value, kind: "addition", freed, alternative};
    };

    const cheapestAlternative = (means, weights) => {
        const optimal = paretoSet(means);
        const ways = [];
        means.forEach((_, k) => {
            if (!optimal.includes(k)) ways.push(addition(means, weights, optimal, k));
            else ways.push(...optimal.filter((j) => j !== k).map((j) => removal(means, weights, k, j)));
        });
        const cheapest = ways.reduce((best, way) => way.value < best.value ? way : best);
        return {optimal, ...cheapest};
    };
    window.paretoAlternative = cheapestAlternative;

    const show = ({arms, names, chosen}) => {
        const total = chosen.reduce((sum, each) => sum + each);
        const weights = chosen.map((each) => each / total);
        const found = cheapestAlternative(arms, weights);
        const squares = arms.map((arm, k) => (arm[0] - found.alternative[k][0]) ** 2
            + (arm[1] - found.alternative[k][1]) ** 2);
        const kinds = arms.map((_, k) => found.optimal.includes(k) ? "optimal" : "dominated");
        const change = found.kind === "addition"
            ? `frees arm ${names[found.freed]}`
            : `puts arm ${names[found.loser]} below arm ${names[found.winner]}`;
        return {
            kinds,
            marks: arms.map((arm, k) => ({kind: "change", points: [arm, found.alternative[k]], pointed: true})),
            said: `Pareto set: ${found.optimal.map((k) => names[k]).join(", ")}. The cheapest alternative `
                + `${change} and costs ${found.value.toFixed(4)}.`,
            rows: arms.map((arm, k) => [
                names[k], place(arm, 2), weights[k].toFixed(2),
                ...squares[k] > 0
                    ? [place(found.alternative[k], 2), (weights[k] * squares[k] / 2).toFixed(4)] : ["stays", ""],
            ]),
        };
    };

    play({
        name: "cheapest_alternative",
        low: [0, 0], high: [7, 6], tick: 1, step: 0.05, digits: 2,
        head: ["arm", "means", "weight", "moves to", "costs"],
        sliders: ({names}) => names.map((name) => ({label: `samples of arm ${name}`, least: 1, most: 20, value: 10})),
        show,
    });
})();
