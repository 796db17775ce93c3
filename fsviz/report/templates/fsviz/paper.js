// On paper a figure is a picture: vectors, and each 3D part as an image inside.
const TALL = 900;
// two such figures share a page with some lines of text
const LOW = 400;

// Numbers by size are left to screens; the operation that the page opens with shows the
// system that it opens with.
function arrange() {
  for (const heading of document.querySelectorAll("[data-tab]"))
    for (const part of fsvizSection(heading)) {
      if (part.querySelector("details.fsviz-fold")) part.remove();
      else if (heading.dataset.opened) part.dataset.system = heading.dataset.opened;
    }
}

async function draw(holder) {
  const system = holder.closest(".output")?.dataset.system;
  const made = JSON.parse(holder.textContent);
  const figure = system ? fsvizChosen(made, { system }) : made;
  const place = document.getElementById(holder.dataset.figure);
  const height = figure.layout.height || 450;
  const tall = height > TALL;
  // a picture of two systems is made for a screen
  const least = figure.layout.meta?.cells?.headings ? 1280 : 1100;
  const width = tall ? 1100 : Math.max(least, Math.round(height * 1.95));
  if (tall) place.closest("figure").classList.add("tall");
  if (height <= LOW) place.closest("figure").classList.add("low");
  // menus, sliders and buttons do nothing on paper
  const layout = {
    ...figure.layout,
    width,
    height,
    autosize: false,
    updatemenus: [],
    sliders: [],
  };
  const picture = document.createElement("img");
  picture.alt = place.getAttribute("aria-label");
  try {
    const flat = await flatten({ data: figure.data, layout });
    picture.src = inline((await snapshot(flat)).svg);
    await picture.decode();
    place.replaceChildren(picture);
  } catch (error) {
    place.textContent = `This figure could not be drawn (${error}). It would show: ${picture.alt}`;
  }
  place.style.height = "auto";
}

// a figure that another one follows has a page of its own, unless both are low
function giveRoom() {
  const shown = (part) => part.querySelector("img") || part.textContent.trim();
  const heading = (part) => part.matches("section") && part.children.length === 1;
  const parts = [...document.querySelectorAll("main .output, main section.prose")]
    .filter(shown)
    .filter((part) => !heading(part));
  const figures = parts.map((part) => part.querySelector("figure"));
  for (const [n, figure] of figures.entries()) {
    const next = figures[n + 1];
    if (!figure || !next) continue;
    const both = [figure, next].every((one) => one.classList.contains("low"));
    if (!both) figure.classList.add("alone");
  }
}

// Chromium prints when the page has loaded: a frame that is still open holds that up
const holding = document.createElement("iframe");
document.body.append(holding);
holding.contentDocument.open();

(async () => {
  arrange();
  for (const holder of document.querySelectorAll("script[data-figure]")) {
    await draw(holder);
  }
  giveRoom();
  kept?.remove(); // it would have a page of its own
})().finally(() => {
  holding.contentDocument.close();
  holding.remove();
});
