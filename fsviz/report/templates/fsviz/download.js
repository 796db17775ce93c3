// Every table and figure as CSV, made from what stands in the page. A text that begins
// like a formula stays as it is (SECURITY.md): a file for spreadsheets is what
// `fsviz … -o x.xlsx` writes.
{
  const quoted = (text) =>
    /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const csvOf = (rows) =>
    rows
      .map((row) => row.map((v) => quoted(String(v ?? ""))).join(",") + "\n")
      .join("");

  function save(rows, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csvOf(rows)], { type: "text/csv" }));
    link.download = `${name}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // a row's name goes without what stands below it; a cell over several columns leaves
  // the others empty
  const textOf = (cell) =>
    (cell.scope === "row" && cell.firstChild?.textContent) || cell.innerText;
  const rowOf = (row) =>
    [...row.cells].flatMap((cell) => [
      textOf(cell).trim().replaceAll("\n", " "),
      ...Array.from({ length: cell.colSpan - 1 }, () => ""),
    ]);

  const HEAD = "system,file_size_bytes,record_size_bytes,value,unit,least,most,runs";

  // one row a system and cell, of what was measured
  function cellRows({ systems, files, records, unit }) {
    const at = (list, k) => (Array.isArray(list) ? list[k] : list);
    const rows = systems.flatMap((one) =>
      one.value.map((value, k) => [
        one.name,
        files[Math.floor(k / records.length)],
        records[k % records.length],
        value,
        unit,
        ...[one.least, one.most, one.runs].map((list) => at(list, k)),
      ]),
    );
    return [HEAD.split(","), ...rows.filter((row) => row[3] !== null)];
  }

  const traceRows = (traces) => [
    ["trace", "x", "y"],
    ...traces.flatMap(({ name, x, y }) =>
      Array.from(x ?? [], (value, k) => [name, value, y?.[k]]),
    ),
  ];

  function button(form, name, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "csv";
    made.textContent = form;
    made.setAttribute("aria-label", `Save as ${form}: ${name}`);
    made.addEventListener("click", act);
    return made;
  }

  const titleOf = (element) =>
    [...document.querySelectorAll("main :is(h1, h2, h3)")]
      .filter((head) => head.compareDocumentPosition(element) & 4)
      .at(-1)
      ?.innerText.trim() ?? "table";

  for (const table of document.querySelectorAll("main table:not(.said)"))
    table.after(
      button("CSV", titleOf(table), () =>
        save([...table.rows].map(rowOf), titleOf(table)),
      ),
    );
  for (const figure of document.querySelectorAll("figure.fsviz-figure")) {
    const gd = figure.querySelector(".fsviz-plot");
    const rows = () => {
      const cells = gd.layout?.meta?.cells;
      return cells ? cellRows(cells) : traceRows(plotlyInside.tracesOf(gd));
    };
    // what a figure shows, as its alternative text says it
    const name = gd.getAttribute("aria-label") || gd.id;
    const picture = () =>
      Plotly.downloadImage(gd, { format: "png", scale: 2, filename: gd.id });
    figure.querySelector("figcaption").prepend(
      button("CSV", name, () => save(rows(), gd.id)),
      button("PNG", name, picture),
    );
  }
}
