// One figure as a file: drawn flat, with its caption; for PDF it stays on the page.
const INK = "#52606d";

function raster(svg, size) {
  const canvas = document.createElement("canvas");
  const how = { format: "png", canvas, promise: true };
  return plotlyInside.rasterOf({ svg, ...size, ...how });
}

// the caption stands below whatever room the axes have taken, and begins where they do
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
    text.setAttribute("x", plotlyInside.leftOf(layout));
    text.setAttribute("y", height + line * i + 10);
    text.setAttribute("font-family", layout.font.family.replaceAll('"', "'"));
    text.setAttribute("font-size", "12px");
    text.setAttribute("fill", dark ? DARK[INK] : INK);
    text.textContent = words;
    root.append(text);
  });
  return new XMLSerializer().serializeToString(root);
}

// fsviz calls it, once a picture; the page stays
async function picture(text) {
  document.body.replaceChildren();
  const { figure, form, scale, ...said } = JSON.parse(text);
  const flat = await flatten(said.dark ? inTheDark(figure) : figure);
  const svg = withCaption(await snapshot(flat), said);
  const height = flat.layout.height + said.line * said.caption.length;
  const size = { width: flat.layout.width, height };
  if (form === "png") return raster(svg, { ...size, scale });
  if (form !== "pdf") return inline(svg);
  const page = document.createElement("img");
  page.src = inline(svg);
  document.body.append(page);
  await page.decode();
  return "";
}
