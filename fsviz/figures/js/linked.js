// Pointing at a cell in one panel marks it in all of them and says what is known of it.
// layout.meta.cells (fsviz/figures/panels/linked.py) has sizes and values, and which panel
// shows what; the words are those of the map's hover text. They come from files, so they only
// ever reach the page as text. Marks are an SVG of our own over the figure: moving them
// costs no redraw.

// plotly.js offers to upload a chart to its maker's server: no button of ours reaches one.
const fsvizOffline = {
  displayModeBar: false,
  displaylogo: false,
  showSendToCloud: false,
  plotlyServerURL: "",
};

const fsvizLink = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const STEPS = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowDown: [-1, 0],
    ArrowUp: [1, 0],
  };
  const STYLE = `
.plotly .svg-container .fsviz-marks { position: absolute; left: 0; top: 0; width: 100%; height: 100%; pointer-events: none; overflow: visible; fill: none; stroke: #d1105a; stroke-width: 2; }
.fsviz-cut :is(.x3y3, .x4y4) .scatterlayer { display: none; }
.fsviz-readout { min-height: 1.6em; padding: 3px 10px; font-size: 13px; color: #1f2933; background: #f5f7fa; border-left: 3px solid #d1105a; overflow-wrap: anywhere; }
@media screen and (prefers-color-scheme: dark) { .fsviz-readout { color: #e4e7eb; background: #1f2733; } }
@media screen and (max-width: 700px) { .fsviz-readout:has(b) { position: sticky; bottom: 0; z-index: 1; } }`;

  const factsOf = (gd) => gd.layout?.meta?.cells;
  // plotly leaves out what is empty
  const panelsOf = ({ panels }) => ({ maps: [], scenes: {}, slices: {}, ...panels });

  function element(parent, name, attributes) {
    const made = parent.appendChild(document.createElementNS(SVG, name));
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    return made;
  }

  // ---- the cell ----------------------------------------------------------------

  // where a size is on an axis, both as logarithms
  const indexOf = (axis, size) => axis.findIndex((v) => Math.abs(v - size) < 1e-6);

  const placeOf = (facts, cell) => cell.file * facts.records.length + cell.record;
  const valueAt = (facts, system, cell) =>
    facts.systems[system]?.value[placeOf(facts, cell)];

  // the maps whose hover text says all of a cell, of the system that is chosen
  const mapsOf = (gd) =>
    plotlyInside.tracesOf(gd).filter((t) => t.visible === true && t.meta?.readout);

  function textAt(trace, facts, cell) {
    const row = indexOf(trace.y, Math.log2(facts.files[cell.file])),
      column = indexOf(trace.x, Math.log2(facts.records[cell.record]));
    return trace.hovertext?.[row]?.[column] ?? "";
  }

  const textOf = (gd, facts, cell) => {
    const maps = mapsOf(gd);
    const first = maps.filter((trace) => trace.xaxis === cell.map);
    return [...first, ...maps].map((t) => textAt(t, facts, cell)).find(Boolean) ?? "";
  };

  // which system the figure shows
  const shownSystem = (gd) =>
    mapsOf(gd).find((t) => t.meta.system !== undefined)?.meta.system ?? 0;

  // which cell an event of plotly's is about, or null
  function cellOf(gd, { fullData, x, y }) {
    const facts = factsOf(gd);
    const [file, record] = [
      indexOf(facts.files.map(Math.log2), y),
      indexOf(facts.records.map(Math.log2), x),
    ];
    const cell = { file, record, map: fullData.xaxis };
    return textOf(gd, facts, cell) ? cell : null;
  }

  // the cell that the figure opens with, else the largest
  function startCell(gd) {
    const facts = factsOf(gd);
    const [file, record] = facts.start?.[shownSystem(gd)] ?? [];
    const stated = {
      file: facts.files.indexOf(file),
      record: facts.records.indexOf(record),
    };
    const cells = facts.files.flatMap((_, row) =>
      facts.records.map((_size, column) => ({ file: row, record: column })),
    );
    return [...cells, stated].findLast((cell) => textOf(gd, facts, cell));
  }

  // the next cell in a direction; the same one at the edge
  function step(gd, cell, [down, right]) {
    const facts = factsOf(gd);
    let { file, record } = cell;
    for (;;) {
      [file, record] = [file + down, record + right];
      if (!facts.files[file] || !facts.records[record]) return cell;
      const next = { file, record, map: cell.map };
      if (textOf(gd, facts, next)) return next;
    }
  }

  // ---- the marks ---------------------------------------------------------------

  // the cells of one slice of a system as points (log2 size, value), gaps as null
  function slice(facts, system, cell, along) {
    return facts[along + "s"].map((size, index) => {
      const value = valueAt(facts, system, { ...cell, [along]: index });
      return value == null ? null : [Math.log2(size), value];
    });
  }

  // a line through points, with gaps
  function path(points, project) {
    const parts = points.map((point, n) => {
      if (!point) return "";
      const [x, y] = project(...point).map((v) => v.toFixed(1));
      return `${points[n - 1] ? "L" : "M"}${x},${y}`;
    });
    return parts.join("");
  }

  // half-way to the neighbours, as a heatmap draws its cells
  function edges(sizes, index) {
    const [before, here, after] = [-1, 0, 1].map((n) => Math.log2(sizes[index + n]));
    const [below, above] = [here - before, after - here]; // NaN at the edge
    return [here - (below || above || 1) / 2, here + (above || below || 1) / 2];
  }

  function overlay(gd) {
    const host = plotlyInside.hostOf(gd);
    const svg =
      host.querySelector(":scope > svg.fsviz-marks") ??
      element(host, "svg", { class: "fsviz-marks", "aria-hidden": "true" });
    return [host, svg];
  }

  // on a white rim, which any colour shows
  function rimmed(svg, name, attributes) {
    element(svg, name, { ...attributes, stroke: "#fff", "stroke-width": 4 });
    element(svg, name, attributes);
  }

  function outline(svg, project, facts, cell, panel) {
    const [x0, x1] = edges(facts.records, cell.record),
      [y0, y1] = edges(facts.files, cell.file);
    const [[x, y], [right, low]] = [project(x0, y1), project(x1, y0)];
    const box = { x, y, width: right - x, height: low - y };
    rimmed(svg, "rect", { ...box, "data-mark": panel });
  }

  // where the cell stands in a slice: each shows one of its sizes
  function upright(gd, svg, facts, cell, [id, along]) {
    const project = plotlyInside.flat(gd, id);
    if (!project) return;
    const at = Math.log2(facts[along + "s"][cell[along]]);
    const systems = [shownSystem(gd), ...Object.values(panelsOf(facts).scenes)];
    for (const system of new Set(systems)) {
      const value = valueAt(facts, system, cell);
      if (value == null) continue;
      const [cx, cy] = project(at, value);
      const ring = { cx, cy, r: 5, "stroke-width": 1.5 };
      element(svg, "circle", { ...ring, "data-mark": along });
    }
  }

  // both slices on the surface of a system, and how high the cell stands
  function onSurface(svg, project, facts, system, cell, panel) {
    const value = valueAt(facts, system, cell);
    if (!project || value == null) return;
    const x = Math.log2(facts.records[cell.record]),
      y = Math.log2(facts.files[cell.file]);
    const over = (along, place) =>
      slice(facts, system, cell, along).map((p) => p && place(p));
    const drawn = {
      record: over("record", ([at, v]) => [at, y, v]),
      file: over("file", ([at, v]) => [x, at, v]),
    };
    for (const [along, points] of Object.entries(drawn))
      rimmed(svg, "path", {
        d: path(points, project),
        "data-slice": panel + "-" + along,
      });
    const [cx, cy] = project(x, y, value);
    rimmed(svg, "circle", { cx, cy, r: 5, "data-mark": panel });
  }

  function paint(gd) {
    const facts = factsOf(gd),
      cell = gd.fsvizCell;
    const [host, svg] = overlay(gd);
    svg.replaceChildren();
    if (!facts || !cell) return;
    drawSlices(gd, svg, facts);
    for (const id of panelsOf(facts).maps) {
      const map = plotlyInside.flat(gd, id);
      if (map) outline(svg, map, facts, cell, "map" + id);
    }
    for (const [name, system] of Object.entries(panelsOf(facts).scenes)) {
      const shown = system < 0 ? shownSystem(gd) : system;
      const project = plotlyInside.solid(gd, host, name.slice(5));
      onSurface(svg, project, facts, shown, cell, name);
    }
    for (const panel of Object.entries(panelsOf(facts).slices))
      upright(gd, svg, facts, cell, panel);
  }

  // ---- the slices --------------------------------------------------------------

  const differences = (upper, lower) =>
    upper.map((v, n) =>
      v == null || lower[n] == null ? 0 : Math.max(0, v - lower[n]),
    );

  // a slice of one system through a cell, as slice.py draws it
  function sliceOf(facts, system, cell, along) {
    const cells = facts[along + "s"].map((_, index) => ({ ...cell, [along]: index }));
    const [value, least, most] = ["value", "least", "most"].map((name) =>
      cells.map((at) => facts.systems[system][name][placeOf(facts, at)]),
    );
    const end = value.findLastIndex((v) => v != null);
    const name = "\u2002" + facts.systems[system].label;
    return {
      y: value,
      text: value.map((_, n) => (n === end ? name : "")),
      error_y: {
        array: differences(most, value),
        arrayminus: differences(value, least),
      },
    };
  }

  // the upper line's name stands above its end, that of the lowest below
  function nameLines(lines) {
    const ends = lines.map(({ y }) => y.findLast((v) => v != null) ?? -Infinity);
    const order = lines.map((_, n) => n).sort((a, b) => ends[b] - ends[a]);
    for (const [at, n] of order.entries())
      lines[n].textposition =
        (at === 0 ? "top" : at === lines.length - 1 ? "bottom" : "middle") + " right";
  }

  // The figure's data and headings follow the marked cell, so that what is saved is what is
  // seen. plotly draws nothing again, which would take a fifth of a second: `drawSlices` does.
  function cut(gd, facts, cell) {
    if (!facts.headings) return;
    for (const along of Object.values(panelsOf(facts).slices)) {
      const traces = gd.data.filter((t) => t.meta?.along === along);
      const lines = traces.map((t) => sliceOf(facts, t.meta.system, cell, along));
      nameLines(lines.filter((_, n) => traces[n].mode.endsWith("text")));
      for (const [n, { error_y: bars, ...line }] of lines.entries())
        Object.assign(traces[n], line, { error_y: { ...traces[n].error_y, ...bars } });
    }
    const words = [facts.headings.record[cell.file], facts.headings.file[cell.record]];
    const texts = gd.querySelectorAll(".annotation-text");
    for (const [n, text] of words.entries()) {
      gd.layout.annotations[n + 1].text = text;
      if (texts[n + 1]) texts[n + 1].textContent = text;
    }
    gd.classList.add("fsviz-cut");
  }

  const DASHES = { dash: "8 5" };
  const LIFT = { top: -9, middle: 4, bottom: 14 }; // of a name at the end of a line [px]

  // one line of a slice: bars, points, and the name at its end
  function drawSlice(svg, project, trace) {
    const { color } = trace.line;
    const group = element(svg, "g", {
      stroke: color,
      "stroke-width": 1,
      opacity: trace.opacity ?? 1,
      "data-line": `${trace.meta.along}-${trace.meta.system}`,
    });
    const points = trace.y.map((v, n) => (v == null ? null : [trace.x[n], v]));
    const dashes = DASHES[trace.line.dash] ?? "none";
    const line = { d: path(points, project), "stroke-dasharray": dashes };
    element(group, "path", { ...line, "stroke-width": trace.line.width });
    for (const [n, point] of points.entries()) {
      if (!point) continue;
      const [x, y] = project(...point);
      const ends = [
        point[1] + trace.error_y.array[n],
        point[1] - trace.error_y.arrayminus[n],
      ];
      const [y1, y2] = ends.map((v) => project(point[0], v)[1]);
      element(group, "line", { x1: x, x2: x, y1, y2 });
      element(group, "circle", { cx: x, cy: y, r: 2.5, fill: color, stroke: "none" });
      const [where] = trace.textposition.split(" ");
      if (!trace.mode.endsWith("text") || !trace.text[n]) continue;
      const at = { x: x + 7, y: y + LIFT[where], fill: color, stroke: "none" };
      element(group, "text", { ...at, "font-size": 11 }).textContent =
        trace.text[n].trim();
    }
  }

  function drawSlices(gd, svg, facts) {
    for (const [id, along] of Object.entries(panelsOf(facts).slices)) {
      const project = plotlyInside.flat(gd, id);
      const traces = gd.data.filter((t) => t.meta?.along === along);
      // those that are compared lie over the others
      traces.sort((one, other) => (one.opacity ?? 1) - (other.opacity ?? 1));
      for (const trace of project ? traces : []) drawSlice(svg, project, trace);
    }
  }

  // pointing at a slice chooses its size, wherever a line is
  function pointed(gd, event) {
    const facts = factsOf(gd);
    if (!facts || !gd.fsvizCell) return;
    for (const [id, along] of Object.entries(panelsOf(facts).slices)) {
      const at = plotlyInside.sizeAt(gd, id, event);
      if (at === null) continue;
      const apart = facts[along + "s"].map((size) => Math.abs(Math.log2(size) - at));
      const cell = { ...gd.fsvizCell, [along]: apart.indexOf(Math.min(...apart)) };
      if (textOf(gd, facts, cell)) choose(gd, cell);
    }
  }

  // ---- the words ---------------------------------------------------------------

  // hover text as a line of plain text with its strong parts
  function wordsOf(text) {
    const parsed = new DOMParser().parseFromString(text, "text/html").body;
    return [...parsed.childNodes].map((node) => {
      if (node.nodeName === "BR") return " · ";
      if (node.nodeName !== "B") return node.textContent;
      const strong = document.createElement("b");
      strong.textContent = node.textContent;
      return strong;
    });
  }

  function choose(gd, cell) {
    const facts = factsOf(gd),
      old = gd.fsvizCell;
    if (!facts || !cell) return;
    if (["file", "record", "map"].every((key) => old?.[key] === cell[key])) return;
    gd.fsvizCell = cell;
    gd.fsvizReadout?.replaceChildren(...wordsOf(textOf(gd, facts, cell)));
    if (old?.file !== cell.file || old?.record !== cell.record) cut(gd, facts, cell);
    paint(gd);
  }

  // ---- cameras -----------------------------------------------------------------

  const { scenesOf, cameraOf, viewOf } = plotlyInside;

  // all scenes of a figure with meta.cameras turn together; plotly moves one
  function turn(gd, seen) {
    const names = scenesOf(gd);
    const look = (name) => JSON.stringify(cameraOf(gd, name));
    const source = names.find((name) => seen[name] && seen[name] !== look(name));
    for (const name of source ? names : [])
      if (name !== source) plotlyInside.turn(gd, name, cameraOf(gd, source));
    for (const name of names) seen[name] = look(name);
  }

  // once the hand lets go, the layout learns it too
  function settle(gd, changes) {
    const source = Object.keys(changes).find((key) => /^scene\d*\.camera$/.test(key));
    const others = {};
    if (!source || !gd.layout.meta?.cameras || gd.fsvizSettling) return;
    const drawn = scenesOf(gd);
    for (const name of Object.keys(gd.layout).filter(isScene)) {
      if (name + ".camera" in changes) continue;
      if (drawn.includes(name)) others[name + ".camera"] = changes[source];
      // what is not drawn now will come with this camera
      else gd.layout[name].camera = structuredClone(changes[source]);
    }
    if (!Object.keys(others).length) return;
    // this tells of a change again
    gd.fsvizSettling = true;
    Plotly.relayout(gd, others).finally(() => {
      gd.fsvizSettling = false;
    });
  }

  // a 3D panel turns without telling at every frame, so look while the pointer is in it
  function follow(gd) {
    let until = 0,
      seen = "",
      running = false;
    const cameras = {};
    const frame = () => {
      if (gd.layout.meta?.cameras) turn(gd, cameras);
      const now = scenesOf(gd)
        .map((name) => viewOf(gd, name))
        .join();
      if (now !== seen && gd.fsvizCell) paint(gd);
      seen = now;
      running = performance.now() < until;
      if (running) requestAnimationFrame(frame);
    };
    return () => {
      until = performance.now() + 1000;
      if (!running) requestAnimationFrame(frame);
      running = true;
    };
  }

  // ---- wiring ------------------------------------------------------------------

  // the page's policy allows no style element that a script makes, but rules
  function dress(rules = "") {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE + rules);
    document.adoptedStyleSheets.push(sheet);
  }

  // another system, scale or layout: what is marked says what is drawn
  function follows(gd) {
    const cell = gd.fsvizCell,
      facts = factsOf(gd);
    if (!facts) return;
    gd.fsvizCell = null;
    choose(gd, cell && textOf(gd, facts, cell) ? cell : startCell(gd));
  }

  function press(gd, event) {
    const move = STEPS[event.key];
    const held = event.ctrlKey || event.altKey || event.metaKey;
    if (!move || !factsOf(gd) || event.target !== gd || held) return;
    event.preventDefault();
    choose(gd, gd.fsvizCell ? step(gd, gd.fsvizCell, move) : startCell(gd));
  }

  // the figure of a widget may be another one later, with facts or without
  function focusable(gd) {
    if (factsOf(gd)) {
      gd.tabIndex = 0;
      gd.setAttribute("role", "group");
    } else gd.removeAttribute("tabindex");
  }

  function link(gd, readout) {
    focusable(gd);
    if (gd.fsvizLinked) return;
    gd.fsvizLinked = true;
    gd.fsvizReadout = readout;
    const watch = follow(gd);
    gd.addEventListener("pointermove", watch);
    gd.addEventListener("pointermove", (event) => pointed(gd, event));
    gd.addEventListener("wheel", watch, { passive: true });
    // the wheel scrolls the page; it zooms a surface with Ctrl, or one that has the focus
    gd.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !gd.contains(document.activeElement))
          event.stopPropagation();
      },
      { capture: true, passive: true },
    );
    gd.on("plotly_relayout", (changes) => settle(gd, changes));
    gd.on("plotly_hover", (event) => {
      if (factsOf(gd)) choose(gd, cellOf(gd, event.points[0]));
    });
    for (const name of ["plotly_afterplot", "plotly_relayouting", "plotly_relayout"])
      gd.on(name, () => {
        if (gd.fsvizCell) paint(gd);
        if (factsOf(gd)) watch();
      });
    gd.on("plotly_update", () => follows(gd));
    gd.addEventListener("keydown", (event) => press(gd, event));
    follows(gd);
  }

  return { dress, link, follows, choose, wordsOf };
})();
