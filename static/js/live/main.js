// The live page: one connection, whose messages go to the parts that show them.
import { Charts } from "./charts.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { Feed } from "./feed.js";
import { Fragments } from "./fragments.js";
import { Guide } from "./guide.js";
import { HostFilter } from "./hosts.js";
import { Labels } from "./labels.js";
import { Liveness } from "./liveness.js";
import { SentPieces } from "./patches.js";
import { PatternPreview } from "./preview.js";
import { StickyBar } from "./sticky-bar.js";
import { Why } from "./why.js";

const read = (id) => JSON.parse(document.getElementById(id).textContent);

const root = document.querySelector("[data-live]");
const first = read("live-message");
const charts = new Charts(root, read("figures"));
const feed = new Feed(root);
const fragments = new Fragments(root);
const sent = new SentPieces();
const controls = new Controls(root);
new StickyBar(root);
new PatternPreview(root);
new HostFilter(root);
new Labels(root, controls);
new Why(root);
const guide = new Guide(root);

charts.apply(first);
controls.apply(first.status);
guide.apply(first.status);

const liveness = new Liveness(root, () => connection.lose());
const connection = new Connection(root, () => charts.seq, (message) => {
  const html = sent.take(message);
  const inStep = html !== null && charts.apply(message);
  if (inStep) fragments.apply(html.fragments);
  if (html) feed.apply(html.rows, message.status.pages);
  controls.apply(message.status);
  guide.apply(message.status);
  return inStep;
}, liveness);
connection.open();
// A handle for tests: what is drawn, and up to which sample.
root.liveCharts = charts;
