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
// paper cannot be opened
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details.fold")) fold.open = true;
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

// what is wider than the window is scrolled, by the keyboard too
for (const output of document.querySelectorAll(".output"))
  if (output.scrollWidth > output.clientWidth) {
    output.tabIndex = 0;
    output.setAttribute("role", "region");
    output.setAttribute("aria-label", "Wider than the window: scroll sideways");
  }
