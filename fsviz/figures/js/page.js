// Draws the figures of a page. Browsers give about 16 WebGL contexts and then silently
// take the oldest away, so a row of 3D panels is made when it scrolls near, and given up
// again when it is far and others need the room. What stands flat is drawn at load and stays.
const fsvizPage = (() => {
  const MOST_SCENES = 10;
  const MARGIN = 200; // around the window [CSS px]
  const CONFIG = { responsive: true, ...fsvizOffline };
  const entries = [];
  const letLoad = fsvizHoldLoad();
  // which system the explorers show, and on which scale; what is not chosen is as it
  // was made
  let choice = {};
  let panel = "";
  const STYLE = `
.fsviz-plot:focus-visible { outline: 2px solid #0b5cad; outline-offset: 2px; }
.fsviz-figure { overflow-x: auto; }
.fsviz-still { display: none; position: absolute; }
.fsviz-panels { display: none; }
@media screen and (max-width: 700px) {
  .fsviz-figure:has(> .fsviz-panels), .output:has(> .fsviz-figure > .fsviz-panels) { overflow: clip; }
  .fsviz-panels, .fsviz-panels > div { display: flex; flex-wrap: wrap; gap: 4px; }
  .fsviz-panels > * { width: 100%; margin: 0; }
  .fsviz-panels label { position: relative; flex: 1; padding: 3px 4px; text-align: center; font-size: 13px; border: 1px solid #7b8794; border-radius: 4px; }
  .fsviz-panels label:has(:checked) { font-weight: bold; box-shadow: inset 0 3px #0b5cad; }
  .fsviz-panels input { appearance: none; position: absolute; inset: 0; margin: 0; cursor: pointer; }
  .fsviz-panels + .fsviz-plot { clip-path: inset(var(--fsviz-above) 0 var(--fsviz-below)); margin: calc(0px - var(--fsviz-above)) 0 calc(0px - var(--fsviz-below)); }
  .fsviz-panels + .fsviz-plot .gtitle { visibility: hidden; }
}
@media print {
  .fsviz-plot { zoom: var(--fsviz-print, 1); break-inside: avoid; }
  .fsviz-plot .fsviz-still { display: block; }
  .fsviz-plot.fsviz-stilled .gl-container { visibility: hidden; }
  .fsviz-plot .updatemenu-container, .fsviz-readout:not(:has(b)) { display: none; }
}`;

  const scenesOf = (layout) => Object.keys(layout).filter(isScene);

  // a trace without its 3D, in the same place, so that menus still find their traces
  const FLAT = { type: "scatter", x: [], y: [], showlegend: false, hoverinfo: "skip" };

  // scenes beside one another come and go together; y is the share of the figure's
  // plotting area, from below
  function rowsOf({ data, layout }) {
    if (!data.some(isSolid)) return [];
    const rows = {};
    for (const key of scenesOf(layout)) {
      const y = (layout[key].domain || {}).y || [0, 1];
      rows[y] ??= { y, keys: [], live: false, near: false, seen: 0 };
      rows[y].keys.push(key);
    }
    return Object.values(rows);
  }

  function dataFor({ figure, gd, rows, flatPanels }, anew) {
    const live = rows.flatMap((row) => (row.live ? row.keys : []));
    const drawn = anew ? null : gd.data;
    return figure.data.map((trace, i) => {
      if (!isSolid(trace)) return drawn?.[i] ?? trace;
      const { visible } = (flatPanels && drawn?.[i]) || trace;
      if (live.includes(trace.scene || "scene"))
        return drawn ? { ...trace, visible } : trace;
      return { ...FLAT, visible: flatPanels && visible, meta: trace.meta };
    });
  }

  function draw(entry, anew) {
    const { gd, figure } = entry;
    const first = !gd.data;
    const old = [...(plotlyInside.solidsOf(gd)?.querySelectorAll("canvas") ?? [])];
    const drawn = first
      ? Plotly.newPlot(gd, dataFor(entry), figure.layout, CONFIG)
      : Plotly.react(gd, dataFor(entry, anew), gd.layout, CONFIG);
    for (const canvas of old) {
      if (gd.contains(canvas)) continue;
      const gl = canvas.getContext("webgl2") || canvas.getContext("webgl");
      gl?.getExtension("WEBGL_lose_context")?.loseContext();
    }
    if (first) fsvizLink.link(gd, entry.readout);
    return drawn;
  }

  // how far the middle of a row is from the middle of the window, and whether it is near
  function place(entry, row, margin) {
    const box = entry.gd.getBoundingClientRect();
    const { t = 0, b = 0 } = entry.figure.layout.margin || {};
    const area = Math.max(0, box.height - t - b);
    const top = box.top + t + (1 - row.y[1]) * area,
      bottom = box.top + t + (1 - row.y[0]) * area;
    row.near = top < innerHeight + margin && bottom > -margin;
    row.far = Math.abs((top + bottom - innerHeight) / 2);
    if (row.near) row.seen = performance.now();
  }

  // give up what is least needed; what is nearer than the row that comes stays
  function makeRoom(units, wanted, changed) {
    const live = units.filter(({ row }) => row.live && row !== wanted);
    live.sort(
      (a, b) =>
        a.row.near - b.row.near ||
        (a.row.near ? b.row.far - a.row.far : a.row.seen - b.row.seen),
    );
    let count =
      wanted.keys.length + live.reduce((sum, { row }) => sum + row.keys.length, 0);
    for (const { entry, row } of live) {
      if (count <= MOST_SCENES || (row.near && row.far <= wanted.far)) break;
      row.live = false;
      changed.add(entry);
      count -= row.keys.length;
    }
    return count <= MOST_SCENES;
  }

  const allUnits = () =>
    entries.flatMap((entry) => entry.rows.map((row) => ({ entry, row })));

  function look(margin) {
    const units = allUnits(),
      given = new Set(),
      taken = new Set();
    for (const { entry, row } of units) place(entry, row, margin);
    const wanted = units
      .filter(({ entry, row }) => row.near && !row.live && !isFolded(entry.gd))
      .sort((a, b) => a.row.far - b.row.far);
    for (const { entry, row } of wanted) {
      if (!makeRoom(units, row, given)) continue;
      row.live = true;
      taken.add(entry);
    }
    // first give contexts back, then take new ones
    for (const entry of given) if (!taken.has(entry)) draw(entry);
    return Promise.all([...taken].map((entry) => draw(entry)));
  }

  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      entries.forEach(fit);
      look(MARGIN);
    });
  };
  const observer = new IntersectionObserver(soon, { rootMargin: MARGIN + "px 0px" });

  function watch() {
    for (const entry of entries) if (entry.rows.length) observer.observe(entry.gd);
    addEventListener("scroll", soon, { passive: true, capture: true });
    addEventListener("resize", soon);
  }

  function collect(holder) {
    const gd = document.getElementById(holder.dataset.figure);
    const readout = document.getElementById(holder.dataset.figure + "-readout");
    const entry = { gd, readout, holder, figure: null, rows: [] };
    entries.push(entry);
    gd.parentElement.addEventListener("change", ({ target }) => onePanel(target.value));
    if (!("packed" in holder.dataset)) take(entry, JSON.parse(holder.textContent));
  }

  // the figure as the page's controls have it
  function state(entry) {
    const { whole } = entry;
    entry.stated = choice.scale ? fsvizChosen(whole, choice) : whole;
  }

  function take(entry, stated) {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const shown = dark ? inTheDark(stated) : stated;
    // the readout says it, where a script links the panels
    const how = (t) => (t.meta?.along || t.hoverinfo === "skip" ? "skip" : "none");
    const quiet = (t) => ({ ...t, hoverinfo: how(t), hovertemplate: null });
    const { layout } = shown;
    entry.whole = layout.meta?.cells ? { data: shown.data.map(quiet), layout } : shown;
    state(entry);
    entry.flatPanels = "xaxis" in entry.stated.layout;
    lay(entry);
  }

  // what is folded has no width
  const widthOf = (gd) =>
    gd.clientWidth ||
    (document.querySelector("main") || document.documentElement).clientWidth;

  // lay the panels out for the window's width
  function lay(entry) {
    const { gd, stated } = entry;
    const { figure, form } = fsvizStack(stated, widthOf(gd));
    // plotly.js adds axes of its own to the layout that it is given
    entry.figure = { ...figure, layout: structuredClone(figure.layout) };
    entry.form = form;
    entry.title = figure.layout.title?.text;
    entry.rows = rowsOf(entry.figure);
    gd.style.height = (figure.layout.height || 450) + "px";
    gd.style.minWidth = (figure.layout.meta?.least ?? 0) + "px";
    single(entry);
  }

  // the window has another width, as when a telephone is turned
  function fit(entry) {
    const { gd, stated } = entry;
    if (!gd.data || isFolded(gd)) return;
    if (fsvizStack(stated, widthOf(gd)).form === entry.form) return;
    // a menu of the figure may have changed its title
    const changed = gd.layout.title?.text !== entry.title;
    lay(entry);
    if (changed) entry.figure.layout.title.text = gd.layout.title.text;
    gd.layout = entry.figure.layout;
    draw(entry);
    fsvizLink.follows(gd);
  }

  // a telephone shows one panel, the same of every figure: a part of its height
  function onePanel(name) {
    panel = name;
    for (const entry of entries) single(entry);
    look(MARGIN);
  }

  function single({ gd, figure, stated }) {
    const { panels } = figure?.layout.meta ?? {};
    if (!panels) return;
    const { height, margin, updatemenus } = figure.layout;
    const [heading, choices] = gd.previousElementSibling.children;
    const chosen =
      choices.querySelector(`[value="${panel}"]`) ?? choices.querySelector("input");
    chosen.checked = true;
    const [top, end] = panels[chosen.value].map((y) => margin.t + y);
    // a menu stands over the first one
    const menu = updatemenus?.[0]?.buttons && top === margin.t;
    const above = top - (menu ? 28 : 0);
    gd.style.setProperty("--fsviz-above", `${above}px`);
    gd.style.setProperty("--fsviz-below", `${height - end}px`);
    heading.replaceChildren(...fsvizLink.wordsOf(stated.layout.title.text));
  }

  const unpack = (entry) => (entry.unpacked ??= unpackNow(entry));

  async function unpackNow(entry) {
    take(entry, await fsvizUnpack(entry.holder.textContent));
    if (entry.rows.length) observer.observe(entry.gd);
  }

  // one at a time, so that the page answers in between
  async function drawRest() {
    for (const entry of entries.filter(({ gd }) => !gd.data)) {
      // it may have been opened before there was anybody to notice
      await show(entry);
      await new Promise((next) => setTimeout(next));
    }
    watch();
    await look(MARGIN);
    letLoad();
  }

  // what is folded away has no size; it is drawn when it is opened
  const isFolded = (gd) => gd.closest("details:not([open]), [hidden]") !== null;

  async function show(entry) {
    if (isFolded(entry.gd)) return;
    if (!entry.figure) await unpack(entry);
    if (entry.stale) renew(entry);
    if (!entry.gd.data && !isFolded(entry.gd)) draw(entry);
  }

  const unfold = ({ target }) => target.open && reveal(target);

  // what had no size has one now, and another one than before if the window changed
  async function reveal(target) {
    const inside = entries.filter(({ gd }) => target.contains(gd));
    const drawn = inside.filter(({ gd }) => gd.data && !isFolded(gd));
    await Promise.all(inside.filter(({ gd }) => !gd.data).map(show));
    for (const entry of drawn) {
      fit(entry);
      if (entry.stale) renew(entry);
      else Plotly.Plots.resize(entry.gd);
    }
    look(MARGIN);
  }

  const isExplorer = ({ whole }) => whole?.layout.meta?.cells?.headings;

  // another system or scale, in every figure of the page that shows it; what
  // is hidden follows when it is seen, for it has no width before
  function choose(next) {
    const last = choice;
    choice = { ...last, ...next };
    const keys = ["system", "scale", "values"];
    if (keys.every((key) => last[key] === choice[key])) return;
    for (const entry of entries.filter(isExplorer)) {
      entry.stale = true;
      if (!isFolded(entry.gd)) renew(entry);
    }
  }

  function renew(entry) {
    const { gd } = entry;
    const camera = gd.layout?.scene?.camera;
    const live = entry.rows.map((row) => row.live);
    entry.stale = false;
    state(entry);
    lay(entry);
    if (!gd.data) return;
    for (const name of camera ? scenesOf(entry.figure.layout) : [])
      entry.figure.layout[name].camera = structuredClone(camera);
    for (const [n, row] of entry.rows.entries()) row.live = live[n];
    gd.layout = entry.figure.layout;
    draw(entry, true);
    // react tells nobody: the mark would keep the numbers of the system before
    fsvizLink.follows(gd);
  }

  function start() {
    fsvizLink.dress(STYLE);
    document.querySelectorAll("script[data-figure]").forEach(collect);
    look(0);
    for (const entry of entries) {
      const { top, bottom } = entry.gd.getBoundingClientRect();
      if (top < innerHeight && bottom > 0) show(entry);
    }
    setTimeout(drawRest);
    // toggle does not bubble
    document.addEventListener("toggle", unfold, { capture: true });
    addEventListener("beforeprint", prepareForPrint);
    addEventListener("afterprint", endPrint);
  }

  // ---- on paper ----------------------------------------------------------------

  const PAPER = { width: 700, height: 940 }; // of A4 within its margins [CSS px]

  function still({ gd }, names) {
    for (const name of names) {
      const host = plotlyInside.hostOf(gd),
        box = plotlyInside.placeOf(gd, name, host);
      if (!box) continue;
      const image = document.createElement("img");
      image.className = "fsviz-still";
      image.alt = "";
      image.src = plotlyInside.stillOf(gd, name);
      for (const side in box) image.style[side] = box[side] + "px";
      // over the scene it stands for: the figure's white ground is below that
      plotlyInside.solidsOf(host).after(image);
    }
    gd.classList.add("fsviz-stilled");
  }

  // what nobody opened is not printed
  function prepareForPrint() {
    for (const image of document.querySelectorAll(".fsviz-still")) image.remove();
    const units = allUnits().filter(({ entry }) => !isFolded(entry.gd));
    for (const { row } of units) Object.assign(row, { near: false, far: Infinity });
    for (const { entry, row } of units) {
      const given = new Set();
      if (!row.live) {
        makeRoom(units, row, given);
        row.live = true;
        for (const other of given) if (other !== entry) draw(other);
        draw(entry);
      }
      row.seen = performance.now();
      still(entry, row.keys);
    }
    const shown = entries.filter(({ gd, figure }) => figure && !isFolded(gd));
    for (const entry of shown) if (!entry.gd.data) draw(entry);
    for (const { gd } of shown) {
      const { width, height } = gd.getBoundingClientRect();
      const size = Math.min(1, PAPER.width / width, PAPER.height / height);
      gd.style.setProperty("--fsviz-print", String(size));
    }
  }

  function endPrint() {
    for (const image of document.querySelectorAll(".fsviz-still")) image.remove();
    for (const { gd } of entries) gd.classList.remove("fsviz-stilled");
    look(MARGIN);
  }

  return { start, entries, prepareForPrint, choose, reveal };
})();
// plotly.js takes a second to run: what can be read is painted before
function fsvizLoad() {
  const later = document.querySelector('script[type="fsviz/later"]');
  if (!later) return;
  const script = document.createElement("script");
  if (later.hasAttribute("src")) {
    script.addEventListener("load", fsvizPage.start);
    script.src = later.getAttribute("src");
  } else script.textContent = later.textContent;
  later.replaceWith(script);
  if (!script.src) fsvizPage.start();
}
if (globalThis.Plotly) fsvizPage.start();
else if (document.hidden) fsvizLoad();
else requestAnimationFrame(() => setTimeout(fsvizLoad, 0));
