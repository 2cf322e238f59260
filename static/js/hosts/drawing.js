// The graph of hosts as sigma draws it, and what is drawn over it: the cross of hosts that are out, rings
// of the selected and the focused one, the area that is being drawn.
import { token } from "../figures/tokens.js";
import { ringProgram } from "./ring-program.js";

const LARGEST_NAMED = 12;
const LEVELS = 5;
const ROOM = 700; // pixels that the discs of the largest hosts fill side by side
const DRAWN_MOVING = 5000; // links up to which they are drawn anew in each frame
const UNUSED = ["edges", "edgeLabels", "hoverNodes"]; // layers of sigma on which nothing is drawn here

// The hosts alone: their links are drawn by `links-layer.js`.
export function graphOf({ nodes }, positions) {
  const graph = new graphology.DirectedGraph();
  const most = Math.max(1, ...nodes.map((node) => node.relevant));
  const largest = Math.min(11, Math.max(4, ROOM / Math.sqrt(nodes.length) / 4));
  const inks = readInks();
  const named = new Set([...nodes].sort((a, b) => b.relevant - a.relevant || b.pages - a.pages).slice(0, LARGEST_NAMED));
  for (const [index, node] of nodes.entries()) {
    const [x, y] = positions[index];
    graph.addNode(node.name, {
      x, y: -y, type: "host", size: 0.3 * largest + largest * Math.sqrt(node.relevant / most),
      label: node.name, forceLabel: named.has(node), zIndex: node.relevant, ...marks(node, inks),
    });
  }
  return graph;
}

// The colours of the theme, read once for all hosts.
export function readInks() {
  const shades = Array.from({ length: LEVELS + 1 }, (_, level) => token(`count-${level}`));
  return { shades, paper: token("paper"), ink: token("ink"), edge: token("edge") };
}

// The ink by harvest and the ring by decision: thick in, thin undecided, none out, which has a cross.
// Without a judged page there is no harvest.
export function marks({ harvest, decision }, { shades, paper, ink, edge }) {
  const shade = harvest === null ? paper : shades[Math.round(LEVELS * harvest)];
  const [ring, ringColor] = { in: [0.28, ink], out: [0.12, edge], "": [0.14, edge] }[decision];
  return { color: decision === "out" ? paper : shade, ring, ringColor };
}

// Whether the links are too many to be drawn anew in each frame.
export function hasManyLinks({ edges }) { return edges.length > DRAWN_MOVING; }

export function draw(graph, container) {
  const names = new NameSpace();
  const sigma = new Sigma(graph, container, {
    allowInvalidContainer: true,
    nodeProgramClasses: { host: ringProgram() },
    enableCameraPanning: false,
    labelRenderedSizeThreshold: Infinity,
    labelColor: { color: token("ink") },
    labelFont: "Inter, sans-serif",
    labelSize: 11,
    labelWeight: "500",
    defaultDrawNodeHover: drawName,
    defaultDrawNodeLabel: (context, data, settings) => { if (names.take(context, data, settings)) drawName(context, data, settings); },
    stagePadding: 24,
    minCameraRatio: 0.05,
    maxCameraRatio: 2,
    zIndex: true,
  });
  sigma.on("beforeRender", () => names.clear());
  // Each layer in sight costs a frame a millisecond or two where WebGL is computed by software.
  for (const layer of UNUSED) sigma.getCanvases()[layer].hidden = true;
  return sigma;
}

// The names that are written, so that none is written over another; the focused host's always is.
class NameSpace {
  boxes = [];

  clear() { this.boxes = []; }

  take(context, { label, x, y, size, isFocused }, { labelSize, labelWeight, labelFont }) {
    if (!label) return false;
    context.font = `${labelWeight} ${labelSize}px ${labelFont}`;
    const left = nameLeft(context, { label, x, size });
    const box = [left - 4, y - labelSize, left + 4 + context.measureText(label).width, y + labelSize / 2];
    const isFree = isFocused || this.boxes.every((other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3]);
    if (isFree) this.boxes.push(box);
    return isFree;
  }
}

// Where a name begins: right of its disc, left of it if it would leave the picture.
function nameLeft(context, { label, x, size }) {
  const width = context.measureText(label).width;
  const isOver = x + size + 8 + width > context.canvas.clientWidth;
  return isOver ? x - size - 4 - width : x + size + 4;
}

function drawName(context, { label, x, y, size }, { labelSize, labelWeight, labelFont, labelColor }) {
  if (!label) return;
  context.font = `${labelWeight} ${labelSize}px ${labelFont}`;
  context.lineWidth = 3;
  context.strokeStyle = token("paper");
  context.fillStyle = labelColor.color;
  const left = nameLeft(context, { label, x, size });
  context.strokeText(label, left, y + 4);
  context.fillText(label, left, y + 4);
}

// Draws over the graph with each of its frames.
export class Overlay {
  constructor(sigma, container) {
    this.sigma = sigma;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "over";
    this.canvas.setAttribute("aria-hidden", "true");
    container.append(this.canvas);
    Object.assign(this, { isSelected: () => false, isOut: () => false, focused: null, wasNamed: false, area: [] });
    sigma.on("afterRender", () => this.draw());
  }

  draw() {
    const { width, height } = this.sigma.getDimensions();
    const scale = devicePixelRatio;
    if (this.canvas.width !== width * scale || this.canvas.height !== height * scale) {
      Object.assign(this.canvas, { width: width * scale, height: height * scale });
    }
    const context = this.canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.strokeStyle = this.ink ??= token("ink");
    this.sigma.getGraph().forEachNode((name) => this.mark(context, name, this.isOut(name)));
    this.outline(context);
  }

  mark(context, name, isOut) {
    const isMarked = this.isSelected(name) || name === this.focused;
    if (!isOut && !isMarked) return;
    const data = this.sigma.getNodeDisplayData(name);
    const { x, y } = this.sigma.framedGraphToViewport(data);
    const size = this.sigma.scaleSize(data.size);
    context.beginPath();
    context.setLineDash([]);
    context.lineWidth = 1;
    if (isOut) {
      const arm = Math.max(2.5, 0.7 * size);
      context.moveTo(x - arm, y - arm);
      context.lineTo(x + arm, y + arm);
      context.moveTo(x + arm, y - arm);
      context.lineTo(x - arm, y + arm);
      context.stroke();
    }
    if (!isMarked) return;
    context.beginPath();
    context.lineWidth = name === this.focused ? 3 : 1.5;
    context.setLineDash(name === this.focused ? [] : [3, 2]);
    context.arc(x, y, size + (name === this.focused ? 4 : 2), 0, 2 * Math.PI);
    context.stroke();
  }

  outline(context) {
    if (this.area.length < 2) return;
    context.beginPath();
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    for (const [x, y] of this.area) context.lineTo(x, y);
    context.closePath();
    context.stroke();
  }
}
