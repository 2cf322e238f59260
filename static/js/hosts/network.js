// The network of a topic's hosts: drawn by sigma, laid out once, selected by area, by click or by key.
import { token } from "../figures/tokens.js";
import { isTyping } from "../typing.js";
import { showFailure } from "../failures.js";
import { request } from "../server.js";
import { draw, graphOf, hasManyLinks, marks, Overlay, readInks } from "./drawing.js";
import { LinksLayer } from "./links-layer.js";
import { firstPositions, isInside, nearestTowards } from "./geometry.js";
import { decide } from "./list.js";
import { crawlAddress, selection } from "./selection.js";

const root = document.querySelector("[data-network]");
const stage = root.querySelector("[data-stage]");
const note = root.querySelector("[data-note]");
const panel = root.querySelector("[data-area]");
const ITERATIONS = 300;
const PAUSE = 600; // milliseconds of layout between two drawings
const MOST = 8000;
const COLUMNS = { node: 10, edge: 3 };
const DECIDED = { y: "in", n: "out", 0: "undecided" };
const WORDS = { in: "in", out: "out", "": "undecided" };

let network = null;
let sigma = null;
let overlay = null;
let links = null;
let near = []; // the positions of the hosts that each host has a link with
let index = new Map(); // the positions of the hosts among the nodes, by name

function hasWebGL() {
  return Boolean(document.createElement("canvas").getContext("webgl2"));
}

async function load() {
  if (!hasWebGL()) return say("This browser has no WebGL2: the links between hosts are a table.");
  try {
    network = await (await request(root.dataset.network)).json();
  } catch {
    return say("The network could not be read. Reload the page to try again.");
  }
  if (network.nodes.length < 3) {
    return say(`A network needs 3 hosts that link to each other; there ${network.nodes.length === 1 ? "is 1" : `are ${network.nodes.length}`}.`);
  }
  index = new Map(network.nodes.map(({ name }, position) => [name, position]));
  root.querySelector("[data-how-many]").textContent = network.nodes.length < network.of
    ? `the ${number(network.nodes.length)} most linked of ${number(network.of)}` : `${network.of} hosts`;
  return lay();
}

function say(sentence) {
  note.textContent = sentence;
  note.hidden = false;
  stage.hidden = true;
}

function findNeighbours() {
  near = network.nodes.map(() => new Set());
  for (const [source, target] of network.edges) {
    near[source].add(target);
    near[target].add(source);
  }
}

// Connects the hosts by their links or by words in common; they stay where they are.
async function connect({ target }) {
  const query = target.value ? `?by=${target.value}` : "";
  try {
    network.edges = (await (await request(`${root.dataset.network}${query}`)).json()).edges;
  } catch (failure) {
    return showFailure(failure, target, "The hosts are connected as before.");
  }
  findNeighbours();
  links.connect(ends(), hasManyLinks(network));
  root.querySelector("[data-as-table]").search = query;
  root.querySelector("[data-none-alike]").hidden = !query || network.edges.length > 0;
  return undefined;
}

function ends() {
  return network.edges.map(([one, other]) => [network.nodes[one].name, network.nodes[other].name]);
}

function lay() {
  const { nodes } = network;
  const fixed = nodes.map(({ x, y }) => (x === null ? null : [x, y]));
  findNeighbours();
  const positions = firstPositions(fixed, near.map((others) => [...others]));
  if (fixed.every(Boolean)) {
    root.dataset.laid = "before";
    return show(positions);
  }
  const worker = new Worker(new URL("layout.js", import.meta.url));
  worker.onmessage = ({ data }) => {
    const moved = nodes.map((_, index) => [data.positions[2 * index], data.positions[2 * index + 1]]);
    if (sigma) move(moved);
    else show(moved);
    if (!data.isLast) return;
    worker.terminate();
    root.dataset.laid = "now";
    if (root.dataset.keep) keep(moved);
  };
  worker.postMessage({ ...matrices(positions, fixed), iterations: ITERATIONS, pause: PAUSE, most: MOST });
  return undefined;
}

// The columns that the iteration reads; what is fixed stays where it is.
function matrices(positions, fixed) {
  const nodes = new Float32Array(COLUMNS.node * network.nodes.length);
  const edges = new Float32Array(COLUMNS.edge * network.edges.length);
  for (const [index, [x, y]] of positions.entries()) {
    nodes.set([x, y, 0, 0, 0, 0, 1, 1, 1, fixed[index] ? 1 : 0], COLUMNS.node * index);
  }
  for (const [index, [source, target, links]] of network.edges.entries()) {
    const weight = 1 + Math.log2(links);
    nodes[COLUMNS.node * source + 6] += weight;
    nodes[COLUMNS.node * target + 6] += weight;
    edges.set([COLUMNS.node * source, COLUMNS.node * target, weight], COLUMNS.edge * index);
  }
  return { nodes, edges };
}

// A host stays where it was: positions are stored with the hosts.
function keep(positions) {
  const body = JSON.stringify({ positions: network.nodes.map(({ key }, index) => [key, ...positions[index]]) });
  request(root.dataset.keep, { method: "POST", body, headers: { "Content-Type": "application/json" } }).catch(() => null);
}

function show(positions) {
  const graph = graphOf(network, positions);
  sigma = draw(graph, stage);
  links = new LinksLayer(sigma, ends(), hasManyLinks(network));
  overlay = new Overlay(sigma, stage);
  overlay.isSelected = (name) => selection.has(name);
  overlay.isOut = (name) => network.nodes[index.get(name)].decision === "out";
  overlay.draw();
  listen();
  root.dataset.drawn = Math.round(performance.now()); // milliseconds since the address was asked for
  tell();
}

function move(positions) {
  const graph = sigma.getGraph();
  graph.updateEachNodeAttributes((name, attributes) => {
    const [x, y] = positions[index.get(name)];
    return Object.assign(attributes, { x, y: -y });
  }, { attributes: ["x", "y"] });
}

function recolour() {
  const graph = sigma.getGraph();
  overlay.ink = token("ink");
  sigma.setSetting("labelColor", { color: token("ink") });
  links.recolour();
  const inks = readInks();
  graph.updateEachNodeAttributes(
    (name, attributes) => Object.assign(attributes, marks(network.nodes[index.get(name)], inks)),
    { attributes: ["color", "ring", "ringColor"] },
  );
}

function number(value) { return value.toLocaleString("en-GB"); }

// The language of most hosts, if more than half have the same.
function mostly(hosts) {
  const counts = new Map();
  for (const { language } of hosts) if (language && language !== "und") counts.set(language, (counts.get(language) ?? 0) + 1);
  const [code, most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
  return 2 * most > hosts.length ? `, mostly ${new Intl.DisplayNames("en", { type: "language" }).of(code)}` : "";
}

// What is selected, in words, and what can be done with it.
function tell() {
  const chosen = network.nodes.filter(({ name }) => selection.has(name));
  panel.hidden = !chosen.length;
  if (!chosen.length) return;
  const sum = (column) => number(chosen.reduce((all, node) => all + node[column], 0));
  const of = (state) => number(chosen.filter(({ decision }) => decision === state).length);
  panel.querySelector("[data-hosts-in-area]").textContent = `${number(chosen.length)} host${chosen.length === 1 ? "" : "s"} selected`;
  panel.querySelector("[data-area-words]").textContent =
    `${of("in")} in, ${of("")} undecided, ${of("out")} out; ${sum("relevant")} relevant of ${sum("pages")} pages${mostly(chosen)}; ${sum("waiting")} links wait there`;
  const these = panel.querySelector("[data-crawl-these]");
  if (!these.dataset.address) return;
  const address = crawlAddress(these.dataset.address, chosen.map(({ name }) => name));
  these.hidden = !address;
  these.href = address || these.dataset.address;
  panel.querySelector("[data-too-many]").hidden = Boolean(address);
}

function area() {
  const polygon = overlay.area;
  return network.nodes.map(({ name }) => name).filter((name) => {
    const { x, y } = at(name);
    return isInside([x, y], polygon);
  });
}

function at(name) { return sigma.framedGraphToViewport(sigma.getNodeDisplayData(name)); }

function pointOf(event) {
  const box = stage.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

// A drag draws an area, a click takes a host; with Shift both add to what is selected.
function press(event) {
  if (event.button || event.pointerType === "touch") return;
  overlay.area = [pointOf(event)];
}

function drag(event) {
  if (!overlay.area.length || event.buttons !== 1) return;
  overlay.area.push(pointOf(event));
  overlay.draw();
}

function release(event) {
  const isArea = overlay.area.length > 4;
  const names = isArea ? area() : [];
  overlay.area = [];
  if (!isArea) return;
  if (event.shiftKey) selection.put(names, true);
  else selection.set(names);
}

function focus(name) {
  const graph = sigma.getGraph();
  const node = network.nodes[index.get(name)];
  if (overlay.focused) graph.mergeNodeAttributes(overlay.focused, { isFocused: false, forceLabel: overlay.wasNamed });
  overlay.focused = name;
  overlay.wasNamed = graph.getNodeAttribute(name, "forceLabel");
  graph.mergeNodeAttributes(name, { isFocused: true, forceLabel: true });
  root.querySelector("[data-focused]").textContent =
    `${name}: ${WORDS[node.decision]}, ${node.relevant} relevant of ${node.pages} pages, links with ${near[index.get(name)].size} hosts`;
  follow(name);
}

// Moves the view to a host that is outside of it.
function follow(name) {
  const { x, y } = at(name);
  const { width, height } = sigma.getDimensions();
  if (x > 0 && y > 0 && x < width && y < height) return;
  const data = sigma.getNodeDisplayData(name);
  sigma.getCamera().animate({ x: data.x, y: data.y });
}

function neighbours(names) {
  const positions = names.flatMap((name) => (index.has(name) ? [...near[index.get(name)]] : []));
  return new Set(positions.map((position) => network.nodes[position].name));
}

function walk(key) {
  if (!overlay.focused) return focus(network.nodes[0].name);
  const here = at(overlay.focused);
  const points = [...neighbours([overlay.focused])].map((name) => { const { x, y } = at(name); return [name, [x, y]]; });
  const next = nearestTowards([here.x, here.y], points, key);
  return next && focus(next);
}

function decideSelected(state) {
  const names = selection.size ? selection.all() : overlay.focused ? [overlay.focused] : [];
  if (names.length) decide(names, state, panel.hidden ? stage : panel);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  const camera = sigma.getCamera();
  if (event.key.startsWith("Arrow")) walk(event.key);
  else if (event.key === "+" || event.key === "=") camera.animatedZoom();
  else if (event.key === "-") camera.animatedUnzoom();
  else if (event.key === "Escape") selection.set([]);
  else if (event.key === "Enter" && overlay.focused) location.href = root.dataset.host.replace("HOST", encodeURIComponent(overlay.focused));
  else if (event.key === "x" && overlay.focused) selection.put([overlay.focused], !selection.has(overlay.focused));
  else if (event.key in DECIDED && root.dataset.keep) decideSelected(DECIDED[event.key]);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function click({ node, event }) {
  focus(node);
  if (event.original.shiftKey) selection.put([node], !selection.has(node));
  else selection.set([node]);
}

function listen() {
  sigma.on("clickNode", click);
  const by = root.querySelector("[data-by]");
  by.hidden = false;
  by.value = ""; // a browser that goes back would keep what was chosen
  by.addEventListener("change", connect);
  stage.addEventListener("pointerdown", press);
  document.addEventListener("pointermove", drag);
  document.addEventListener("pointerup", release);
  stage.addEventListener("keydown", key);
  selection.onChange(() => {
    overlay.draw();
    tell();
  });
  document.addEventListener("themechange", recolour);
  addEventListener("hosts-decided", ({ detail }) => {
    for (const node of network.nodes) node.decision = detail[node.name] ?? node.decision;
    recolour();
    tell();
  });
}

panel.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-decide-area]");
  if (button) decideSelected(button.dataset.decideArea);
  if (target.closest("[data-neighbours]")) selection.put(neighbours(selection.all()), true);
});

load();
