// Pointing at a cell in one panel marks it in all of them and reads its facts out.
// The facts are in layout.meta.cells (fsviz/figures/panels/linked.py). They come from files, so
// they only ever reach the page as text. Marks are an SVG of our own over the figure:
// moving them costs no redraw, which is what keeps pointing quick.

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

  const valueAt = (facts, cell) =>
    facts.systems[cell.system].value[cell.file * facts.records.length + cell.record];

  // which cell an event of plotly's is about, or null
  function cellOf(facts, point) {
    const meta = point.fullData.meta || {};
    if (meta.system === undefined) return null;
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
    return file < 0 || record < 0 || valueAt(facts, cell) == null ? null : cell;
  }

  function shownSystem(gd) {
    const trace = gd._fullData.find(
      (t) => t.visible === true && t.meta && t.meta.system !== undefined,
    );
    return trace ? trace.meta.system : 0;
  }

  // the largest measured file with its largest record
  function startCell(facts, system) {
    for (let file = facts.files.length - 1; file >= 0; file--)
      for (let record = facts.records.length - 1; record >= 0; record--)
        if (valueAt(facts, { system, file, record }) != null)
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
      if (valueAt(facts, next) != null) return next;
    }
  }

  // ---- the marks ---------------------------------------------------------------

  // from data to pixels of the figure, for one of the flat panels
  function flat(gd, id) {
    const x = gd._fullLayout["xaxis" + id],
      y = gd._fullLayout["yaxis" + id];
    return x && y && ((a, b) => [x._offset + x.d2p(a), y._offset + y.d2p(b)]);
  }

  // the same for the 3D panel; null while it has no scene
  function solid(gd, host) {
    const scene = gd._fullLayout.scene && gd._fullLayout.scene._scene;
    if (!scene || !scene.glplot || !scene.container) return null;
    const { projection, view, model } = scene.glplot.cameraParams;
    const box = scene.container.getBoundingClientRect(),
      origin = host.getBoundingClientRect();
    const z = scene.fullSceneLayout.zaxis,
      by = scene.dataScale;
    const times = (m, v) =>
      [0, 1, 2, 3].map(
        (i) => m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2] + m[12 + i] * v[3],
      );
    const project = (a, b, c) => {
      const p = times(
        projection,
        times(view, times(model, [a * by[0], b * by[1], z.d2l(c) * by[2], 1])),
      );
      return [
        box.left - origin.left + (0.5 + (0.5 * p[0]) / p[3]) * box.width,
        box.top - origin.top + (0.5 - (0.5 * p[1]) / p[3]) * box.height,
      ];
    };
    project.floor = z.l2d ? z.l2d(z.r2l(z.range[0])) : z.range[0];
    return project;
  }

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
    const host = gd.querySelector(".svg-container") || gd;
    let svg = host.querySelector(":scope > svg.fsviz-marks");
    if (!svg) {
      svg = element(host, "svg", { class: "fsviz-marks", "aria-hidden": "true" });
      svg.style.cssText =
        "position:absolute;left:0;top:0;width:100%;height:100%;pointer-events:none;overflow:visible";
    }
    return [host, svg];
  }

  function ring(svg, [x, y], panel) {
    for (const [colour, width] of [
      ["#fff", 5],
      ["#d1105a", 2.5],
    ])
      element(svg, "circle", {
        cx: x,
        cy: y,
        r: 6,
        fill: "none",
        stroke: colour,
        "stroke-width": width,
        "data-mark": panel,
      });
  }

  function stroke(svg, d, panel) {
    for (const [colour, width] of [
      ["#fff", 5],
      ["#d1105a", 2.5],
    ])
      element(svg, "path", {
        d,
        fill: "none",
        stroke: colour,
        "stroke-width": width,
        "data-slice": panel,
      });
  }

  function paint(gd) {
    const facts = factsOf(gd),
      cell = gd.fsvizCell;
    const [host, svg] = overlay(gd);
    svg.replaceChildren();
    if (!facts || !cell) return;
    const x = Math.log2(facts.records[cell.record]),
      y = Math.log2(facts.files[cell.file]);
    const value = valueAt(facts, cell);
    const overRecord = slice(facts, cell, "record"),
      overFile = slice(facts, cell, "file");

    const place = flat(gd, "");
    const [x0, x1] = edges(facts.records, cell.record),
      [y0, y1] = edges(facts.files, cell.file);
    const [a, b] = [place(x0, y1), place(x1, y0)];
    for (const [colour, width] of [
      ["#fff", 5],
      ["#d1105a", 2.5],
    ])
      element(svg, "rect", {
        x: a[0],
        y: a[1],
        width: b[0] - a[0],
        height: b[1] - a[1],
        fill: "none",
        stroke: colour,
        "stroke-width": width,
        "data-mark": "heatmap",
      });

    for (const [id, points, at, name] of [
      ["2", overRecord, x, "record"],
      ["3", overFile, y, "file"],
    ]) {
      const project = flat(gd, id);
      if (!project) continue;
      stroke(svg, path(points, project), name);
      ring(svg, project(at, value), name);
    }

    const project = solid(gd, host);
    if (!project) return;
    stroke(
      svg,
      path(
        overRecord.map((p) => p && [p[0], y, p[1]]),
        project,
      ),
      "surface-record",
    );
    stroke(
      svg,
      path(
        overFile.map((p) => p && [x, p[0], p[1]]),
        project,
      ),
      "surface-file",
    );
    element(svg, "path", {
      d: path(
        [
          [x, y, value],
          [x, y, project.floor],
        ],
        project,
      ),
      fill: "none",
      stroke: "#d1105a",
      "stroke-width": 1.2,
      "stroke-dasharray": "3 3",
    });
    ring(svg, project(x, y, value), "surface");
  }

  // ---- the words ---------------------------------------------------------------

  function say(gd, facts, cell) {
    const out = gd.fsvizReadout;
    if (!out) return;
    const system = facts.systems[cell.system];
    const k = cell.file * facts.records.length + cell.record;
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
    const texts = {
      system: system.name,
      sizes:
        "file " +
        facts.files_text[cell.file] +
        ", record " +
        facts.records_text[cell.record],
      regime:
        system.regimes && system.regimes[cell.file]
          ? "regime " + system.regimes[cell.file]
          : "",
      value: significant(system.value[k]) + " " + facts.unit,
      runs: "n = " + n + (n > 1 ? " runs" : " run") + interval,
      found: system.found && k in system.found ? facts.rules[system.found[k]] : "",
      place: system.prefix + system.place[k],
    };
    out.replaceChildren(
      ...FIELDS.filter((name) => texts[name]).map((name) => {
        const part = document.createElement(name === "value" ? "strong" : "span");
        part.className = "fsviz-" + name;
        part.textContent = texts[name];
        return part;
      }),
    );
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

  const scenesOf = (gd) =>
    Object.keys(gd._fullLayout || {}).filter(
      (name) => /^scene\d*$/.test(name) && gd._fullLayout[name]._scene,
    );

  // all scenes of a figure with meta.cameras turn together; plotly moves one
  function turn(gd, seen) {
    const names = scenesOf(gd),
      scene = (name) => gd._fullLayout[name]._scene;
    const look = (name) => JSON.stringify(scene(name).getCamera());
    const source = names.find((name) => seen[name] && seen[name] !== look(name));
    if (source) {
      const camera = scene(source).getCamera();
      for (const name of names) {
        if (name !== source)
          scene(name).setViewport({ ...scene(name).fullSceneLayout, camera });
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
    const cameras = {},
      together = gd.layout.meta && gd.layout.meta.cameras;
    const frame = () => {
      if (together) turn(gd, cameras);
      const scene =
        gd._fullLayout && gd._fullLayout.scene && gd._fullLayout.scene._scene;
      const now =
        scene && scene.glplot
          ? String(scene.glplot.cameraParams.view) +
            scene.glplot.cameraParams.projection
          : "";
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

  function link(gd, readout) {
    if (gd.fsvizLinked) return;
    gd.fsvizLinked = true;
    gd.fsvizReadout = readout;
    const watch = follow(gd);
    gd.addEventListener("pointermove", watch);
    gd.addEventListener("wheel", watch, { passive: true });
    if (gd.layout.meta && gd.layout.meta.cameras)
      gd.on("plotly_relayout", (changes) => settle(gd, changes));
    if (!factsOf(gd)) return;
    gd.on("plotly_hover", (event) => choose(gd, cellOf(factsOf(gd), event.points[0])));
    for (const name of ["plotly_afterplot", "plotly_relayouting", "plotly_relayout"])
      gd.on(name, () => {
        if (gd.fsvizCell) paint(gd);
        watch();
      });
    const follows = () => {
      const cell = gd.fsvizCell,
        system = shownSystem(gd),
        facts = factsOf(gd);
      if (!cell || cell.system === system) return;
      gd.fsvizCell = null;
      const same = { ...cell, system };
      choose(gd, valueAt(facts, same) == null ? startCell(facts, system) : same);
    };
    gd.on("plotly_restyle", follows);
    gd.on("plotly_update", follows);
    gd.tabIndex = 0;
    gd.setAttribute("role", "group");
    gd.addEventListener("focus", () => {
      if (!gd.fsvizCell) choose(gd, startCell(factsOf(gd), shownSystem(gd)));
    });
    gd.addEventListener("keydown", (event) => {
      const move = STEPS[event.key];
      if (
        !move ||
        event.target !== gd ||
        event.ctrlKey ||
        event.altKey ||
        event.metaKey
      )
        return;
      event.preventDefault();
      const facts = factsOf(gd);
      choose(
        gd,
        gd.fsvizCell
          ? step(facts, gd.fsvizCell, move)
          : startCell(facts, shownSystem(gd)),
      );
    });
  }

  return { link, paint, choose, cellOf };
})();
