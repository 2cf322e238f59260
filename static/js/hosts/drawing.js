// The graph of hosts as sigma draws it, and what is drawn over it: the cross of hosts that are out, rings
// of the selected and the focused one, the area that is being drawn.
import { token } from "../figures/tokens.js";

const LARGEST_NAMED = 12;
const LEVELS = 5;

export function graphOf({ nodes, edges }, positions) {
  const graph = new graphology.DirectedGraph();
  const most = Math.max(1, ...nodes.map((node) => node.relevant));
  const named = new Set([...nodes].sort((a, b) => b.relevant - a.relevant || b.pages - a.pages).slice(0, LARGEST_NAMED));
  for (const [index, node] of nodes.entries()) {
    const [x, y] = positions[index];
    graph.addNode(node.name, {
      x, y: -y, type: "host", size: 3 + 11 * Math.sqrt(node.relevant / most),
      label: node.name, forceLabel: named.has(node), zIndex: node.relevant, ...marks(node),
    });
  }
  for (const [source, target, links] of edges) {
    graph.addDirectedEdge(nodes[source].name, nodes[target].name, { size: 0.5, links });
  }
  return graph;
}

// The ink by harvest and the ring by decision: thick in, thin undecided, none out, which has a cross.
export function marks({ harvest, decision, pages }) {
  const shade = pages ? token(`count-${Math.round(LEVELS * harvest)}`) : token("paper");
  const ring = { in: [0.28, token("ink")], out: [0.12, token("edge")], "": [0.14, token("edge")] }[decision];
  return { color: decision === "out" ? token("paper") : shade, ring: ring[0], ringColor: ring[1] };
}

export function draw(graph, container) {
  const { rendering } = Sigma;
  return new Sigma(graph, container, {
    allowInvalidContainer: true,
    nodeProgramClasses: { host: rendering.createNodeBorderProgram({ borders: [
      { size: { attribute: "ring", defaultValue: 0.14 }, color: { attribute: "ringColor" } },
      { size: { fill: true }, color: { attribute: "color" } },
    ] }) },
    edgeProgramClasses: { line: rendering.EdgeLineProgram },
    defaultEdgeType: "line",
    defaultEdgeColor: token("line"),
    enableCameraPanning: false,
    hideEdgesOnMove: graph.size > 5000,
    labelRenderedSizeThreshold: Infinity,
    labelColor: { color: token("ink") },
    labelFont: "Inter, sans-serif",
    labelSize: 11,
    labelWeight: "500",
    defaultDrawNodeHover: drawHover,
    defaultDrawNodeLabel: drawLabel,
    stagePadding: 24,
    minCameraRatio: 0.05,
    maxCameraRatio: 2,
    zIndex: true,
  });
}

function drawLabel(context, { label, x, y, size }, settings) {
  if (!label) return;
  context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
  context.lineWidth = 3;
  context.strokeStyle = token("paper");
  context.fillStyle = settings.labelColor.color;
  context.strokeText(label, x + size + 4, y + 4);
  context.fillText(label, x + size + 4, y + 4);
}

function drawHover(context, data, settings) { drawLabel(context, data, settings); }

// Draws over the graph with each of its frames.
export class Overlay {
  constructor(sigma, container) {
    this.sigma = sigma;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "over";
    this.canvas.setAttribute("aria-hidden", "true");
    container.append(this.canvas);
    Object.assign(this, { isSelected: () => false, focused: null, area: [] });
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
    this.sigma.getGraph().forEachNode((name, { decision }) => this.mark(context, name, decision));
    this.outline(context);
  }

  mark(context, name, decision) {
    const isMarked = this.isSelected(name) || name === this.focused;
    if (decision !== "out" && !isMarked) return;
    const data = this.sigma.getNodeDisplayData(name);
    const { x, y } = this.sigma.framedGraphToViewport(data);
    const size = this.sigma.scaleSize(data.size);
    context.beginPath();
    context.setLineDash([]);
    context.lineWidth = 1;
    if (decision === "out") {
      const arm = Math.max(2.5, 0.7 * size);
      context.moveTo(x - arm, y - arm);
      context.lineTo(x + arm, y + arm);
      context.moveTo(x + arm, y - arm);
      context.lineTo(x - arm, y + arm);
      context.stroke();
    }
    if (!isMarked) return;
    context.beginPath();
    context.lineWidth = name === this.focused ? 3 : 2;
    context.setLineDash(name === this.focused ? [] : [3, 2]);
    context.arc(x, y, size + 4, 0, 2 * Math.PI);
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
