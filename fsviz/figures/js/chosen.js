// An explorer as a page's controls have it: the candidate, whose values the map shows, and
// the scale of all systems or of those that are compared.
const fsvizChosen = (() => {
  const ROOM = 0.04;

  const menuOf = (layout) =>
    (layout.updatemenus || []).find((menu) => menu.buttons?.[0]?.args?.[0]?.visible);

  // the ends of values, as axes count: logarithms on a logarithmic one
  function endsOf(values, log) {
    const seen = values.filter((v) => v !== null && (!log || v > 0));
    const shown = log ? seen.map(Math.log10) : seen;
    return [log ? Math.min(...shown) : 0, Math.max(...shown)];
  }

  const digits = (value) => String(Number(value.toPrecision(3)));

  // where the ticks of a logarithmic axis stand that shows so little
  function ticksOf([low, high]) {
    const at = [0, 1, 2, 3].map((n) => low + ((high - low) * n) / 3);
    return {
      tickvals: at.map((v) => 10 ** v),
      ticktext: at.map((v) => digits(10 ** v)),
    };
  }

  function onOwnScale(layout, [low, high], log, scenes) {
    const room = (high - low || Math.abs(high) || 1) * ROOM;
    const ticks = log ? ticksOf([low, high]) : { tickvals: undefined };
    const axis = { range: [log ? low - room : 0, high + room], ...ticks };
    const { colorbar } = layout.coloraxis;
    const bar = { ...colorbar, ...ticks };
    if (log) bar.tickvals = ticks.tickvals.map(Math.log10);
    const made = {
      ...layout,
      coloraxis: { ...layout.coloraxis, cmin: low, cmax: high, colorbar: bar },
      yaxis3: { ...layout.yaxis3, ...axis },
      yaxis4: { ...layout.yaxis4, ...axis },
    };
    for (const name of scenes)
      made[name] = { ...layout[name], zaxis: { ...layout[name].zaxis, ...axis } };
    return made;
  }

  // ink that reads on the colours of another scale
  function inked(trace, [low, high], light, log) {
    if (trace.mode !== "text" || trace.meta.role !== "value") return trace;
    const share = (text) => {
      const value = Number(text.replaceAll(",", ""));
      return ((log ? Math.log10(value) : value) - low) / (high - low || 1);
    };
    const color = trace.text.map((text) => (share(text) > light ? "#000" : "#fff"));
    return { ...trace, textfont: { ...trace.textfont, color } };
  }

  // a copy of a layout with one value changed; the path is as in Plotly.relayout
  function changed(part, [key, ...rest], value) {
    const copy = Array.isArray(part) ? [...part] : { ...part };
    copy[key] = rest.length ? changed(copy[key] ?? {}, rest, value) : value;
    return copy;
  }

  return (figure, { system, scale, values }) => {
    const { cells, light } = figure.layout.meta || {};
    if (!cells?.headings) return figure;
    const menu = menuOf(figure.layout);
    const pair = cells.panels.maps.length > 1;
    const names = cells.systems.map((each) => each.name);
    const named = names.indexOf(system) - Number(pair);
    const at = !menu || named < 0 ? (menu?.active ?? 0) : named;
    const shown = at + Number(pair);
    const seen = pair && values === "baseline" ? 0 : shown;
    let { layout } = figure;
    const [restyle, relayout] = menu?.buttons[at].args ?? [{}, {}];
    for (const [key, value] of Object.entries(relayout))
      layout = changed(layout, key.replace(/\[(\d+)\]/g, ".$1").split("."), value);
    const own = scale === "own";
    const write = (n, text) => {
      layout = changed(layout, ["annotations", String(n), "text"], text);
    };
    write(0, `<b>${cells.titles[seen]}</b>${own ? cells.own : ""}`);
    const updatemenus = (layout.updatemenus || []).filter(
      (each) => !each.buttons?.[0]?.args?.[0]?.visible,
    );
    layout = { ...layout, updatemenus };
    const log = layout.yaxis3.type === "log";
    const compared = pair ? [0, shown] : [shown];
    const ends = endsOf(
      compared.flatMap((n) => cells.systems[n].value),
      log,
    );
    const data = figure.data.map((trace, n) => {
      const state = Object.fromEntries(
        Object.entries(restyle)
          .map(([key, list]) => [key, list[n]])
          .filter(([, value]) => value !== null),
      );
      const next = { ...trace, ...state };
      if (trace.meta?.role === "value") next.visible = trace.meta.system === seen;
      return own ? inked(next, ends, light, log) : next;
    });
    if (!own) return { data, layout };
    const scenes = Object.keys(cells.panels.scenes);
    layout = onOwnScale(layout, ends, log, scenes);
    for (const [n, drawn] of compared.entries())
      write(3 + 2 * n, cells.titles[drawn] + cells.own);
    return { data, layout };
  };
})();
