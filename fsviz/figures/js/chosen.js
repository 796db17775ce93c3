// An explorer as a page's controls have it: the candidate, whose values the map shows, and
// the scale of all systems or of those that are compared (explorer.py, `_alone`).
const fsvizChosen = (() => {
  const isMenu = (menu) => menu.buttons?.[0]?.args?.[0]?.visible;

  // a copy of a layout with one value changed; the path is as in Plotly.relayout
  function changed(part, [key, ...rest], value) {
    const copy = Array.isArray(part) ? [...part] : { ...part };
    copy[key] = rest.length ? changed(copy[key] ?? {}, rest, value) : value;
    return copy;
  }
  const pathOf = (key) => key.replace(/\[(\d+)\]/g, ".$1").split(".");

  return (figure, { system, scale, values }) => {
    const { cells, alone } = figure.layout.meta || {};
    if (!cells?.headings) return figure;
    const { updatemenus = [] } = figure.layout;
    const menu = updatemenus.find(isMenu);
    const pair = Number(cells.panels.maps.length > 1);
    const named = cells.systems.findIndex((each) => each.name === system) - pair;
    const at = !menu || named < 0 ? (menu?.active ?? 0) : named;
    const seen = pair && values === "baseline" ? 0 : at + pair;
    const [restyle, relayout] = menu?.buttons[at].args ?? [{}, {}];
    const own = scale === "own" ? alone[at] : { layout: {}, inks: {}, badge: "" };
    const heading = `<b>${cells.titles[seen]}</b>${own.badge}`;
    const changes = { ...relayout, ...own.layout, "annotations[0].text": heading };
    let layout = {
      ...figure.layout,
      updatemenus: updatemenus.filter((m) => !isMenu(m)),
    };
    for (const [key, value] of Object.entries(changes))
      layout = changed(layout, pathOf(key), value);
    const data = figure.data.map((trace, n) => {
      const next = { ...trace };
      for (const [key, list] of Object.entries(restyle))
        if (list[n] !== null) next[key] = list[n];
      if (trace.meta?.role !== "value") return next;
      next.visible = trace.meta.system === seen;
      const color = own.inks[trace.meta.system];
      if (color && trace.mode === "text") next.textfont = { ...trace.textfont, color };
      return next;
    });
    return { data, layout };
  };
})();
