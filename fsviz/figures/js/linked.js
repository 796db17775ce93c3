// Pointing at a cell in one panel marks it in all of them and reads its facts out.
// The facts are in layout.meta.cells (fsviz/figures/panels/linked.py). They come from files, so
// they only ever reach the page as text. Marks are an SVG of our own over the figure:
// moving them costs no redraw, which is what keeps pointing quick. A figure shows one system
// in four panels (the explorer), or all side by side, each in panels of its own.

// plotly.js offers to upload a chart to its maker's server: no button of ours reaches one.
const fsvizOffline = {
  displaylogo: false,
  showSendToCloud: false,
  plotlyServerURL: "",
  modeBarButtonsToRemove: ["sendChartToCloud"],
};

const fsvizLink = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const STEPS = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowDown: [-1, 0],
    ArrowUp: [1, 0],
  };
  const FIELDS = ["system", "sizes", "regime", "value", "runs", "found", "place"];
  const STYLE = `
.fsviz-readout { min-height: 3.2em; padding: 4px 10px; font-size: 13px; color: #1f2933; background: #f5f7fa; border-left: 3px solid #d1105a; }
@media screen and (prefers-color-scheme: dark) { .fsviz-readout { color: #e4e7eb; background: #1f2733; } .fsviz-readout .fsviz-place { color: #9aa5b1; } }
.fsviz-readout > * { margin-right: 1.4em; }
.fsviz-readout .fsviz-place { display: block; color: #52606d; overflow-wrap: anywhere; }
.fsviz-readout .fsviz-systems { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(25em, 100%), 1fr)); column-gap: 1.4em; margin-right: 0; }
.fsviz-systems > * > * { margin-right: 0.7em; }
@media screen { .fsviz-readout:has(.fsviz-value, .fsviz-systems) { position: sticky; bottom: 0; z-index: 1; } }
.fsviz-systems .fsviz-here { font-weight: bold; }`;

  const factsOf = (gd) => gd.layout && gd.layout.meta && gd.layout.meta.cells;

  function significant(value) {
    if (value === null || value === undefined) return "–";
    if (value === 0) return "0";
    const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
    return String(Number(value.toFixed(Math.min(decimals, 20))));
  }

  function element(parent, name, attributes) {
    const made = parent.appendChild(document.createElementNS(SVG, name));
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    return made;
  }

  // ---- the cell ----------------------------------------------------------------

  const indexOf = (sizes, log2) =>
    sizes.findIndex((size) => Math.abs(Math.log2(size) - log2) < 1e-6);

  const placeOf = (facts, cell) => cell.file * facts.records.length + cell.record;
  const valueAt = (facts, cell) =>
    facts.systems[cell.system].value[placeOf(facts, cell)];

  // side by side, a cell is there if any system has it
  const isMeasured = (facts, cell) =>
    facts.side
      ? facts.systems.some((_, system) => valueAt(facts, { ...cell, system }) != null)
      : valueAt(facts, cell) != null;

  // plotly's axes and scenes of the panels of a system: x, x2, x3 …
  const numberOf = (system) => (system ? String(system + 1) : "");
  const systemAt = ({ scene, xaxis }) =>
    Number((scene || xaxis || "").replace(/\D/g, "") || 1) - 1;

  // which cell an event of plotly's is about, or null
  function cellOf(facts, point) {
    const meta = facts.side
      ? { system: systemAt(point.fullData) }
      : point.fullData.meta || {};
    if (!facts.systems[meta.system]) return null;
    let file, record;
    if (meta.size === undefined) {
      [record, file] = [indexOf(facts.records, point.x), indexOf(facts.files, point.y)];
    } else if (point.fullData.xaxis === "x2") {
      [record, file] = [
        indexOf(facts.records, point.x),
        facts.files.indexOf(meta.size),
      ];
    } else {
      [record, file] = [
        facts.records.indexOf(meta.size),
        indexOf(facts.files, point.x),
      ];
    }
    const cell = { system: meta.system, file, record };
    return file < 0 || record < 0 || !isMeasured(facts, cell) ? null : cell;
  }

  function shownSystem(gd) {
    const trace = plotlyInside
      .tracesOf(gd)
      .find((t) => t.visible === true && t.meta && t.meta.system !== undefined);
    return trace ? trace.meta.system : 0;
  }

  // the largest measured file with its largest record
  function startCell(facts, system) {
    for (let file = facts.files.length - 1; file >= 0; file--)
      for (let record = facts.records.length - 1; record >= 0; record--)
        if (isMeasured(facts, { system, file, record }))
          return { system, file, record };
    return null;
  }

  // the next measured cell in a direction; the same one at the edge
  function step(facts, cell, [down, right]) {
    let { file, record } = cell;
    for (;;) {
      [file, record] = [file + down, record + right];
      if (!facts.files[file] || !facts.records[record]) return cell;
      const next = { system: cell.system, file, record };
      if (isMeasured(facts, next)) return next;
    }
  }

  // ---- the marks ---------------------------------------------------------------

  // the cells of one slice as points (log2 size, value), gaps as null
  function slice(facts, cell, along) {
    const sizes = along === "record" ? facts.records : facts.files;
    return sizes.map((size, index) => {
      const value = valueAt(facts, { ...cell, [along]: index });
      return value == null ? null : [Math.log2(size), value];
    });
  }

  function path(points, project) {
    let pen = "M";
    return points
      .map((point) => {
        if (point === null) {
          pen = "M";
          return "";
        }
        const [x, y] = project(...point);
        const text = pen + x.toFixed(1) + "," + y.toFixed(1);
        pen = "L";
        return text;
      })
      .join("");
  }

  // half-way to the neighbours, as a heatmap draws its cells
  function edges(sizes, index) {
    const at = (i) => Math.log2(sizes[i]),
      here = at(index);
    const before = index > 0 ? (here - at(index - 1)) / 2 : null;
    const after = index < sizes.length - 1 ? (at(index + 1) - here) / 2 : null;
    return [here - (before ?? after ?? 0.5), here + (after ?? before ?? 0.5)];
  }

  function overlay(gd) {
    const host = plotlyInside.hostOf(gd);
    let svg = host.querySelector(":scope > svg.fsviz-marks");
    if (!svg) {
      svg = element(host, "svg", { class: "fsviz-marks", "aria-hidden": "true" });
      svg.style.cssText =
        "position:absolute;left:0;top:0;width:100%;height:100%;pointer-events:none;overflow:visible";
    }
    return [host, svg];
  }

  // on a white rim, which any colour shows
  function rimmed(svg, name, attributes) {
    for (const [colour, width] of [
      ["#fff", 5],
      ["#d1105a", 2.5],
    ])
      element(svg, name, {
        ...attributes,
        fill: "none",
        stroke: colour,
        "stroke-width": width,
      });
  }

  const ring = (svg, [cx, cy], panel) =>
    rimmed(svg, "circle", { cx, cy, r: 6, "data-mark": panel });

  const stroke = (svg, d, panel) => rimmed(svg, "path", { d, "data-slice": panel });

  function outline(svg, project, facts, cell, panel) {
    const [x0, x1] = edges(facts.records, cell.record),
      [y0, y1] = edges(facts.files, cell.file);
    const [[x, y], [right, low]] = [project(x0, y1), project(x1, y0)];
    rimmed(svg, "rect", {
      x,
      y,
      width: right - x,
      height: low - y,
      "data-mark": panel,
    });
  }

  // the two slices through a cell, as lines of a flat panel each
  function lines(svg, gd, facts, cell) {
    for (const [id, along, sizes] of [
      ["2", "record", facts.records],
      ["3", "file", facts.files],
    ]) {
      const project = plotlyInside.flat(gd, id);
      if (!project) continue;
      stroke(svg, path(slice(facts, cell, along), project), along);
      ring(svg, project(Math.log2(sizes[cell[along]]), valueAt(facts, cell)), along);
    }
  }

  // the same on the surface, and how high the cell stands
  function onSurface(svg, project, facts, cell, panel) {
    const value = valueAt(facts, cell);
    if (!project || value == null) return;
    const x = Math.log2(facts.records[cell.record]),
      y = Math.log2(facts.files[cell.file]);
    const over = (along, place) => slice(facts, cell, along).map((p) => p && place(p));
    const overRecord = over("record", ([at, v]) => [at, y, v]),
      overFile = over("file", ([at, v]) => [x, at, v]);
    stroke(svg, path(overRecord, project), panel + "-record");
    stroke(svg, path(overFile, project), panel + "-file");
    const ends = [
      [x, y, value],
      [x, y, project.floor],
    ];
    element(svg, "path", {
      d: path(ends, project),
      fill: "none",
      stroke: "#d1105a",
      "stroke-width": 1.2,
      "stroke-dasharray": "3 3",
    });
    ring(svg, project(x, y, value), panel);
  }

  // cells whose gravest finding is a warning
  const warnedOf = ({ systems, rules }, system) =>
    Object.entries(systems[system].found ?? {})
      .filter(([, rule]) => rules[rule].startsWith("warning"))
      .map(([k]) => Number(k));

  const isWarned = (facts) => facts.systems.some((_, n) => warnedOf(facts, n).length);

  // a hollow corner where errors have a black one
  function warnings(svg, gd, facts) {
    const shown = facts.side ? [...facts.systems.keys()] : [shownSystem(gd)];
    for (const system of shown) {
      const project = plotlyInside.flat(gd, facts.side ? numberOf(system) : "");
      for (const k of project ? warnedOf(facts, system) : []) {
        const [, right] = edges(facts.records, k % facts.records.length),
          [, top] = edges(facts.files, Math.floor(k / facts.records.length));
        const [x, y] = project(right, top);
        const d = `M${x - 9},${y + 1}L${x - 1},${y + 1}L${x - 1},${y + 9}Z`;
        element(svg, "path", { d, fill: "#fff", stroke: "#000", "data-warned": k });
      }
    }
  }

  // the switch that shows them, in the caption
  function offerWarnings(gd) {
    const caption = gd.closest("figure")?.querySelector("figcaption");
    if (!caption || !factsOf(gd) || !isWarned(factsOf(gd))) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "csv warned";
    button.textContent = "Mark warnings";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      gd.fsvizWarned = !gd.fsvizWarned;
      button.setAttribute("aria-pressed", String(gd.fsvizWarned));
      paint(gd);
    });
    caption.prepend(button);
  }

  function paint(gd) {
    const facts = factsOf(gd),
      cell = gd.fsvizCell;
    const [host, svg] = overlay(gd);
    svg.replaceChildren();
    if (facts && gd.fsvizWarned) warnings(svg, gd, facts);
    if (!facts || !cell) return;
    const panels = facts.side ? facts.systems.keys() : [0];
    for (const panel of panels) {
      const id = numberOf(panel),
        map = plotlyInside.flat(gd, id);
      const own = facts.side ? { ...cell, system: panel } : cell;
      if (map) outline(svg, map, facts, own, "heatmap" + id);
      onSurface(svg, plotlyInside.solid(gd, host, id), facts, own, "surface" + id);
    }
    if (!facts.side) lines(svg, gd, facts, cell);
  }

  // ---- the words ---------------------------------------------------------------

  // a reader of screens needs more than a margin between two words
  const spaced = (parts) =>
    [parts]
      .flat()
      .flatMap((one) => [one, " "])
      .slice(0, -1);

  function part(name, content, tag = "span") {
    const made = document.createElement(tag);
    made.className = "fsviz-" + name;
    made.append(...spaced(content));
    return made;
  }

  function runsOf(facts, system, k) {
    const n = Array.isArray(system.n) ? system.n[k] : system.n;
    const interval =
      system.low && system.low[k] != null
        ? ", 95 % interval " +
          significant(system.low[k]) +
          " – " +
          significant(system.high[k]) +
          " " +
          facts.unit
        : "";
    return "n = " + n + (n > 1 ? " runs" : " run") + interval;
  }

  // value of each system, and its ratio to the first
  function sayAll(facts, k, here) {
    const first = facts.systems.length > 1 ? "baseline" : "";
    const told = facts.systems.map((system, position) => {
      const value = system.value[k];
      const words = [
        part("system", system.name),
        value == null
          ? part("value", "not measured")
          : part("value", significant(value) + " " + facts.unit),
        part("ratio", position === 0 ? first : (system.ratio || [])[k] || ""),
      ];
      const one = part("one", words);
      one.classList.toggle("fsviz-here", position === here);
      return one;
    });
    return part("systems", told, "div");
  }

  function say(gd, facts, cell) {
    const out = gd.fsvizReadout;
    if (!out) return;
    const system = facts.systems[cell.system];
    const k = placeOf(facts, cell);
    const sizes =
      "file " +
      facts.files_text[cell.file] +
      ", record " +
      facts.records_text[cell.record];
    const regime = system.regimes && system.regimes[cell.file];
    const found = system.found && k in system.found;
    const texts = {
      sizes,
      regime: regime ? "regime " + regime : "",
      runs: system.value[k] == null ? "" : runsOf(facts, system, k),
      found: found ? facts.rules[system.found[k]] : "",
    };
    if (!facts.side)
      Object.assign(texts, {
        system: system.name,
        value: significant(system.value[k]) + " " + facts.unit,
        place: system.prefix + system.place[k],
      });
    const said = FIELDS.filter((name) => texts[name]).map((name) =>
      part(name, texts[name], name === "value" ? "strong" : "span"),
    );
    if (facts.side) said.push(sayAll(facts, k, cell.system));
    out.replaceChildren(...spaced(said));
  }

  function choose(gd, cell) {
    const facts = factsOf(gd),
      old = gd.fsvizCell;
    if (!facts || !cell) return;
    if (
      old &&
      old.system === cell.system &&
      old.file === cell.file &&
      old.record === cell.record
    )
      return;
    gd.fsvizCell = cell;
    paint(gd);
    say(gd, facts, cell);
  }

  // ---- cameras -----------------------------------------------------------------

  const { scenesOf, cameraOf, viewOf } = plotlyInside;

  // all scenes of a figure with meta.cameras turn together; plotly moves one
  function turn(gd, seen) {
    const names = scenesOf(gd);
    const look = (name) => JSON.stringify(cameraOf(gd, name));
    const source = names.find((name) => seen[name] && seen[name] !== look(name));
    if (source) {
      const camera = cameraOf(gd, source);
      for (const name of names) {
        if (name !== source) plotlyInside.turn(gd, name, camera);
      }
    }
    for (const name of names) seen[name] = look(name);
  }

  // once the hand lets go, the layout learns it too
  function settle(gd, changes) {
    const source = Object.keys(changes).find((key) => /^scene\d*\.camera$/.test(key));
    const others = {};
    if (!source || gd.fsvizSettling) return;
    const drawn = scenesOf(gd);
    for (const name of Object.keys(gd.layout).filter((key) => /^scene\d*$/.test(key))) {
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
      if (gd.layout.meta && gd.layout.meta.cameras) turn(gd, cameras);
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
      if (!running) {
        running = true;
        requestAnimationFrame(frame);
      }
    };
  }

  // ---- wiring ------------------------------------------------------------------

  // the page's policy allows no style element that a script makes, but rules
  function dress(root) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets.push(sheet);
  }

  const start = (gd) => choose(gd, startCell(factsOf(gd), shownSystem(gd)));

  // another system, scale or layout: what is marked says the numbers that are drawn
  function follows(gd) {
    const cell = gd.fsvizCell,
      facts = factsOf(gd);
    if (!facts || facts.side || !cell) return;
    const system = shownSystem(gd);
    gd.fsvizCell = null;
    const same = { ...cell, system };
    choose(gd, isMeasured(facts, same) ? same : startCell(facts, system));
  }

  function press(gd, event) {
    const move = STEPS[event.key],
      facts = factsOf(gd);
    const held = event.ctrlKey || event.altKey || event.metaKey;
    if (!move || !facts || event.target !== gd || held) return;
    event.preventDefault();
    if (gd.fsvizCell) choose(gd, step(facts, gd.fsvizCell, move));
    else start(gd);
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
    offerWarnings(gd);
    gd.fsvizReadout = readout;
    const watch = follow(gd);
    gd.addEventListener("pointermove", watch);
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
    gd.on("plotly_relayout", (changes) => {
      if (gd.layout.meta && gd.layout.meta.cameras) settle(gd, changes);
    });
    gd.on("plotly_hover", (event) => {
      const facts = factsOf(gd);
      if (facts) choose(gd, cellOf(facts, event.points[0]));
    });
    for (const name of ["plotly_afterplot", "plotly_relayouting", "plotly_relayout"])
      gd.on(name, () => {
        if (gd.fsvizCell || gd.fsvizWarned) paint(gd);
        if (factsOf(gd)) watch();
      });
    gd.on("plotly_restyle", () => follows(gd));
    gd.on("plotly_update", () => follows(gd));
    gd.addEventListener("focus", () => {
      if (factsOf(gd) && !gd.fsvizCell) start(gd);
    });
    gd.addEventListener("keydown", (event) => press(gd, event));
  }

  return { dress, link, follows, paint, choose, cellOf, edges, significant };
})();
