// A figure as one flat picture: each 3D panel becomes an image in its place.

// plotly.js draws a 3D panel as large as the window before it draws it in its own size
window.innerWidth = window.innerHeight = 1;

// somewhere to draw that nobody sees
function hidden() {
  const place = document.createElement("div");
  place.style.position = "absolute";
  place.style.left = "-5000px";
  document.body.append(place);
  return place;
}

// Plotly.toImage draws a copy of what is drawn, and waits half a second for 3D panels
async function snapshot({ data, layout }) {
  const place = hidden();
  await Plotly.newPlot(place, data, layout, { staticPlot: true });
  const { svgOf, layoutOf } = plotlyInside;
  const drawn = { svg: svgOf(place), layout: layoutOf(place) };
  Plotly.purge(place);
  place.remove();
  return drawn;
}
const inline = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

// Several 3D panels share one drawing buffer in a static plot, and the depth of one
// hides parts of the next; so each is drawn alone and put in its place as an image.
// All in the same scene, which stays for the next figure: a new one compiles its shaders
// anew, which takes longer than to draw; so does Plotly.Snapshot.toSVG, which destroys
// the scene.
let kept;
function flatten(figure) {
  const names = Object.keys(figure.layout).filter(isScene);
  if (!names.length) return figure;
  kept ||= hidden();
  document.body.append(kept);
  return flattened(figure, names, kept);
}

async function flattened(figure, names, place) {
  const of = (trace) => trace.scene || "scene";
  const layout = { ...figure.layout, images: [...(figure.layout.images || [])] };
  const margin = { l: 0, r: 0, t: 0, b: 0, ...layout.margin };
  const inner = {
    width: layout.width - margin.l - margin.r,
    height: layout.height - margin.t - margin.b,
  };
  for (const name of names) {
    const { domain, ...scene } = layout[name];
    delete layout[name];
    const [x0, x1] = domain?.x || [0, 1],
      [y0, y1] = domain?.y || [0, 1];
    const traces = figure.data.filter((t) => isSolid(t) && of(t) === name);
    if (!traces.length) continue;
    const size = {
      width: Math.round(inner.width * (x1 - x0)),
      height: Math.round(inner.height * (y1 - y0)),
    };
    const alone = {
      data: traces.map((t) => ({ ...t, scene: "scene" })),
      layout: {
        scene,
        ...size,
        ...colours(layout),
        font: layout.font,
        template: layout.template,
        showlegend: false,
        margin: { l: 0, r: 0, t: 0, b: 0 },
      },
    };
    await Plotly.react(place, alone.data, alone.layout, { staticPlot: true });
    layout.images.push({
      source: plotlyInside.imageOf(place, "scene"),
      xref: "paper",
      yref: "paper",
      x: x0,
      y: y1,
      sizex: x1 - x0,
      sizey: y1 - y0,
      xanchor: "left",
      yanchor: "top",
      sizing: "stretch",
      layer: "below",
    });
  }
  const others = figure.data.filter((t) => !isSolid(t));
  // without a 2D panel the axes belong to nothing, and would cross the images
  if (!others.some((t) => (t.xaxis || "x") === "x")) {
    layout.xaxis = { ...layout.xaxis, visible: false };
    layout.yaxis = { ...layout.yaxis, visible: false };
  }
  return { data: others.concat(bars(figure)), layout };
}

function colours(layout) {
  const axes = Object.entries(layout).filter(([name]) => /^coloraxis\d*$/.test(name));
  return Object.fromEntries(
    axes.map(([name, axis]) => [name, { ...axis, showscale: false }]),
  );
}

// a colour bar is drawn only for an axis that some trace uses
function bars(figure) {
  const used = new Set(figure.data.map((t) => t.coloraxis).filter(Boolean));
  return [...used].map((coloraxis) => ({
    type: "scatter",
    x: [null],
    y: [null],
    hoverinfo: "skip",
    showlegend: false,
    marker: { color: [0], coloraxis },
    xaxis: "x",
    yaxis: "y",
  }));
}
