// A tile of JupyterLab's launcher and an entry of its command palette that open the
// explorer. JupyterLab loads this file as it stands: nothing is built.
(() => {
  const NOTEBOOK = "notebooks/explore.ipynb";
  const command = "fsviz:explore";
  const category = "fsviz";
  const words = {
    label: "Explore results",
    caption: `Open ${NOTEBOOK}: surfaces, maps and answers for folders of results`,
  };
  // a map of three file sizes by three record sizes
  const MAP = `<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 16 16">
    <path fill="#440154" d="M1 11h4v4H1z"/>
    <path fill="#3b528b" d="M1 6h4v4H1zM6 11h4v4H6z"/>
    <path fill="#21918c" d="M1 1h4v4H1zM6 6h4v4H6zM11 11h4v4h-4z"/>
    <path fill="#5ec962" d="M6 1h4v4H6zM11 6h4v4h-4z"/>
    <path fill="#fde725" d="M11 1h4v4h-4z"/></svg>`;

  function activate(app, palette, launcher, icon) {
    app.commands.addCommand(command, {
      ...words,
      icon,
      execute: () => app.commands.execute("docmanager:open", { path: NOTEBOOK }),
    });
    palette?.addItem({ command, category });
    launcher?.add({ command, category, categoryRank: -1 });
  }

  // JupyterLab's own copy of a package; only that has the tokens of its services
  let packages;
  async function shared(name) {
    const [copy] = Object.values(packages[`@jupyterlab/${name}`]);
    return (await copy.get())();
  }

  async function extension() {
    const names = ["apputils", "launcher", "ui-components"];
    const [apputils, launcher, ui] = await Promise.all(names.map(shared));
    const icon = new ui.LabIcon({ name: command, svgstr: MAP });
    const plugin = {
      id: "fsviz:explore",
      autoStart: true,
      optional: [apputils.ICommandPalette, launcher.ILauncher],
      activate: (app, ...services) => activate(app, ...services, icon),
    };
    return () => plugin;
  }

  // what JupyterLab asks of every extension that is not built into it
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB.fsviz = {
    init: (scope) => void (packages = scope),
    get: extension,
  };
})();
