// Draws the figures of a page. Browsers give about 16 WebGL contexts and then silently
// take the oldest away, so a 3D panel is made when it scrolls near, and given up again
// when it is far and others need the room. What stands flat is drawn at load and stays.
const fsvizPage = (() => {
  const MOST_SCENES = 10;
  const CONFIG = {responsive: true, displaylogo: false};
  const entries = [];
  const STYLE = `
.fsviz-plot:focus-visible { outline: 2px solid #0b5cad; outline-offset: 2px; }
.fsviz-readout { min-height: 3.2em; padding: 4px 10px; font-size: 13px; color: #1f2933; background: #f5f7fa; border-left: 3px solid #d1105a; }
.fsviz-readout > * { margin-right: 1.4em; }
.fsviz-readout .fsviz-place { display: block; color: #52606d; overflow-wrap: anywhere; }
.fsviz-still { display: none; position: absolute; }
@media print {
  .fsviz-plot { zoom: var(--fsviz-print, 1); }
  .fsviz-plot .fsviz-still { display: block; }
  .fsviz-plot.fsviz-stilled .gl-container { visibility: hidden; }
  .fsviz-plot .modebar, .fsviz-plot .updatemenu-container, .fsviz-readout:not(:has(.fsviz-value)) { display: none; }
}`;

  const isSolid = (trace) => trace.type === "surface" || trace.type === "scatter3d" || trace.type === "mesh3d";
  const scenesOf = (layout) => Object.keys(layout).filter((key) => /^scene\d*$/.test(key));

  // a trace without its 3D, in the same place, so that menus still find their traces
  const flatten = (flatPanels) => (trace) => !isSolid(trace) ? trace
    : {type: "scatter", x: [], y: [], showlegend: false, hoverinfo: "skip",
       visible: flatPanels ? trace.visible : false, meta: trace.meta};

  function dataFor(entry, solid) {
    const {figure, gd} = entry, flatPanels = "xaxis" in figure.layout;
    if (!gd.data) return solid ? figure.data : figure.data.map(flatten(flatPanels));
    return figure.data.map((trace, i) => {
      const visible = flatPanels ? gd.data[i].visible : trace.visible;
      if (!isSolid(trace)) return gd.data[i];
      return solid ? {...trace, visible} : flatten(flatPanels)({...trace, visible});
    });
  }

  function draw(entry, solid) {
    const {gd, figure} = entry;
    const first = !gd.data;
    const old = solid ? [] : [...gd.querySelectorAll(".gl-container canvas")];
    const drawn = first ? Plotly.newPlot(gd, dataFor(entry, solid), figure.layout, CONFIG)
      : Plotly.react(gd, dataFor(entry, solid), gd.layout, CONFIG);
    for (const canvas of old) {
      const gl = canvas.getContext("webgl2") || canvas.getContext("webgl");
      const lose = gl && gl.getExtension("WEBGL_lose_context");
      if (lose) lose.loseContext();
    }
    entry.solid = solid && entry.scenes > 0;
    if (first) fsvizLink.link(gd, entry.readout);
    return drawn;
  }

  function makeRoom(wanted) {
    const live = entries.filter((e) => e.solid && !e.near).sort((a, b) => a.seen - b.seen);
    let count = wanted + entries.reduce((sum, e) => sum + (e.solid ? e.scenes : 0), 0);
    for (const entry of live) {
      if (count <= MOST_SCENES) return;
      draw(entry, false);
      count -= entry.scenes;
    }
  }

  function come(entry) {
    entry.near = true;
    entry.seen = performance.now();
    if (entry.solid || !entry.scenes) return;
    makeRoom(entry.scenes);
    draw(entry, true);
  }

  function watch() {
    const observer = new IntersectionObserver((changes) => {
      for (const change of changes) {
        const entry = entries.find((e) => e.gd === change.target);
        if (change.isIntersecting) come(entry);
        else { entry.near = false; entry.seen = performance.now(); }
      }
    }, {rootMargin: "200px 0px"});
    for (const entry of entries) observer.observe(entry.gd);
  }

  const inView = (gd) => {
    const box = gd.getBoundingClientRect();
    return box.top < innerHeight && box.bottom > 0;
  };

  function collect(holder) {
    const gd = document.getElementById(holder.dataset.figure);
    const figure = JSON.parse(holder.textContent);
    const readout = document.getElementById(holder.dataset.figure + "-readout");
    const scenes = figure.data.some(isSolid) ? scenesOf(figure.layout).length : 0;
    entries.push({gd, figure, readout, scenes, solid: false, near: false, seen: 0});
  }

  // one at a time, so that the page answers in between
  function drawRest(rest) {
    const entry = rest.shift();
    if (!entry) { watch(); return; }
    if (!entry.gd.data) draw(entry, false);
    setTimeout(drawRest, 0, rest);
  }

  function start() {
    document.head.appendChild(document.createElement("style")).textContent = STYLE;
    document.querySelectorAll("script[data-figure]").forEach(collect);
    for (const entry of entries) if (inView(entry.gd)) come(entry);
    for (const entry of entries) if (!entry.scenes && inView(entry.gd) && !entry.gd.data) draw(entry, false);
    setTimeout(drawRest, 0, entries.filter((e) => !e.gd.data));
    addEventListener("beforeprint", prepareForPrint);
    addEventListener("afterprint", endPrint);
  }

  // ---- on paper ----------------------------------------------------------------

  const PAPER_WIDTH = 700;  // of A4 within its margins [CSS px]

  function still(entry) {
    const {gd} = entry;
    for (const name of scenesOf(gd._fullLayout)) {
      const scene = gd._fullLayout[name]._scene;
      if (!scene || !scene.container) continue;
      const image = document.createElement("img");
      image.className = "fsviz-still";
      image.alt = "";
      image.src = scene.toImage("png");
      const host = gd.querySelector(".svg-container");
      const box = scene.container.getBoundingClientRect(), origin = host.getBoundingClientRect();
      image.style.left = box.left - origin.left + "px";
      image.style.top = box.top - origin.top + "px";
      image.style.width = box.width + "px";
      image.style.height = box.height + "px";
      // over the scene it stands for: the figure's white ground is below that
      host.querySelector(".gl-container").after(image);
    }
    gd.classList.add("fsviz-stilled");
  }

  function prepareForPrint() {
    endPrint();
    for (const entry of entries) {
      const live = entry.solid;
      if (!live && entry.scenes) makeRoom(entry.scenes);
      if (!live) draw(entry, entry.scenes > 0);
      if (entry.scenes) still(entry);
      const width = entry.gd.getBoundingClientRect().width;
      entry.gd.style.setProperty("--fsviz-print", String(Math.min(1, PAPER_WIDTH / width)));
    }
  }

  function endPrint() {
    for (const image of document.querySelectorAll(".fsviz-still")) image.remove();
    for (const {gd} of entries) gd.classList.remove("fsviz-stilled");
  }

  return {start, entries, prepareForPrint};
})();
fsvizPage.start();
