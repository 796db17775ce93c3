// An explorer as a page's controls have it: one system, on the scale of all or on its own.
const fsvizChosen = (() => {
  const OWN = 0.4; // a system that spans less of the shared scale is drawn on its own
  const ROOM = 0.04;

  const menuOf = (layout) =>
    (layout.updatemenus || []).find((menu) => menu.buttons?.[0]?.args?.[0]?.visible);

  // the ends of a system's values, as its axes count: logarithms on a logarithmic one
  function endsOf(values, log) {
    const known = values.filter((v) => v !== null && (!log || v > 0));
    const shown = log ? known.map(Math.log10) : known;
    return [Math.min(...shown), Math.max(...shown)];
  }

  const digits = (value) => String(Number(value.toPrecision(3)));

  // where the ticks of a logarithmic axis stand that shows so little
  function ticksOf([low, high]) {
    const at = [0, 1, 2, 3].map((n) => low + ((high - low) * n) / 3);
    return { tickvals: at, ticktext: at.map((v) => digits(10 ** v)) };
  }

  function onOwnScale(layout, [low, high], log) {
    const room = (high - low || Math.abs(high) || 1) * ROOM;
    const range = [low - room, high + room];
    const { colorbar } = layout.coloraxis;
    const title = { ...colorbar.title, text: `${colorbar.title.text}, own scale` };
    const bar = { ...colorbar, title, tickvals: undefined, ticktext: undefined };
    const axis = { range };
    if (log) {
      const { tickvals, ticktext } = ticksOf([low, high]);
      Object.assign(bar, { tickvals, ticktext });
      Object.assign(axis, { tickvals: tickvals.map((v) => 10 ** v), ticktext });
    }
    const { scene } = layout;
    return {
      ...layout,
      coloraxis: { ...layout.coloraxis, cmin: low, cmax: high, colorbar: bar },
      scene: { ...scene, zaxis: { ...scene.zaxis, ...axis } },
      yaxis2: { ...layout.yaxis2, ...axis },
      yaxis3: { ...layout.yaxis3, ...axis },
    };
  }

  // ink that reads on the colours of another scale
  function inked(trace, [low, high], light, log) {
    if (trace.mode !== "text" || !Array.isArray(trace.textfont?.color)) return trace;
    const share = (text) => {
      const value = Number(text.replaceAll(",", ""));
      return ((log ? Math.log10(value) : value) - low) / (high - low || 1);
    };
    const color = trace.text.map((text) => (share(text) > light ? "#000" : "#fff"));
    return { ...trace, textfont: { ...trace.textfont, color } };
  }

  return (figure, { system, scale }) => {
    const { cells, light } = figure.layout.meta || {};
    if (!cells || cells.side || !figure.layout.coloraxis || !figure.layout.scene)
      return figure;
    const menu = menuOf(figure.layout);
    const named = cells.systems.findIndex((one) => one.name === system);
    const at = named < 0 ? (menu?.active ?? 0) : named;
    const log = figure.layout.yaxis2.type === "log";
    const ends = endsOf(cells.systems[at].value, log);
    const shared = endsOf(
      cells.systems.flatMap((one) => one.value),
      log,
    );
    const narrow = ends[1] - ends[0] < OWN * (shared[1] - (log ? shared[0] : 0));
    const own = scale === "own" || (scale === "auto" && narrow);
    const updatemenus = (figure.layout.updatemenus || []).filter((one) => one !== menu);
    const title = menu
      ? { ...figure.layout.title, text: menu.buttons[at].args[1]["title.text"] }
      : figure.layout.title;
    const layout = { ...figure.layout, updatemenus, title };
    const data = figure.data.map((trace) => {
      if (trace.meta?.system === undefined) return trace;
      const cut = own && trace.name === "beyond the colours"; // here nothing is
      const shown = { ...trace, visible: trace.meta.system === at && !cut };
      return own && shown.visible ? inked(shown, ends, light, log) : shown;
    });
    return { data, layout: own ? onOwnScale(layout, ends, log) : layout };
  };
})();
