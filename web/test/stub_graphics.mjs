// WebGL in name only, for measuring what the page's own script takes: every call is taken and counted (`graphicsCalls`), and nothing is
// drawn. Runs in the page before anything else.

export function stubGraphics() {
  const { getContext } = HTMLCanvasElement.prototype;
  const numbers = { 3379: 8192, 34076: 8192, 34024: 8192, 34930: 16, 35660: 16, 35661: 32, 34921: 16, 36347: 1024, 36348: 30, 36349: 1024, 36183: 4, 35375: 12, 34852: 8 };
  const answers = {
    getExtension: () => null,
    getSupportedExtensions: () => [],
    getContextAttributes: () => ({ alpha: true, antialias: true, depth: true, stencil: false }),
    getShaderPrecisionFormat: () => ({ precision: 23, rangeMin: 127, rangeMax: 127 }),
    getParameter: (name) => {
      if (name === 7938) return "WebGL 2.0";
      if (name === 35724) return "WebGL GLSL ES 3.00";
      if (name === 3088 || name === 2978) return new Int32Array([0, 0, 1280, 800]);
      return numbers[name] ?? 0;
    },
    getShaderParameter: () => true,
    getProgramParameter: (_, name) => (name === 35718 || name === 35721 ? 0 : true),  // uniforms and attributes: none
    getShaderInfoLog: () => "",
    getProgramInfoLog: () => "",
    getError: () => 0,
    isContextLost: () => false,
    checkFramebufferStatus: () => 36053,
    getUniformBlockIndex: () => 0,
    clientWaitSync: () => 37146,
  };
  const stub = (canvas) =>
    new Proxy(WebGL2RenderingContext.prototype, {
      get(constants, name) {
        if (name === "canvas") return canvas;
        if (name === "drawingBufferWidth") return canvas.width;
        if (name === "drawingBufferHeight") return canvas.height;
        if (name in answers) return answers[name];
        if (typeof name === "string" && /^[A-Z0-9_]+$/.test(name)) return WebGL2RenderingContext[name];
        return (...all) => {
          ++window.graphicsCalls;
          window.graphicsBytes += all.reduce((sum, part) => sum + (part?.byteLength ?? 0), 0);
          return /^create/.test(String(name)) ? {} : undefined;
        };
      },
    });
  window.graphicsCalls = 0;
  window.graphicsBytes = 0;
  const made = new WeakMap();
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    if (!/webgl/.test(kind)) return getContext.call(this, kind, ...rest);
    if (!made.has(this)) made.set(this, stub(this));
    return made.get(this);
  };
}
