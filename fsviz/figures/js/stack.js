// A figure in a narrow window: numbers and labels that would touch one another are shortened
// or left out, a title goes on in another line, a legend stands below. A figure that says
// how it stands there (layout.meta.narrow, fsviz/figures/panels/_pair.py) does; one that
// needs more room (layout.meta.least) is scrolled sideways.
const fsvizStack = (() => {
  const NARROW = 700; // a figure of one panel [CSS px]
  const PAIR = 1000; // two panels beside one another [CSS px]
  const APART = 3; // between a number and the next [px]
  const TICK = 24; // the same of a label in two lines [px]
  const NAMES = 130; // of rows, left of a panel [px]
  const LETTER = 7; // of a label [px]
  const TITLE = 17; // as plotly.js writes one that states no size [px]
  const EDGE = 16; // left and right of a title [px]

  function shape(layout) {
    const { l = 80, r = 80, t = 100, b = 80 } = layout.margin || {};
    const height = layout.height || 450;
    return { l, r, t, b, height, inner: height - t - b };
  }

  const pen = document.createElement("canvas").getContext("2d");

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
      const shorter = { ...t, text: t.meta?.short ?? t.text };
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

  // a figure that says itself how it stands in a narrow window
  function merged(part, change) {
    const alike = Array.isArray(change) === Array.isArray(part);
    if (!(change instanceof Object && alike)) return change;
    const copy = Array.isArray(part) ? [...part] : { ...part };
    for (const [key, value] of Object.entries(change))
      copy[key] = copy[key] === undefined ? value : merged(copy[key], value);
    return copy;
  }

  function placedIn(figure, width) {
    const { data, layout } = figure;
    const { narrow, least } = layout.meta ?? {};
    if (narrow && width < PAIR) return { data, layout: merged(layout, narrow) };
    return narrow || least || width >= NARROW ? figure : underneath(figure, width);
  }

  // the figure as it stands in a window, and by what that differs from other widths
  return (figure, room) => {
    const width = Math.max(room, figure.layout.meta?.least ?? 0);
    const { data, layout, lines } = wrapped(placedIn(figure, width), width);
    const shown = numbered({ data, layout }, width);
    const written = (t, n) => t.mode !== "none" && (t === data[n] ? "whole" : "short");
    const pair = layout.meta?.narrow && width < PAIR;
    const form = [width < NARROW, pair, lines, ...shown.map(written)].join();
    return { figure: { data: shown, layout }, form };
  };
})();
