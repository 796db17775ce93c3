// The maps of an operation against another reference than the one they were drawn for,
// from what is packed in layout.meta.pairs (fsviz/figures/kinds/maps.py). The traces
// that were drawn for the first reference are the pattern of all.
const fsvizAgainst = (() => {
  const HALF = 0.48; // of a cell that is hatched
  // where a corner stands within its cell (fsviz/figures/panels/marks.py, mark_traces)
  const INTO = { x: 0.0085, y: 0.012 };
  const ASIDE = 0.06; // numbers leave a marked corner room
  const is = (name) => (trace) => trace.name === name;

  // two digits, from 10 on whole numbers (fsviz/model/units.py, format_times)
  function times(speed) {
    const factor = Math.max(speed, 1 / speed);
    const digits = factor < 1.095 ? 2 : factor < 9.95 ? 1 : 0;
    return factor.toLocaleString("en", {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }

  function inWords(speed) {
    const said = times(speed);
    return said === "1.00" ? "as fast" : `${said}× ${speed > 1 ? "faster" : "slower"}`;
  }

  // as fsviz/answers/words.py, range_words, has it
  function rangeInWords(low, high) {
    const [first, last] = [inWords(low), inWords(high)];
    if (first === last) return first;
    if (low > 1 !== high > 1 || [first, last].includes("as fast"))
      return `${first} to ${last}`;
    const [near, far] = low > 1 ? [low, high] : [high, low];
    return `${times(near)}–${inWords(far)}`;
  }

  // two digits, as Python writes them
  const probability = (q) =>
    q < 1e-4 ? q.toExponential().replace(/-(\d)$/, "-0$1") : String(q);

  // what is said of each cell of a system against the reference; null where nothing is
  function compare({ pairs, view, reference }, system, count) {
    return Array.from({ length: count }, (_, k) => {
      const code = view.verdict[system][k] ?? " ";
      if (code === " ") return null;
      if (code === "-") return { oneSide: true };
      const log = pairs.logs[system][k] - pairs.logs[reference][k];
      const [mark, word] = pairs.looks[code];
      const up = pairs.better < 0 ? -log : log;
      const clear = word === "faster" || word === "slower";
      const half = view.half[system][k] ?? null;
      const ends = half === null ? null : [2 ** (up - half), 2 ** (up + half)];
      const q = view.q[system][k] ?? null;
      const beside = pairs.words[view.said[system].charCodeAt(k) - 48];
      return { log, mark, word, speed: 2 ** up, clear, ends, q, beside };
    });
  }

  const rulesOf = ({ pairs, view }, system, k) => {
    const letter = view.found[system][k] ?? " ";
    return letter === " " ? "" : pairs.rules[letter.charCodeAt(0) - 48];
  };

  const wordsOf = ({ speed, beside }) => inWords(speed) + beside[1];

  // as the map writes it (fsviz/figures/panels/ratio.py, _short)
  const shortOf = ({ speed, clear, mark, word }) => {
    if (!clear && !word.startsWith("untested")) return mark;
    return speed === 1
      ? "1"
      : `${speed > 1 ? "▲" : "▼"}${times(speed).replace(/\.0$/, "")}`;
  };

  function drawn(figure, reference) {
    const { pairs, cells } = figure.layout.meta;
    const { files, records, files_text: fileNames, records_text: recordNames } = cells;
    const known = cells.systems.map((one) => one.name);
    const state = {
      pairs,
      view: pairs.views[reference],
      reference: known.indexOf(reference),
    };
    const { view } = state;
    const x = records.map(Math.log2),
      y = files.map(Math.log2);
    const columns = records.length,
      count = files.length * columns;
    const rows = (list) =>
      files.map((_, n) => list.slice(n * columns, (n + 1) * columns));
    const at = (k) => [x[k % columns], y[Math.floor(k / columns)]];
    const where = (k) =>
      `file ${fileNames[Math.floor(k / columns)]}, record ${recordNames[k % columns]}`;
    const edges = (k) => [
      ...fsvizLink.edges(records, k % columns),
      ...fsvizLink.edges(files, Math.floor(k / columns)),
    ];
    const pattern = (test) => figure.data.find(test);
    const numbered = figure.data.filter((t) => t.mode === "text");
    const light = (list, share) =>
      list[Math.round(Math.min(1, Math.max(0, share)) * (list.length - 1))];

    const points = (ks, aside) => ({
      x: ks.map((k) => at(k)[0] - aside),
      y: ks.map((k) => at(k)[1]),
    });

    const isMarked = (system) => view.found[system].trim() !== "";

    function corners(system) {
      const ks = [...Array(count).keys()].filter((k) =>
        rulesOf(state, system, k).startsWith("error"),
      );
      if (!isMarked(system)) return [];
      const into = (low, high, share) => high - share * (high - low);
      const places = ks.map((k) => {
        const [left, right, low, top] = edges(k);
        return [
          into(left, right, INTO.x * columns),
          into(low, top, INTO.y * files.length),
        ];
      });
      return [
        { ...pairs.corner, x: places.map((p) => p[0]), y: places.map((p) => p[1]) },
      ];
    }

    function values(system) {
      const shown = cells.systems[system].value.map((v) =>
        v === null ? null : v * view.factor,
      );
      const placed = shown.map((v) => (view.log && v !== null ? Math.log10(v) : v));
      const map = figure.data[0];
      const say = (v) => (v === null ? "" : fsvizLink.significant(v));
      const text = shown.map(say);
      const made = {
        ...map,
        x,
        y,
        z: rows(placed),
        text: rows(text),
        hovertext: rows(
          shown.map((v, k) => (v === null ? "" : where(k).replace("file ", ""))),
        ),
        customdata: rows(shown.map((_, k) => rulesOf(state, system, k))),
        hovertemplate: `<b>${pairs.names[system]}</b><br>file %{hovertext}<br>%{text} ${view.unit}<br>%{customdata}<extra></extra>`,
      };
      if (!numbered.length) return [made];
      const { cmin, cmax } = view.axes.coloraxis;
      const ks = [...shown.keys()].filter((k) => shown[k] !== null);
      const color = ks.map((k) =>
        light(pairs.inks[0], (placed[k] - cmin) / (cmax - cmin)),
      );
      return [
        made,
        {
          ...numbered[0],
          ...points(ks, isMarked(system) ? ASIDE : 0),
          text: ks.map((k) => text[k]),
          textfont: { ...numbered[0].textfont, color },
        },
      ];
    }

    function lineOfWinners(told) {
      const line = { x: [], y: [] };
      const won = (file, record) => {
        const one = records[record] && files[file] && told[file * columns + record];
        return one?.clear ? one.word : "";
      };
      const add = (a, b) => {
        line.x.push(a[0], b[0], null);
        line.y.push(a[1], b[1], null);
      };
      for (const k of told.keys()) {
        const [file, record] = [Math.floor(k / columns), k % columns];
        const here = won(file, record);
        const differs = (other) => here && other && other !== here;
        const [left, right, low, high] = edges(k);
        if (differs(won(file, record + 1))) add([right, low], [right, high]);
        if (differs(won(file + 1, record))) add([left, high], [right, high]);
      }
      return { ...pattern(is("winner changes")), ...line };
    }

    function hatching(told) {
      const line = { x: [], y: [] };
      for (const k of told.keys()) {
        if (!told[k]?.oneSide) continue;
        const [left, top] = at(k);
        line.x.push(left - HALF, left + HALF, left + HALF, left - HALF, null);
        line.y.push(top - HALF, top - HALF, top + HALF, top + HALF, null);
      }
      return { ...pattern(is("on one side only")), ...line };
    }

    function ratios(system) {
      const told = compare(state, system, count);
      const matched = [...told.keys()].filter((k) => told[k] && !told[k].oneSide);
      const held = (k) => told[k].word.startsWith("disqualified");
      const of = (make) =>
        rows(told.map((one, k) => (one && !one.oneSide ? make(one, k) : null)));
      const said = (one, k) => {
        const [scope, verdict, runs] = one.beside;
        const words = [
          `${where(k)}${scope}<br><b>${inWords(one.speed)}</b>${verdict}`,
          one.ends && `<br>95 % ${rangeInWords(...one.ends)}`,
          one.q !== null && `, q = ${probability(one.q)}`,
          runs,
          ...rulesOf(state, system, k)
            .split("; ")
            .map((rule) => rule && `<br>${rule}`),
        ];
        return words.filter(Boolean).join("");
      };
      const traces = [
        {
          ...pattern(is("ratio")),
          x,
          y,
          z: of((one) => one.log),
          hovertext: of(said),
          hovertemplate: `%{hovertext}${view.ends[system]}<extra></extra>`,
        },
        {
          ...pattern(is("not significant")),
          x,
          y,
          z: of((one) => (one.clear ? null : 1)),
        },
        lineOfWinners(told),
        hatching(told),
      ];
      if (numbered.length) {
        const { cmax } = view.axes.coloraxis2;
        const ground = (k) => light(pairs.inks[1], (told[k].log / cmax + 1) / 2);
        const color = matched.map((k) => (told[k].clear ? ground(k) : pairs.pale));
        traces.push({
          ...numbered.at(-1),
          ...points(matched, isMarked(system) ? ASIDE : 0),
          text: matched.map((k) => shortOf(told[k])),
          textfont: { ...numbered.at(-1).textfont, color },
        });
      } else
        traces.push({
          ...pattern(is("disqualified")),
          ...points(matched.filter(held), 0),
        });
      const ratio = told.map((one) =>
        one && !one.oneSide ? `${one.mark} ${wordsOf(one)}` : "",
      );
      return { traces, ratio };
    }

    const order = [
      state.reference,
      ...pairs.order.filter((n) => n !== state.reference),
    ];
    const data = [],
      systems = [];
    for (const [panel, system] of order.entries()) {
      const id = panel ? String(panel + 1) : "";
      const facts = cells.systems[system];
      const { traces, ratio } = panel ? ratios(system) : { traces: values(system) };
      for (const trace of [...traces, ...corners(system)])
        data.push({ ...trace, xaxis: `x${id}`, yaxis: `y${id}` });
      const found = [...Array(count).keys()].filter((k) => rulesOf(state, system, k));
      systems.push({
        ...facts,
        value: facts.value.map((v) => (v === null ? null : v * view.factor)),
        ratio,
        found: Object.fromEntries(
          found.map((k) => [k, pairs.rules.indexOf(rulesOf(state, system, k))]),
        ),
      });
    }
    const axes = Object.fromEntries(
      Object.entries(view.axes).map(([name, axis]) => [
        name,
        { ...figure.layout[name], ...axis },
      ]),
    );
    const annotations = figure.layout.annotations.map((note, panel) => ({
      ...note,
      text: `<b>${pairs.names[order[panel]]}${panel ? "" : ` [${view.unit}]`}</b>`,
    }));
    const meta = {
      ...figure.layout.meta,
      alt: view.alt,
      reference,
      cells: { ...cells, unit: view.unit, systems, rules: pairs.rules },
    };
    const title = { ...figure.layout.title, text: view.title };
    return {
      data,
      layout: { ...figure.layout, ...axes, annotations, title, meta },
    };
  }

  // a figure that has no pairs stays as it is, or has one ready for each reference
  return (figure, reference) => {
    const { pairs, others } = figure.layout.meta ?? {};
    if (others?.[reference]) return others[reference];
    return pairs?.views[reference] ? drawn(figure, reference) : figure;
  };
})();
