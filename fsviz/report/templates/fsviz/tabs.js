// One state a page: operation, system and scale. Everything that speaks of
// them follows it, and the address keeps it, so that a link shows what its sender saw.
const fsvizState = (() => {
  const KEYS = ["op", "system"];
  const state = Object.fromEntries(KEYS.map((key) => [key, ""]));
  const followers = [];
  const begun = {};

  const stated = () => new URLSearchParams(location.hash.slice(1));
  const isState = (given) => KEYS.some((key) => given.has(key));

  function set(changes) {
    const before = JSON.stringify(state);
    Object.assign(state, changes);
    if (JSON.stringify(state) === before) return;
    const told = KEYS.filter((key) => state[key]).map((key) => [key, state[key]]);
    history.replaceState(null, "", `#${new URLSearchParams(told)}`);
    for (const follow of followers) follow(state);
  }

  // what was there before anybody chose is no part of the address
  const begin = (first) => {
    for (const key of KEYS) begun[key] = state[key] ||= first[key] ?? "";
  };

  function read() {
    const given = stated();
    if (isState(given))
      set(Object.fromEntries(KEYS.map((key) => [key, given.get(key) || state[key]])));
    // who goes back to the address without a state sees what the page began with
    else if (!location.hash) set(begun);
  }
  addEventListener("hashchange", read);
  return { state, set, begin, read, follow: (act) => followers.push(act) };
})();

// The headings of operations become tabs, with the controls of their figures beside them.
// What follows a heading, up to the next one, is its panel.
const fsvizTabs = (() => {
  const panels = new Map();
  const named = new Map(); // the systems that have numbers of an operation
  let first, list, systems, scale, values;

  function panelOf(heading) {
    const panel = document.createElement("div");
    panel.className = "tab-panel";
    panel.id = `tab-${heading.dataset.tab}`;
    panel.setAttribute("role", "tabpanel");
    const parts = fsvizSection(heading);
    heading.closest(".output").replaceWith(panel);
    panel.append(...parts);
    return panel;
  }

  function tabOf(operation, title) {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = `tab-of-${operation}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", `tab-${operation}`);
    tab.append(title);
    tab.addEventListener("click", () => fsvizState.set({ op: operation }));
    return tab;
  }

  function menu(text, options, change) {
    const label = document.createElement("label");
    const select = document.createElement("select");
    for (const option of options) select.add(new Option(...option));
    select.addEventListener("change", change);
    label.append(text, " ", select);
    list.parentElement.append(label);
    return select;
  }

  function walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.target.getAttribute("role") !== "tab") return;
    const all = [...panels.keys()];
    const at = all.indexOf(event.target.id.replace("tab-of-", ""));
    const next = all[(at + step + all.length) % all.length];
    fsvizState.set({ op: next });
    document.getElementById(`tab-of-${next}`).focus();
    event.preventDefault();
  }

  function show({ op, system }) {
    // an address may say anything
    const known = { op: panels.has(op) ? op : first.op };
    const there = named.get(known.op);
    known.system = [system, first.system].find((n) => there.includes(n)) ?? there[0];
    if (known.op !== op || known.system !== system) {
      fsvizState.set(known);
      return;
    }
    for (const [name, panel] of panels) {
      const tab = document.getElementById(`tab-of-${name}`);
      panel.hidden = name !== op;
      tab.setAttribute("aria-selected", String(name === op));
      tab.tabIndex = name === op ? 0 : -1;
    }
    for (const option of systems?.options ?? [])
      option.disabled = !there.includes(option.value);
    if (systems) systems.value = system;
    fsvizPage.choose({ system, scale: scale.value, values: values.value });
    fsvizPage.reveal(panels.get(op));
  }

  // a heading says which systems there are, and what the headline is about
  function start() {
    const headings = [...document.querySelectorAll("main [data-tab]")];
    // without a figure the page has nothing that draws
    if (!headings.length || typeof fsvizPage === "undefined") return;
    const opened = headings.find((one) => one.dataset.opened) ?? headings[0];
    const bar = document.createElement("div");
    bar.className = "tab-bar";
    list = document.createElement("div");
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Operations");
    list.addEventListener("keydown", walk);
    bar.append(list);
    headings[0].closest(".output").before(bar);
    for (const heading of headings) {
      const title = document.createDocumentFragment();
      title.append(...heading.childNodes);
      list.append(tabOf(heading.dataset.tab, title));
      named.set(heading.dataset.tab, JSON.parse(heading.dataset.systems));
      panels.set(heading.dataset.tab, panelOf(heading));
    }
    const names = [...new Set([...named.values()].flat())];
    const change = () => show(fsvizState.state);
    const options = names.map((name) => [name, name]);
    const choose = () => fsvizState.set({ system: systems.value });
    if (names.length > 1) systems = menu("show", options, choose);
    values = menu("speed of", [["candidate"], ["baseline"]], change);
    values.parentElement.hidden = !opened.dataset.pair;
    scale = menu("scale", [["of all systems", "shared"], ["own"]], change);
    // the scale of the only system is its own
    scale.parentElement.hidden = names.length < 2 && !opened.dataset.pair;
    const { tab, opened: far } = opened.dataset;
    first = { op: tab, system: far || named.get(tab)[0] };
    fsvizState.begin(first);
    fsvizState.follow(show);
    show(fsvizState.state);
  }

  start();
  return { panel: (op) => panels.get(op) };
})();
