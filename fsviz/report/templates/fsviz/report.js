const button = document.getElementById("toggle-code");
button.addEventListener("click", () => {
  const shown = document.body.classList.toggle("with-code");
  button.textContent = shown ? "Hide code" : "Show code";
  button.setAttribute("aria-pressed", String(shown));
});

// contents: every second-level heading of the page
const contents = document.getElementById("contents");
for (const heading of document.querySelectorAll("main h2")) {
  heading.id ||= `section-${contents.children.length + 1}`;
  const link = document.createElement("a");
  link.href = `#${heading.id}`;
  link.textContent = heading.firstChild.textContent;
  contents.append(link);
}

// sections that few need are folded under their heading
for (const head of document.querySelectorAll("section[data-folded]")) {
  const title = head.querySelector("h2");
  const fold = document.createElement("details");
  fold.className = "fold";
  const summary = document.createElement("summary");
  head.before(fold);
  summary.append(title);
  fold.append(summary, head);
  while (fold.nextElementSibling && !fold.nextElementSibling.querySelector("h2"))
    fold.append(fold.nextElementSibling);
}
// in a narrow window, of figures that are read alike the first is open; a fold has what
// belongs to its figure
const narrow = matchMedia("(max-width: 700px)");
const outputOf = (figure) => figure.closest(".output");
const again = document.querySelectorAll('figure[data-again]:not([data-again=""])');
for (const figure of [...again].filter((f) => !f.closest("details"))) {
  const fold = document.createElement("details");
  fold.className = "fsviz-again";
  fold.open = !narrow.matches;
  const summary = document.createElement("summary");
  summary.textContent = figure.dataset.again;
  const first = outputOf(figure);
  first.before(fold);
  fold.append(summary, first);
  let next = fold.nextElementSibling;
  while (next?.matches(".output") && !next.querySelector(":scope > figure")) {
    fold.append(next);
    next = fold.nextElementSibling;
  }
}
narrow.addEventListener("change", () => {
  if (narrow.matches) return;
  for (const fold of document.querySelectorAll(".fsviz-again")) fold.open = true;
});
function openAt(id) {
  const place = document.getElementById(id);
  for (
    let fold = place?.closest("details");
    fold;
    fold = fold.parentElement.closest("details")
  )
    fold.open = true;
  place?.scrollIntoView();
}
document.addEventListener("click", ({ target }) => {
  const link = target.closest?.('a[href^="#"]');
  if (link) openAt(link.hash.slice(1));
});
if (location.hash) openAt(location.hash.slice(1));

// tables: a click on a heading sorts by it; numbers by value, whatever their unit
const FACTORS = {
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
  µs: 1e-6,
  ms: 1e-3,
};
function key(cell) {
  const match = cell.textContent.trim().match(/^>?([-+]?[\d,.]+)×?\s*([A-Za-zµ]*)/);
  if (!match) return null;
  return parseFloat(match[1].replaceAll(",", "")) * (FACTORS[match[2]] || 1);
}
function compare(a, b) {
  const [x, y] = [key(a), key(b)];
  if (x !== null && y !== null) return x - y;
  if (x !== null || y !== null) return x === null ? 1 : -1;
  return a.textContent.localeCompare(b.textContent);
}
for (const table of document.querySelectorAll("table:not(.cells)")) {
  const rows = table.tBodies[0];
  table.tHead?.querySelectorAll("th").forEach((heading, column) => {
    heading.tabIndex = 0;
    const sort = () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.querySelectorAll("th"))
        other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sorted = [...rows.rows].sort(
        (a, b) => (down ? -1 : 1) * compare(a.cells[column], b.cells[column]),
      );
      rows.append(...sorted);
    };
    heading.addEventListener("click", sort);
    heading.addEventListener("keydown", (event) => event.key === "Enter" && sort());
  });
}

// what is wider than the window is scrolled, by the keyboard too
for (const output of document.querySelectorAll(".output"))
  if (output.scrollWidth > output.clientWidth) {
    output.tabIndex = 0;
    output.setAttribute("role", "region");
    output.setAttribute("aria-label", "Wider than the window: scroll sideways");
  }
