// The figure "How much evidence?": four thresholds for the risk, the arms, the objectives and the samples that a reader chooses.
// The same formulas as in pareto_core.confidence.thresholds, with which a test compares them.
"use strict";

(() => {
    const zeta = (s) => {  // Euler and Maclaurin, for s > 1
        const n = 12;
        let sum = 0;
        for (let k = 1; k < n; k++) sum += k ** -s;
        return sum + n ** (1 - s) / (s - 1) + 0.5 * n ** -s + s * n ** (-s - 1) / 12
            - s * (s + 1) * (s + 2) * n ** (-s - 3) / 720;
    };

    const rate = (x) => {  // the least of (g(a) + x) / a for a between 1/2 and 1
        const value = (a) => (2 * a - 2 * a * Math.log(4 * a) + Math.log(zeta(2 * a))
            - 0.5 * Math.log1p(-a) + x) / a;
        let [low, high] = [0.5, 1];
        const golden = (Math.sqrt(5) - 1) / 2;
        for (let step = 0; step < 80; step++) {
            const [left, right] = [high - golden * (high - low), low + golden * (high - low)];
            if (value(left) < value(right)) high = right; else low = left;
        }
        return value((low + high) / 2);
    };

    const survival = (x, shape) => {  // of a Gamma variable of whole shape
        let [logTerm, sum] = [-x, 0];
        for (let k = 0; k < shape; k++) {
            sum += Math.exp(logTerm);
            logTerm += Math.log(x / (k + 1));
        }
        return sum;
    };

    const gammaQuantile = (delta, shape) => {
        let [low, high] = [0, 5000];
        for (let step = 0; step < 100; step++) {
            const middle = (low + high) / 2;
            if (survival(middle, shape) > delta) low = middle; else high = middle;
        }
        return low;
    };

    const thresholds = (delta, arms, objectives, samples) => {
        const [means, risk, each] = [arms * objectives, Math.log(1 / delta), samples / arms];
        return {
            stylised: risk + Math.log(Math.log(1 + samples)),
            iterated_logarithm: risk + Math.log(1 + Math.log(samples)),
            mixture: 2 * means * Math.log(4 + Math.log(each)) + means * rate(risk / means),
            gamma: means * Math.log(samples * (samples + 1)) + gammaQuantile(delta, means),
        };
    };
    window.paretoThresholds = thresholds;

    const inWords = (value) => {  // 0.25, or 2.5 × 10⁻⁷
        if (value >= 0.001) return String(Number(value.toPrecision(2)));
        const [digits, exponent] = value.toExponential(1).split("e-");
        const raised = [...exponent].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
        return digits === "1.0" ? `10⁻${raised}` : `${digits} × 10⁻${raised}`;
    };

    const update = (figure) => {
        const read = (name) => Number(figure.querySelector(`[name=${name}]`).value);
        const [delta, arms, objectives] = [10 ** -read("risk"), read("arms"), read("objectives")];
        const samples = arms * Math.round(10 ** read("samples"));
        const say = (name, text) => {
            figure.querySelector(`output[data-of=${name}]`).textContent = text;
            figure.querySelector(`[name=${name}]`).setAttribute("aria-valuetext", text);
        };
        say("risk", inWords(delta));
        say("arms", arms);
        say("objectives", objectives);
        say("samples", (samples / arms).toLocaleString("en"));
        const found = thresholds(delta, arms, objectives, samples);
        for (const [name, nats] of Object.entries(found)) {
            const row = figure.querySelector(`tr[data-threshold=${name}]`);
            row.querySelector(".nats").textContent = nats.toFixed(1);
            row.querySelector(".bar").style.width = `${Math.min(100, 30 * Math.log10(1 + nats))}%`;
        }
    };

    document.addEventListener("DOMContentLoaded", () => {
        for (const figure of document.querySelectorAll(".play-thresholds")) {
            figure.querySelector(".controls").hidden = false;
            figure.addEventListener("input", () => update(figure));
            update(figure);
        }
    });
})();
