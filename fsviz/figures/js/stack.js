// In a narrow window the panels of a figure stand below one another. layout.meta.panels
// (fsviz/figures/style.py, panel_grid) says how they stand on a wide one; an axis or a
// heading belongs to the panel in whose cell it lies.
const fsvizStack = (() => {
  const NARROW = 700; // a figure of one panel [CSS px]
  const BARS = 84; // room for colour bars below the panels [px]
  const MENUS = 40; // room for menus and buttons between title and panels [px]
  const APART = 3; // between a number and the next [px]
  const TICK = 24; // the same of a label in two lines [px]
  const NAMES = 130; // of rows, left of a panel [px]
  const LETTER = 7; // of a label [px]
  const SHARED = 140; // beside the last panel there is room for the colour bars [px]
  const SCENE = 420; // a narrower surface cuts the names at its sides off [px]
  const SLIM = 500; // what is kept for numbers between two panels is too little [px]
  const TITLE = 17; // as plotly.js writes one that states no size [px]
  const EDGE = 16; // left and right of a title [px]
  const isAxis = (key) => /^[xy]axis\d*$/.test(key);
  const isScene = (key) => /^scene\d*$/.test(key);
  const isColours = (key) => /^coloraxis\d*$/.test(key);
  const within = (place, count) => Math.min(count - 1, Math.max(0, Math.floor(place)));

  function shape(layout) {
    const { l = 80, r = 80, t = 100, b = 80 } = layout.margin || {};
    const height = layout.height || 450;
    return { l, r, t, b, height, inner: height - t - b };
  }

  // how many panels of a figure fit side by side
  function columnsFor({ layout }, width) {
    const grid = layout.meta && layout.meta.panels;
    if (!grid) return width < NARROW ? 1 : 2;
    // two are wider than three with colour bars beside them
    const fit = Math.max(
      1,
      Math.min(grid.columns, Math.floor((width - 20) / grid.least)),
    );
    // the same rows, but the last of them not nearly empty (style.py, balanced)
    return Math.ceil(grid.count / Math.ceil(grid.count / fit));
  }

  // from places in the wide figure to places in the narrow one
  function mover(grid, columns, before, inner, step, lower) {
    const cell = (x, y) => {
      const column = within((x / grid.ends) * grid.columns, grid.columns);
      const row = within((1 - y) * grid.rows, grid.rows);
      const n = row * grid.columns + column;
      return { column, row, across: n % columns, down: Math.floor(n / columns) };
    };
    const high = before.inner / grid.rows;
    return (x, y) => {
      const { column, row, across, down } = cell(x, y);
      return {
        x: (at) => (across + (at / grid.ends) * grid.columns - column) / columns,
        y: (at) => {
          const below = ((1 - at) * grid.rows - row) * high;
          return 1 - (down * step + below - (below > high / 2 ? lower : 0)) / inner;
        },
      };
    };
  }

  const pen = document.createElement("canvas").getContext("2d");

  // 3457 as 3.5k and 16.9 as 17, which are narrower; the colour says what a sign says
  function short(text) {
    if (/^\d{4}$/.test(text)) return `${(Number(text) / 1000).toFixed(1)}k`;
    const plain = text.replace(/^[▲▼]/, "");
    return /^\d+\.\d+$/.test(plain) && plain.length > 3
      ? String(Number(Number(plain).toPrecision(2)))
      : plain;
  }

  // numbers that would touch one another are written shorter, or left out
  function numbered({ data, layout }, width) {
    const { l, r } = shape(layout);
    pen.font = `11px ${layout.font?.family ?? "sans-serif"}`;
    const cellOf = (trace) => {
      const name = "xaxis" + (trace.xaxis || "x").slice(1);
      const { domain: [low, high] = [0, 1], range } = layout[name] || {};
      const columns = range ? range[1] - range[0] : new Set(trace.x).size;
      return ((high - low) * (width - l - r)) / Math.max(1, columns);
    };
    const widest = ({ text }) =>
      Math.max(...[text ?? ""].flat().map((one) => pen.measureText(one).width));
    const crowded = (t) => t.mode === "text" && widest(t) + APART > cellOf(t);
    return data.map((t) => {
      if (!crowded(t)) return t;
      const shorter = { ...t, text: [t.text ?? ""].flat().map(short) };
      return crowded(shorter) ? { ...t, mode: "none" } : shorter;
    });
  }

  // labels that would touch one another are left out
  function thinned({ data, layout }, wide) {
    const next = { ...layout };
    for (const key of Object.keys(layout).filter((name) => name.startsWith("xaxis"))) {
      const { tickvals, ticktext, domain = [0, 1], anchor = "y" } = layout[key];
      const names = (layout[anchor.replace("y", "yaxis")] || {}).automargin;
      const room = (domain[1] - domain[0]) * (wide - (names ? NAMES : 0));
      // of two lines the longer one needs the room
      const lines = (ticktext || []).map((text) =>
        text.split("<br>").reduce((a, b) => (b.length > a.length ? b : a)),
      );
      if (LETTER * (lines.join("").length + lines.length) <= room) continue;
      const every = Math.ceil((TICK * tickvals.length) / room);
      const kept = (_, n) => (tickvals.length - 1 - n) % every === 0;
      next[key] = {
        ...layout[key],
        tickangle: 0,
        tickvals: tickvals.filter(kept),
        ticktext: ticktext.filter(kept).map((text) => text.replace(" ", "<br>")),
      };
    }
    return { data, layout: next };
  }

  const middle = ([low, high]) => (low + high) / 2;
  const clamped = (ends) => ends.map((end) => Math.min(1, Math.max(0, end)));

  // the panel of an axis: that of its own domain and of the one it is anchored to
  function axisPlace(key, layout, move) {
    const own = layout[key].domain || [0, 1];
    const other = layout[(layout[key].anchor || "x").replace(/^[xy]/, "$&axis")] || {};
    const [x, y] = key[0] === "x" ? [own, other.domain] : [other.domain, own];
    const to = move(middle(x || [0, 1]), middle(y || [0, 1]))[key[0]];
    return { ...layout[key], domain: clamped(own.map(to)) };
  }

  function scenePlace(scene, move, columns, wide) {
    const { x = [0, 1], y = [0, 1] } = scene.domain || {};
    const to = move(middle(x), middle(y));
    // in one column nothing stands beside it
    const across = columns === 1 ? [0, 1] : clamped(x.map(to.x));
    const domain = { x: across, y: clamped(y.map(to.y)) };
    const small = (domain.x[1] - domain.x[0]) * wide < SCENE ? 0.66 : 1;
    const ratio = Object.entries(scene.aspectratio || {});
    const aspectratio = Object.fromEntries(ratio.map(([k, v]) => [k, v * small]));
    return { ...scene, domain, ...(ratio.length && { aspectratio }) };
  }

  function placed(part, move) {
    const to = move(part.x, part.y);
    return { ...part, x: to.x(part.x), y: to.y(part.y) };
  }

  // by how much a map is higher than wide, in so many columns [px]
  function excess(layout, grid, columns, before, width) {
    const length = ([low, high]) => high - low;
    const wide = (length(layout.xaxis.domain) / grid.ends) * (grid.columns / columns);
    const high = length(layout.yaxis.domain) * before.inner;
    return Math.max(0, high - wide * (width - before.l - before.r));
  }

  // where colour bars lie [parts of the figure]: in what is left of the last row, one
  // below the other, or side by side below all
  const barShared = (n, count, free, share) => ({
    x: 1 - free / 2,
    y: ((count - n - 0.7) * share) / count,
    len: 0.84 * free,
  });
  const barUnder = (n, count) => ({ x: (n + 0.5) / count, y: 0, len: 0.84 / count });

  // a colour bar beside the panels lies down
  function barBelow(axis, place, wide) {
    const { colorbar } = axis;
    const { tickvals = [], ticktext = [] } = colorbar;
    // the ends and the middle stay
    const crowded =
      LETTER * (ticktext.join("").length + tickvals.length) > place.len * wide * 0.7;
    const kept = (_, k) => !crowded || k % Math.max(1, (tickvals.length - 1) / 2) === 0;
    return {
      ...axis,
      colorbar: {
        ...colorbar,
        ...place,
        orientation: "h",
        xanchor: "center",
        yanchor: "bottom",
        thickness: 10,
        title: { ...colorbar.title, side: "top", font: { size: 11 } },
        tickfont: { size: 10 },
        tickangle: 0,
        ...(colorbar.tickvals && {
          tickvals: tickvals.filter(kept),
          ticktext: ticktext.filter(kept),
        }),
      },
    };
  }

  function restack({ data, layout }, columns, width) {
    const grid = layout.meta.panels;
    const before = shape(layout);
    const beside = Object.keys(layout).filter(
      (key) => isColours(key) && (layout[key].colorbar?.x ?? 0) >= grid.ends,
    );
    const rows = Math.ceil(grid.count / columns);
    const lower = grid.square ? excess(layout, grid, columns, before, width) : 0;
    const step = before.inner / grid.rows - lower;
    const free = rows - grid.count / columns;
    const shared = free * width >= SHARED;
    const inner = rows * step + (beside.length && !shared ? BARS : 0);
    const top = before.t + (layout.updatemenus ? MENUS : 0);
    const height = inner + top + before.b;
    const move = mover(grid, columns, before, inner, step, lower);
    const bar = (n) =>
      shared
        ? barShared(n, beside.length, free, step / inner)
        : barUnder(n, beside.length);
    // numbers and names at the left of the only column need room
    const margin = { ...layout.margin, t: top, l: columns === 1 ? 24 : before.l };
    const next = { ...layout, height, margin };
    for (const key of Object.keys(layout)) {
      const part = layout[key];
      if (isAxis(key)) {
        next[key] = axisPlace(key, layout, move);
        // its numbers may be wider than what was kept for them between two panels
        if (width < SLIM && part.title?.standoff) next[key].automargin = true;
      }
      if (isScene(key)) next[key] = scenePlace(part, move, columns, width);
      else if (beside.includes(key))
        next[key] = barBelow(part, bar(beside.indexOf(key)), width);
    }
    next.annotations = (layout.annotations || []).map((note) =>
      note.xref === "paper" && note.yref === "paper" ? placed(note, move) : note,
    );
    next.updatemenus = (layout.updatemenus || []).map((menu, n) => ({
      ...menu,
      font: { size: 9 },
      x: 0.55 * n,
      y: 1 + 44 / inner,
      yanchor: "middle",
    }));
    return thinned({ data, layout: titled(next, before.height) }, width);
  }

  // where a title stands in another height, as far from the upper edge and some more
  const lowered = ({ y = 0.985 }, before, height, more = 0) =>
    1 - ((1 - y) * before + more) / height;

  function titled(layout, before) {
    const { title, height } = layout;
    if (!title) return layout;
    const y = lowered(title, before, height);
    return { ...layout, title: { ...title, y, font: { ...title.font, size: 15 } } };
  }

  // a title that is wider than the figure goes on in another line
  function wrapped({ data, layout }, width) {
    const { title } = layout;
    if (!title?.text) return { data, layout, lines: 1 };
    const size = title.font?.size ?? TITLE;
    const face = layout.font?.family ?? "sans-serif";
    // what stands between <b> and </b> is bold
    const wide = (words) =>
      words.split(/<\/?b>/).reduce((all, part, n) => {
        pen.font = `${n % 2 ? "bold" : "normal"} ${size}px ${face}`;
        return all + pen.measureText(part.replace(/<[^>]+>/g, "")).width;
      }, 0);
    const lines = [""];
    for (const word of title.text.split(" ")) {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (lines.at(-1) && wide(longer) > width - 2 * EDGE) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    const more = (lines.length - 1) * 1.3 * size;
    const { t, height } = shape(layout);
    const grown = { height: height + more, margin: { ...layout.margin, t: t + more } };
    // plotly.js begins the lines of several higher than a single one, by its capitals
    const y = lowered(title, height, grown.height, 0.7 * size);
    const text = lines.join("<br>");
    const next = more ? { ...layout, ...grown, title: { ...title, text, y } } : layout;
    return { data, layout: next, lines: lines.length };
  }

  // one panel needs only its legend out of the way
  function underneath({ data, layout }, width) {
    const before = shape(layout);
    const named = data.filter((t) => t.showlegend !== false && t.name);
    if (!named.length || layout.showlegend === false)
      return thinned({ data, layout: titled(layout, before.height) }, width);
    const longest = Math.max(...named.map((t) => t.name.length));
    const aLine = Math.max(1, Math.floor((width - 20) / (50 + 7 * longest)));
    const room = 50 + 20 * Math.ceil(named.length / aLine);
    const legend = { ...layout.legend, orientation: "h", x: 0, xanchor: "left" };
    const height = before.height + room;
    const low = { y: -44 / before.inner, yanchor: "top" };
    const next = { ...layout, height, legend: { ...legend, ...low } };
    next.margin = { ...layout.margin, b: before.b + room };
    return thinned({ data, layout: titled(next, before.height) }, width);
  }

  // two panels beside one another need this [px]
  const PAIR = 1000;

  // a figure that says itself how it stands in a narrow window
  function merged(part, change) {
    if (
      !change ||
      typeof change !== "object" ||
      Array.isArray(change) !== Array.isArray(part)
    )
      return change;
    const copy = Array.isArray(part) ? [...part] : { ...part };
    for (const [key, value] of Object.entries(change))
      copy[key] = copy[key] === undefined ? value : merged(copy[key], value);
    return copy;
  }

  const inNarrow = ({ data, layout }) => ({
    data,
    layout: merged(layout, layout.meta.narrow),
  });

  function placedIn(figure, columns, width) {
    const grid = figure.layout.meta && figure.layout.meta.panels;
    if (figure.layout.meta?.narrow) return width < PAIR ? inNarrow(figure) : figure;
    if (columns >= (grid ? grid.columns : 2)) return figure;
    return grid ? restack(figure, columns, width) : underneath(figure, width);
  }

  // the figure as it stands in a window, and by what that differs from other widths
  return (figure, width) => {
    const columns = columnsFor(figure, width);
    const { data, layout, lines } = wrapped(placedIn(figure, columns, width), width);
    const shown = numbered({ data, layout }, width);
    const written = (t, n) => t.mode !== "none" && (t === data[n] ? "whole" : "short");
    const narrow = layout.meta?.narrow && width < PAIR;
    const form = [columns, narrow, lines, ...shown.map(written)].join();
    return { figure: { data: shown, layout }, form };
  };
})();
