const isScene = (name) => /^scene\d*$/.test(name);
const isSolid = (trace) => trace.type === "surface" || trace.type === "scatter3d";

// Chromium prints when a page has loaded: a frame that is still open holds that up.
function fsvizHoldLoad() {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  document.body.append(frame);
  frame.contentDocument.open();
  return () => {
    frame.contentDocument.close();
    frame.remove();
  };
}

// All that we use of plotly.js and that it does not document: why plotly has an upper
// bound. tests/figures/test_plotly_inside.py names what has moved when a new version comes.
const plotlyInside = (() => {
  const layoutOf = (gd) => gd._fullLayout ?? {};
  const sceneOf = (gd, name) => layoutOf(gd)[name]?._scene ?? null;
  const boxOf = (element, within) => {
    const own = element.getBoundingClientRect(),
      origin = within.getBoundingClientRect();
    const { width, height } = own;
    return { left: own.left - origin.left, top: own.top - origin.top, width, height };
  };

  return {
    layoutOf,
    tracesOf: (gd) => gd._fullData ?? [],
    hostOf: (gd) => gd.querySelector(".svg-container") ?? gd,
    solidsOf: (gd) => gd.querySelector(".gl-container"),

    // from data to pixels of the figure, for a flat panel; undefined where there is none
    flat(gd, id) {
      const x = layoutOf(gd)["xaxis" + id],
        y = layoutOf(gd)["yaxis" + id];
      return x && y && ((a, b) => [x._offset + x.d2p(a), y._offset + y.d2p(b)]);
    },

    // where an event is on the x axis of a flat panel; null outside
    sizeAt(gd, id, { clientX, clientY }) {
      const x = layoutOf(gd)["xaxis" + id],
        y = layoutOf(gd)["yaxis" + id];
      const { left, top } = gd.getBoundingClientRect();
      const inside = (axis, at) => axis && at >= 0 && at <= axis._length;
      const [across, down] = [clientX - left - x?._offset, clientY - top - y?._offset];
      return inside(x, across) && inside(y, down) ? x.p2d(across) : null;
    },

    // from data to pixels for a 3D panel; null while it has no scene
    solid(gd, host, id) {
      const scene = sceneOf(gd, "scene" + id);
      if (!scene?.glplot || !scene.container) return null;
      const { projection, view, model } = scene.glplot.cameraParams;
      const box = boxOf(scene.container, host),
        z = scene.fullSceneLayout.zaxis,
        by = scene.dataScale;
      const times = (m, v) =>
        [0, 1, 2, 3].map(
          (i) => m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2] + m[12 + i] * v[3],
        );
      const project = (a, b, c) => {
        const p = times(
          projection,
          times(view, times(model, [a * by[0], b * by[1], z.d2l(c) * by[2], 1])),
        );
        return [
          box.left + (0.5 + (0.5 * p[0]) / p[3]) * box.width,
          box.top + (0.5 - (0.5 * p[1]) / p[3]) * box.height,
        ];
      };
      return project;
    },

    scenesOf: (gd) =>
      Object.keys(layoutOf(gd)).filter((name) => isScene(name) && sceneOf(gd, name)),
    cameraOf: (gd, name) => sceneOf(gd, name).getCamera(),
    turn(gd, name, camera) {
      const scene = sceneOf(gd, name);
      scene.setViewport({ ...scene.fullSceneLayout, camera });
    },
    // changes whenever a 3D panel turns
    viewOf(gd, name) {
      const params = sceneOf(gd, name).glplot?.cameraParams;
      return params ? String(params.view) + params.projection : "";
    },
    // draws once more: what is shown is not kept
    stillOf: (gd, name) => sceneOf(gd, name).toImage("png"),
    // of a static plot, whose last drawing is kept
    imageOf: (gd, name) => sceneOf(gd, name).glplot.canvas.toDataURL(),
    // ANGLE keeps commands back, past a flush too, until something else is drawn into
    fill(gd, name) {
      const { gl } = sceneOf(gd, name).glplot;
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 0, 0, 1, 1, 0);
      gl.deleteTexture(texture);
      gl.flush();
    },
    // give an image of the layout its content, and nothing else that names its source
    fillIn(gd, source, content) {
      const image = gd.querySelector(`image[*|href="${source}"]`);
      image.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", content);
    },
    // where a 3D panel is in a host [px]; null while it has no scene
    placeOf(gd, name, host) {
      const container = sceneOf(gd, name)?.container;
      return container ? boxOf(container, host) : null;
    },

    // of what is drawn, while Plotly.toImage would draw a copy
    svgOf(gd) {
      Plotly.Snapshot.getRedrawFunc(gd)();
      return Plotly.Snapshot.toSVG(gd, "svg", 1);
    },
    rasterOf: (how) => Plotly.Snapshot.svgToImg(how),
  };
})();
