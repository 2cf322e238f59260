// Lays out the network of hosts by ForceAtlas2 (Jacomy et al. 2014), in a process of its own, so that
// the page does not wait. A classic script, since the library's iteration is no module.
self.module = {};
importScripts("../../vendor/graphology-layout-forceatlas2/iterate.js");
const iterate = self.module.exports;
const NODE = 10; // the columns of a node: x, y, forces, mass, convergence, size, fixed

function settingsFor(nodes) {
  return {
    linLogMode: false, outboundAttractionDistribution: false, adjustSizes: false,
    edgeWeightInfluence: 1, scalingRatio: 10, strongGravityMode: true, gravity: 0.05,
    slowDown: 1 + Math.log(nodes), barnesHutOptimize: nodes > 300, barnesHutTheta: 0.8,
  };
}

function positions(nodes) {
  const flat = new Float32Array((2 * nodes.length) / NODE);
  for (let node = 0; node < nodes.length / NODE; node += 1) {
    flat[2 * node] = nodes[NODE * node];
    flat[2 * node + 1] = nodes[NODE * node + 1];
  }
  return flat;
}

// Sends positions every `pause` milliseconds, so that the network is drawn at once and seen to unfold,
// and at the end.
self.onmessage = ({ data: { nodes, edges, iterations, pause, most } }) => {
  const settings = settingsFor(nodes.length / NODE);
  const begun = performance.now();
  let sent = begun;
  for (let done = 0; done < iterations && performance.now() - begun < most; done += 1) {
    iterate(settings, nodes, edges);
    if (done > 0 && performance.now() - sent < pause) continue;
    sent = performance.now();
    self.postMessage({ positions: positions(nodes), isLast: false });
  }
  self.postMessage({ positions: positions(nodes), isLast: true });
};
