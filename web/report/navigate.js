// Ways through a chart over time, beside the drag that zooms: a drag with the shift key moves what is shown, the wheel with the
// control key zooms about the pointer; where the chart has the focus arrow keys move, + and − zoom, and 0 shows everything.

const keySteps = { ArrowLeft: [-0.2, 1], ArrowRight: [0.2, 1], "+": [0, 0.7], "=": [0, 0.7], "-": [0, 1 / 0.7] };

// `node` holds the chart, `plotOf()` is its drawing by uPlot, `show(min, max)` shows a part, `showAll()` everything.
export function navigate(node, { plotOf, show, showAll }) {
  node.tabIndex = 0;
  const shown = () => plotOf()?.scales.x;

  // About a share of what is shown, 0 at its left end: moved by as many widths of it, and stretched.
  function change(moved, stretch, about = 0.5) {
    const { min, max } = shown() ?? {};
    if (min == null) return;
    const width = max - min;
    const from = min + width * (moved + about * (1 - stretch));
    show(from, from + width * stretch);
  }

  node.addEventListener("keydown", (event) => {
    if (event.target !== node || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = keySteps[event.key];
    if (!step && event.key !== "0") return;
    event.preventDefault();
    if (step) change(...step);
    else showAll();
  });

  node.addEventListener(
    "wheel",
    (event) => {
      const area = plotOf()?.over.getBoundingClientRect();
      if (!area || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      change(0, Math.exp(0.002 * event.deltaY), (event.clientX - area.left) / area.width);
    },
    { passive: false },
  );

  node.addEventListener("pointerdown", (event) => {
    const plot = plotOf();
    const { min, max } = shown() ?? {};
    if (!plot || min == null || !event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const perPixel = (max - min) / plot.over.clientWidth;
    const move = ({ clientX }) => {
      const by = (event.clientX - clientX) * perPixel;
      show(min + by, max + by);
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  });
}

// For uPlot's cursor: a drag with the shift key is not its own.
export const leavesShift = {
  mousedown: (_plot, _target, handle) => (event) => (event.shiftKey ? null : handle(event)),
};
