// The figure "The game": a reader divides the samples among the arms, and an opponent answers with the cheapest
// change of the Pareto set. The same costs as pareto_core.transport_cost, with which a test compares them.
"use strict";

(() => {
    const {paretoSet, place, play} = window.paretoPlane;

    const show = ({arms, names, chosen, best}) => {
        const total = chosen.reduce((sum, each) => sum + each);
        const weights = chosen.map((each) => each / total);
        const found = window.paretoAlternative(arms, weights);
        const most = window.paretoAlternative(arms, best).value;
        const optimal = paretoSet(arms);
        const change = found.kind === "addition"
            ? `makes ${names[found.freed]} optimal` : `puts ${names[found.loser]} below ${names[found.winner]}`;
        return {
            kinds: arms.map((_, k) => optimal.includes(k) ? "optimal" : "dominated"),
            marks: arms.map((arm, k) => ({kind: "change", points: [arm, found.alternative[k]], pointed: true})),
            said: `The opponent ${change}. A sample brings ${found.value.toFixed(4)} nats against that, at best it `
                + `would bring ${most.toFixed(4)}: you need ${(most / found.value).toFixed(2)} times as many samples.`,
            rows: arms.map((arm, k) => [
                names[k], place(arm, 1), `${(100 * weights[k]).toFixed(0)} %`,
                found.alternative[k].join() === arm.join() ? "stays" : place(found.alternative[k], 2),
            ]),
        };
    };

    play({
        name: "sampling_game",
        low: [0, 0], high: [3, 3], tick: 1, step: 0.1, digits: 1,
        fixed: true,
        head: ["arm", "means", "your share", "opponent moves it to"],
        sliders: ({names}) => names.map((name) => ({label: `samples of ${name}`, least: 1, most: 400, value: 100})),
        buttons: [{label: "Show the best shares", values: ({best}) => best.map((each) => Math.round(1000 * each))}],
        show,
    });
})();
