// One figure as a file: drawn flat, with its caption; for PDF it stays on the page.
const INK = "#52606d";

async function raster(svg, size) {
  const canvas = document.createElement("canvas");
  const how = { format: "png", canvas, promise: true };
  const image = await plotlyInside.rasterOf({ svg, ...size, ...how });
  return image.split(",")[1];
}

// the caption stands below whatever room the axes have taken, and begins as the title
function withCaption({ svg, layout }, { caption, line, dark }) {
  if (!caption.length) return svg;
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const { width, height } = layout;
  const whole = height + line * caption.length;
  const paper = root.querySelector("rect");
  for (const part of [root, paper]) part.setAttribute("height", whole);
  root.setAttribute("viewBox", `0 0 ${width} ${whole}`);
  caption.forEach((words, i) => {
    const text = document.createElementNS(root.namespaceURI, "text");
    text.setAttribute("x", 0.01 * width);
    text.setAttribute("y", height + line * i + 10);
    text.setAttribute("font-family", layout.font.family.replaceAll('"', "'"));
    text.setAttribute("font-size", "12px");
    text.setAttribute("fill", dark ? DARK[INK] : INK);
    text.textContent = words;
    root.append(text);
  });
  return new XMLSerializer().serializeToString(root);
}

// kaleido calls it for each picture, and prints the page if that is to be a PDF
window.kaleido_scopes = {
  async plotly({ data: figure, format, scale }) {
    const { caption, line, dark } = figure.layout.meta;
    const drawn = await snapshot(dark ? inTheDark(figure) : figure);
    const svg = withCaption(drawn, { caption, line, dark });
    const { width } = figure.layout;
    const height = figure.layout.height + line * caption.length;
    if (format === "pdf") await onPage(svg, width, height);
    const size = { width, height, scale };
    const result = format === "png" ? await raster(svg, size) : svg;
    return { code: 0, format, result };
  },
};

async function onPage(svg, width, height) {
  const rule = `@page { size: ${width}px ${height}px; margin: 0; }`;
  const [sheet] = document.styleSheets;
  if (sheet.cssRules[0] instanceof CSSPageRule) sheet.deleteRule(0);
  sheet.insertRule(rule);
  const page = document.createElement("img");
  page.src = inline(svg);
  document.body.replaceChildren(page);
  await page.decode();
}
