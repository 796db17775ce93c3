// A figure in the colours of a dark page: the figures' own ink and paper; cells keep theirs.
const DARK = {
  "#1f2933": "#e4e7eb",
  "#52606d": "#9aa5b1",
  "#d9dee4": "#3e4c59",
  "#ffffff": "#161b22",
  "#fff": "#161b22",
  "#f7f8fa": "#1c232c",
  "#000000": "#e4e7eb",
  "#b42318": "#f97066",
  "#6b7682": "#9aa5b1",
  "#2b7bba": "#5ea3dc",
  "#c8452f": "#e8705c",
  "rgba(255,255,255,0.8)": "rgba(22,27,34,0.8)",
};
function darkened(part) {
  if (typeof part === "string") return Object.hasOwn(DARK, part) ? DARK[part] : part;
  if (Array.isArray(part)) return part.map(darkened);
  if (!part || typeof part !== "object") return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, darkened(value)]),
  );
}
function inTheDark({ data, layout }) {
  const { meta, ...shown } = layout;
  const scales = Object.keys(shown).filter((key) => key.startsWith("coloraxis"));
  const kept = Object.fromEntries(
    scales.map((key) => [
      key,
      { ...darkened(shown[key]), colorscale: shown[key].colorscale },
    ]),
  );
  const part = (value) => (value === undefined ? {} : darkened(value));
  // a number's ink suits its cell: such a trace has one for each
  const inkOf = ({ textfont }) =>
    typeof textfont?.color === "string" && { textfont: darkened(textfont) };
  return {
    data: data.map((trace) => ({
      ...trace,
      ...inkOf(trace),
      line: part(trace.line),
      marker: part(trace.marker),
    })),
    layout: { ...darkened(shown), ...kept, meta },
  };
}
