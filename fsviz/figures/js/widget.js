// What anywidget runs in JupyterLab; linked.js and stack.js stand before it. plotly.js is
// a trait and not part of the module: anywidget gives a module two seconds to load.
function drawing(Plotly, parent) {
  const [gd, readout, caption] = ["div", "div", "p"].map((name) =>
    document.createElement(name),
  );
  readout.className = "fsviz-readout";
  readout.setAttribute("role", "status");
  gd.style.width = "100%";
  const parts = [gd, readout, caption];
  parent.append(...parts);
  let figure = null,
    width = 0,
    form = "";

  // laid out for the width that there is, as on a page; before it is shown there is none
  const place = () => {
    if (!figure || !gd.clientWidth) return null;
    const placed = fsvizStack(figure, gd.clientWidth);
    [width, form] = [gd.clientWidth, placed.form];
    gd.style.height = (placed.figure.layout.height || 450) + "px";
    gd.style.minWidth = (figure.layout.meta?.least ?? 0) + "px";
    const { data, layout } = structuredClone(placed.figure);
    return Plotly.react(gd, data, layout, { responsive: true, ...fsvizOffline });
  };

  async function fit() {
    if (gd.clientWidth === width || !gd.clientWidth || !figure) return;
    const drawn = Boolean(gd.data);
    if (drawn && fsvizStack(figure, gd.clientWidth).form === form) {
      width = gd.clientWidth;
      await Plotly.Plots.resize(gd);
      return;
    }
    await place();
    link();
  }
  new ResizeObserver(() => requestAnimationFrame(fit)).observe(gd);

  function link() {
    if (!gd.data) return;
    fsvizLink.link(gd, readout);
    fsvizLink.follows(gd);
  }

  const draw = async (next) => {
    figure = next;
    for (const part of parts) part.hidden = false;
    const meta = figure.layout.meta || {};
    gd.setAttribute("aria-label", meta.alt || "figure");
    caption.textContent = meta.caption || "";
    readout.hidden = !meta.cells;
    readout.textContent =
      "Point at a cell, or click the figure and use the arrow keys.";
    gd.fsvizCell = null;
    await place();
    link();
  };
  const hide = () => {
    for (const part of parts) part.hidden = true;
  };
  // what stands there still answers the choice before
  const pale = (busy) => {
    gd.style.opacity = busy ? "0.3" : "";
    gd.setAttribute("aria-busy", String(busy));
  };
  return { draw, hide, pale };
}

function render({ model, el }) {
  // not one that the page may have: only with ours do the marks find their places
  globalThis.fsvizPlotly ??= new Function(
    model.get("library") + "\n;return window.Plotly",
  )();
  // once, however many widgets a notebook has
  if (!globalThis.fsvizDressed) fsvizLink.dress();
  globalThis.fsvizDressed = true;
  const draws = [],
    shown = [];
  const follow = async () => {
    const figures = model.get("figures");
    // before anything is drawn: meanwhile the next figures may come
    for (const [place, text] of figures.entries()) {
      draws[place] ??= drawing(globalThis.fsvizPlotly, el);
      draws[place].pale(!text);
    }
    for (const [place, text] of figures.entries()) {
      // most choices change one figure of several
      if (!text || shown[place] === text) continue;
      shown[place] = text;
      await draws[place].draw(JSON.parse(text));
    }
    for (const { hide } of draws.slice(figures.length)) hide();
    shown.length = Math.min(shown.length, figures.length);
  };
  model.on("change:figures", follow);
  follow();
  return () =>
    el
      .querySelectorAll(".js-plotly-plot")
      .forEach((gd) => globalThis.fsvizPlotly.purge(gd));
}

export default { render };
