// On paper a figure is a picture: vectors, and each 3D part as an image inside.
const TALL = 900;

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
    picture.src = inline((await snapshot({ data: figure.data, layout })).svg);
    await picture.decode();
    place.replaceChildren(picture);
  } catch (error) {
    place.textContent = `This figure could not be drawn (${error}). It would show: ${picture.alt}`;
  }
  place.style.height = "auto";
}

const letLoad = fsvizHoldLoad();
(async () => {
  arrange();
  for (const holder of document.querySelectorAll("script[data-figure]")) {
    await draw(holder);
  }
  kept?.remove(); // it would have a page of its own
})().finally(letLoad);
