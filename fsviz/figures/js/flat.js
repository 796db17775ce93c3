// A figure as one flat picture: each 3D panel becomes an image in its place.

// somewhere to draw that nobody sees
function hidden() {
  const place = document.createElement("div");
  place.style.position = "absolute";
  place.style.left = "-5000px";
  document.body.append(place);
  return place;
}

const inline = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

// Several 3D panels share one drawing buffer in a static plot, and the depth of one
// hides parts of the next; so each is drawn alone and put in its place as an image.
// All in the same scene, which stays for the next figure: a new one compiles its shaders
// anew, which takes longer than to draw; so does Plotly.Snapshot.toSVG, which destroys
// the scene.
let kept, camera;
async function snapshot(figure) {
  const { flat, solids } = apart(figure);
  const { svgOf, layoutOf, imageOf, fillIn } = plotlyInside;
  // the browser fills a 3D panel in another process: meanwhile the rest is drawn here
  if (solids.length) await drawSolid(solids[0]);
  const place = hidden();
  // Plotly.toImage draws a copy of what is drawn, and waits half a second for 3D panels
  await Plotly.newPlot(place, flat.data, flat.layout, { staticPlot: true });
  for (const solid of solids) {
    if (solid !== solids[0]) await drawSolid(solid);
    fillIn(place, solid.source, imageOf(kept, "scene"));
  }
  const drawn = { svg: svgOf(place), layout: layoutOf(place) };
  Plotly.purge(place);
  place.remove();
  return drawn;
}

async function drawSolid({ data, layout }) {
  // a scene that is looked at from elsewhere turns there slowly
  const { eye, center, up, projection } = layout.scene.camera ?? {};
  const from = JSON.stringify([eye, center, up, projection]);
  if (kept && camera !== from) Plotly.purge(kept);
  camera = from;
  kept ||= hidden();
  document.body.append(kept);
  // plotly.js draws the 3D panel of a static plot as large as the window
  [window.innerWidth, window.innerHeight] = [layout.width, layout.height];
  await Plotly.react(kept, data, layout, { staticPlot: true });
  plotlyInside.fill(kept, "scene");
}

// Take the 3D panels out of a figure; an image without content stands in each one's place.
function apart(figure) {
  const names = Object.keys(figure.layout).filter(isScene);
  if (!names.length) return { flat: figure, solids: [] };
  const of = (trace) => trace.scene || "scene";
  const layout = { ...figure.layout, images: [...(figure.layout.images || [])] };
  const solids = [];
  for (const name of names) {
    const scene = layout[name];
    delete layout[name];
    const traces = figure.data.filter((t) => isSolid(t) && of(t) === name);
    if (!traces.length) continue;
    const solid = alone(scene, traces, layout);
    solids.push({ ...solid, source: `data:,${name}.` });
    layout.images.push({ source: `data:,${name}.`, ...placeOf(scene) });
  }
  const others = figure.data.filter((t) => !isSolid(t));
  // without a 2D panel the axes belong to nothing, and would cross the images
  if (!others.some((t) => (t.xaxis || "x") === "x")) {
    layout.xaxis = { ...layout.xaxis, visible: false };
    layout.yaxis = { ...layout.yaxis, visible: false };
  }
  return { flat: { data: others.concat(bars(figure)), layout }, solids };
}

const domainOf = ({ domain }) => ({ x: [0, 1], y: [0, 1], ...domain });

function alone({ domain, ...scene }, traces, layout) {
  const margin = { l: 0, r: 0, t: 0, b: 0, ...layout.margin };
  const { x, y } = domainOf({ domain });
  const inner = {
    width: layout.width - margin.l - margin.r,
    height: layout.height - margin.t - margin.b,
  };
  return {
    data: traces.map((t) => ({ ...t, scene: "scene" })),
    layout: {
      scene,
      width: Math.round(inner.width * (x[1] - x[0])),
      height: Math.round(inner.height * (y[1] - y[0])),
      ...colours(layout),
      font: layout.font,
      template: layout.template,
      showlegend: false,
      margin: { l: 0, r: 0, t: 0, b: 0 },
    },
  };
}

function placeOf(scene) {
  const { x, y } = domainOf(scene);
  return {
    xref: "paper",
    yref: "paper",
    x: x[0],
    y: y[1],
    sizex: x[1] - x[0],
    sizey: y[1] - y[0],
    xanchor: "left",
    yanchor: "top",
    sizing: "stretch",
    layer: "below",
  };
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
