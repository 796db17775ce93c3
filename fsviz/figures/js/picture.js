// One figure as a file: drawn flat, with its caption; for PDF it stays on the page.
// the caption stands at the bottom, below whatever room the axes have taken
async function withCaption(figure, text, below) {
  if (!text) return figure;
  const trial = document.createElement("div");
  // 3D panels take no room from the margins, and drawing them takes longest
  const flat = figure.data.filter((t) => !is3d(t));
  const data = flat.length ? flat.concat(bars(figure)) : figure.data;
  await Plotly.newPlot(trial, data, figure.layout, { staticPlot: true });
  const bottom = trial._fullLayout._size.b + below;
  Plotly.purge(trial);
  const caption = {
    text,
    align: "left",
    showarrow: false,
    xref: "paper",
    yref: "paper",
    x: 0,
    xanchor: "left",
    y: 0,
    yanchor: "bottom",
    yshift: -bottom,
    font: { size: 12, color: "#52606d" },
  };
  const layout = {
    ...figure.layout,
    margin: { ...figure.layout.margin, b: bottom },
    annotations: [...(figure.layout.annotations || []), caption],
  };
  return { ...figure, layout };
}

const drawn = (async () => {
  const { caption, below, form, scale, dark, ...stated } = JSON.parse(
    document.getElementById("figure").textContent,
  );
  const { layout } = stated;
  // the images that stand for 3D panels keep their places in what the margins leave
  const size = { width: layout.width, height: layout.height };
  const captioned = await withCaption(stated, caption, below);
  const flat = await flatten(dark ? inTheDark(captioned) : captioned);
  if (form !== "pdf") return Plotly.toImage(flat, { format: form, scale, ...size });
  const picture = document.createElement("img");
  picture.src = await Plotly.toImage(flat, { format: "svg", ...size });
  document.body.append(picture);
  await picture.decode();
  return "";
})();
