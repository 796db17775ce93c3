// The matrix: a menu shows another view; a cell opens what is behind it. Without this
// script the first view stands there as a table.
for (const matrix of document.querySelectorAll(".matrix")) {
  const dialog = matrix.querySelector("dialog");
  const menu = matrix.querySelector(".matrix-menu select");
  const lines = JSON.parse(matrix.querySelector(".matrix-lines").textContent);
  const more = matrix.querySelector(".matrix-more");
  // where a table does not fit, each system is a block, and a cell says its operation
  function label(view) {
    const [tools, titles] = view.querySelectorAll("thead tr");
    const names = [...tools.querySelectorAll("th[colspan]")];
    const above = names.flatMap((th) => Array(th.colSpan).fill(th.textContent));
    // its threads and setting only where it stands there with others too
    const tool = (text) => text.split(",")[0];
    const under = (text) =>
      above.some((other) => other !== text && tool(other) === tool(text))
        ? text
        : tool(text);
    const words = (th) => th.innerText.replaceAll("\n", " ");
    const heads = [...titles.cells].map(words);
    const means = [...titles.cells].map((th) => th.classList.contains("mean"));
    const beside = [...tools.querySelectorAll("th[rowspan]")].map(words);
    if (names.length > 1)
      for (const [n, head] of heads.entries())
        if (
          n === 0 ||
          above[n] !== above[n - 1] ||
          heads.indexOf(head) !== n ||
          means[n]
        )
          heads[n] = `${under(above[n])} ${head}`;
    // of a tool with means, a block shows these first
    const averaged = new Set(above.filter((_, n) => means[n]));
    for (const row of view.querySelectorAll("tbody tr")) {
      for (const [n, cell] of [...row.querySelectorAll("td")].entries()) {
        cell.dataset.title = [...heads, ...beside][n];
        cell.classList.toggle("part", averaged.has(above[n]) && !means[n]);
      }
      offerAll(row);
    }
  }
  // a button that shows a system's other operations too
  function offerAll(row) {
    const parts = row.querySelectorAll("td.part:not(:empty)").length;
    if (!parts || row.querySelector(".matrix-all")) return;
    const all = document.createElement("button");
    all.type = "button";
    all.className = "matrix-all";
    all.textContent = `${parts} operations`;
    all.setAttribute("aria-expanded", "false");
    all.addEventListener("click", () => {
      all.setAttribute("aria-expanded", String(row.classList.toggle("whole")));
      keepStop(row.closest("table"));
    });
    row.querySelector("th").append(all);
  }
  // the stop of the tabulator is a cell that can be seen
  function keepStop(table) {
    const cells = [...table.querySelectorAll("td[data-told] > button")];
    const stop = cells.find((cell) => cell.tabIndex === 0);
    const seen = cells.find((cell) => cell.offsetParent);
    if (!stop || !seen || stop.offsetParent) return;
    stop.tabIndex = -1;
    seen.tabIndex = 0;
  }
  function stack(scroller) {
    scroller.classList.remove("matrix-stacked");
    const wide = scroller.scrollWidth > scroller.clientWidth + 1;
    scroller.classList.toggle("matrix-stacked", wide);
    keepStop(scroller);
  }
  const widths = new WeakMap();
  const observer = new ResizeObserver((seen) => {
    for (const { target } of seen) {
      // stacking changes its height, which is no reason to look again
      if (widths.get(target) === target.clientWidth) continue;
      widths.set(target, target.clientWidth);
      requestAnimationFrame(() => stack(target));
    }
  });
  const headlines = JSON.parse(matrix.dataset.headlines);
  const headline = matrix
    .closest(".code-cell")
    ?.querySelector(":scope > .output.prose > p:only-child > strong:only-child");
  const here = document.createElement("p");
  here.className = "told-here";
  here.setAttribute("role", "status");
  document.querySelector(".tab-bar")?.after(here);
  const systemOf = (cell) => cell.dataset.system;
  const shownView = () => matrix.querySelector(".matrix-view:not([hidden])");

  // what is behind the cell of the operation and system that the page shows
  function follow({ op, system, ref }) {
    const option = menu && [...menu.options].find((one) => one.dataset.ref === ref);
    if (menu && ref && !option) {
      fsvizState.set({ ref: menu.options[0].dataset.ref });
      return;
    }
    if (option && shownRef !== ref) {
      menu.value = option.value;
      showView();
      return;
    }
    for (const cell of matrix.querySelectorAll("td.chosen"))
      cell.classList.remove("chosen");
    const cells = [...shownView().querySelectorAll(`td[data-op="${CSS.escape(op)}"]`)];
    const cell = cells.find((one) => systemOf(one) === system);
    here.replaceChildren();
    if (!cell) return;
    cell.classList.add("chosen");
    const [title, ...rest] = linesOf(cell);
    const name = document.createElement("b");
    name.textContent = title;
    here.append(name, ": ", rest.join(" · "));
  }
  // title, ratio, and what to beware of (fsviz/report/matrix.py, _told)
  const heardOf = (cell) =>
    linesOf(cell).filter((line, n) => n < 2 || /^(About|Beware): /.test(line));
  const linesOf = (cell) => cell.dataset.told.split(" ").map((n) => lines[n]);

  // one stop of the tabulator a table; the arrow keys go on from there
  function prepare(view) {
    const cells = [...view.querySelectorAll("td[data-told]:not(:has(button))")];
    for (const cell of cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.append(...cell.childNodes);
      button.setAttribute("aria-label", heardOf(cell).join(", "));
      cell.append(button);
    }
    if (cells.length) cells[0].firstChild.tabIndex = 0;
    label(view);
    observer.observe(view.querySelector(".matrix-scroll"));
  }

  function tell(cell) {
    const [title, ...rest] = linesOf(cell);
    const head = document.createElement("h3");
    head.textContent = title;
    const told = rest.map((line) => {
      const row = document.createElement("p");
      row.textContent = line;
      return row;
    });
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "Close";
    close.addEventListener("click", () => dialog.close());
    dialog.replaceChildren(head, ...told, close);
    dialog.showModal();
  }

  const STEPS = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
  };

  function go(event) {
    const step = STEPS[event.key];
    const cell = event.target.closest("td[data-told]");
    if (!step || !cell) return;
    event.preventDefault();
    const rows = [...cell.closest("tbody").rows];
    let row = rows.indexOf(cell.parentElement),
      column = cell.cellIndex,
      next = null;
    // past what was not measured or is not shown, to the next cell
    do {
      row += step[0];
      column += step[1];
      next = rows[row]?.cells[column];
    } while (next && !(next.dataset.told && next.offsetParent));
    if (!next) return;
    event.target.tabIndex = -1;
    next.firstChild.tabIndex = 0;
    next.firstChild.focus();
  }

  prepare(matrix.querySelector(".matrix-view:not([hidden])"));
  matrix.addEventListener("keydown", go);
  matrix.addEventListener("click", ({ target }) => {
    const cell = target.closest("td[data-told]");
    const panel = cell && fsvizTabs.panel(cell.dataset.op);
    if (panel) {
      fsvizState.set({ op: cell.dataset.op, system: systemOf(cell) });
      panel.scrollIntoView({ block: "nearest" });
    } else if (cell) tell(cell);
    else if (target === dialog) dialog.close();
  });
  // the views that were not shown so far, as they were packed (fsviz/report/matrix.py)
  function build({ views, lines: others }) {
    lines.push(...others);
    let last = matrix.querySelector(".matrix-view");
    for (const [n, table] of views.entries()) {
      const view = document.createElement("div");
      view.className = "matrix-view";
      view.id = `matrix-${n + 1}`;
      view.hidden = true;
      view.innerHTML = table;
      for (const cell of view.querySelectorAll("td[data-ground]")) {
        cell.style.background = cell.dataset.ground;
        cell.style.color = cell.dataset.ink;
      }
      last.after(view);
      last = view;
    }
  }
  let building = null;
  // a view of other sizes has the same reference
  let shownRef = menu?.selectedOptions[0].dataset.ref;

  async function showView() {
    shownRef = menu.selectedOptions[0].dataset.ref ?? shownRef;
    await (building ??= fsvizUnpack(more.textContent).then(build));
    for (const view of matrix.querySelectorAll(".matrix-view"))
      view.hidden = view.id !== menu.value;
    prepare(document.getElementById(menu.value));
    const said = headlines[menu.selectedIndex];
    if (headline && said) headline.textContent = said;
    follow(fsvizState.state);
  }
  menu?.addEventListener("change", () => {
    const { ref } = menu.selectedOptions[0].dataset;
    if (ref && ref !== fsvizState.state.ref) fsvizState.set({ ref });
    else showView();
  });
  fsvizState.begin({ ref: menu?.selectedOptions[0].dataset.ref });
  fsvizState.follow(follow);
  follow(fsvizState.state);
}
fsvizState.read();
