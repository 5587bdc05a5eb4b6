// What is wrong with an open page. Each function is evaluated in it, after this whole file.

// Pieces of text, pictures and formulas that reach beyond the box of the article, or of something
// around them that cuts off what is too wide, where nothing in between scrolls.
function cutOff() {
    const article = document.querySelector(".bd-article");
    const lost = [];
    const range = document.createRange();  // one for all: each is kept up to date with the page
    for (const piece of article?.querySelectorAll("*") ?? []) {
        const holdsText = [...piece.childNodes].some(
            (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
        if (!holdsText && !["IMG", "MJX-C"].includes(piece.tagName)) continue;
        if (piece.closest("mjx-assistive-mml, .visually-hidden, .headerlink, button")) continue;
        range.selectNodeContents(piece);
        const box = piece.tagName === "IMG" ? piece : range;
        const {right, width} = box.getBoundingClientRect();
        if (width === 0) continue;
        for (let around = piece; around !== article.parentElement; around = around.parentElement) {
            const overflow = getComputedStyle(around).overflowX;
            if (overflow === "auto" || overflow === "scroll") break;
            if (overflow === "visible" && around !== article) continue;
            if (right > around.getBoundingClientRect().right + 2) {
                lost.push(piece.textContent.trim().slice(0, 60) || piece.src || piece.tagName);
                break;
            }
        }
    }
    return lost;
}

// Pieces of text that stand out too little from what is under them: a contrast below 4.5, or below
// 3 in large letters, as level AA of WCAG has it.
function faint() {
    const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (colour) => numbers(colour).slice(0, 3)
        .map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0);
    const under = (piece) => {
        for (let around = piece; around; around = around.parentElement) {
            const colour = getComputedStyle(around).backgroundColor;
            if ((numbers(colour)[3] ?? 1) > 0.5) return colour;
        }
        return "rgb(255, 255, 255)";
    };
    const faint = [];
    for (const piece of document.body.querySelectorAll("*")) {
        const text = [...piece.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
            .map((node) => node.textContent.trim()).join("");
        if (!text || !piece.checkVisibility()) continue;
        if (piece.closest(".visually-hidden, .headerlink, mjx-container")) continue;
        const [dark, light] = [getComputedStyle(piece).color, under(piece)]
            .map(luminance).sort((one, other) => one - other);
        const {fontSize, fontWeight} = getComputedStyle(piece);
        const large = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
        if ((light + 0.05) / (dark + 0.05) < (large ? 3 : 4.5)) faint.push(text.slice(0, 60));
    }
    return faint;
}

// Headings, tables and pictures that do not show, or that something lies over.
function unreadable() {
    const lost = [];
    for (const piece of document.querySelectorAll(".bd-article :is(h1, h2, h3, table, img)")) {
        if (piece.closest("details:not([open])")) continue;
        if (piece.closest(".frame:not(:last-child)")) continue;  // of pictures in a row
        if (piece.matches(".only-dark")) continue;  // without scripts a page is light
        piece.scrollIntoView({block: "start", behavior: "instant"});
        window.scrollBy({top: -100, behavior: "instant"});
        const {left, top, width, height} = piece.getBoundingClientRect();
        const shown = document.elementFromPoint(left + Math.min(9, width / 2), top + 9);
        const loaded = piece.tagName !== "IMG" || piece.naturalWidth > 0;
        const visible = piece.checkVisibility({opacityProperty: true, visibilityProperty: true});
        if (!visible || !height || !loaded || !piece.contains(shown)) {
            lost.push(piece.alt || piece.textContent.trim().slice(0, 60));
        }
    }
    return lost;
}

// Two frames, after which all that follows a change of the window's size is drawn.
function drawn() {
    return new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done(null))));
}

// Colours change slowly when the theme turns to the dark; in folded code, not before it is opened.
function settled() {
    return Promise.all(
        document.getAnimations().filter((each) => each.effect.target.checkVisibility())
            .map((each) => each.finished.catch(() => null))  // cancelled
    ).then(() => null);
}
