// What belongs to the heading of an operation: all that follows it, up to the next one.
function fsvizSection(heading) {
  const parts = [];
  let next = heading.closest(".output").nextElementSibling;
  while (next && !next.querySelector("[data-tab]")) {
    parts.push(next);
    next = next.nextElementSibling;
  }
  return parts;
}
