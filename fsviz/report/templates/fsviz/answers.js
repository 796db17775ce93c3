// The table of answers: a cell of an operation that the page draws opens its tab. The
// table can be read without this script.
for (const table of document.querySelectorAll(".answers")) {
  const cells = [...table.querySelectorAll("td[data-op]")].filter((cell) =>
    fsvizTabs.panel(cell.dataset.op),
  );
  for (const cell of cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...cell.childNodes);
    button.title = cell.title;
    cell.append(button);
    button.addEventListener("click", () => {
      fsvizState.set({ op: cell.dataset.op, system: cell.dataset.system });
      document.querySelector(".tab-bar")?.scrollIntoView({ block: "nearest" });
    });
  }
  const follow = ({ op, system }) => {
    for (const cell of cells)
      cell.classList.toggle(
        "chosen",
        cell.dataset.op === op && cell.dataset.system === system,
      );
  };
  fsvizState.follow(follow);
  follow(fsvizState.state);
}
fsvizState.read();
