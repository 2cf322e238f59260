// Where hosts are: inside a drawn area, around the circle that new ones begin on, in a direction; and
// where a picture of them goes.

// Whether a point is inside a polygon of points.
export function isInside([x, y], polygon) {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i, i += 1) {
    const [[xi, yi], [xj, yj]] = [polygon[i], polygon[j]];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

// Positions to begin with: fixed ones stay; each of the others begins beyond the edge, on the side of its
// neighbours; without a fixed one all begin on a circle in their order.
export function firstPositions(fixed, neighbours) {
  const placed = fixed.filter(Boolean);
  const radius = placed.reduce((most, [x, y]) => Math.max(most, Math.hypot(x, y)), 0) || 100;
  return fixed.map((position, index) => position ?? beginAt(index, fixed, neighbours, radius));
}

function beginAt(index, fixed, neighbours, radius) {
  const near = neighbours[index].map((other) => fixed[other]).filter(Boolean);
  const [x, y] = near.reduce(([sumX, sumY], [otherX, otherY]) => [sumX + otherX, sumY + otherY], [0, 0]);
  const turn = near.length && Math.hypot(x, y) > 0 ? Math.atan2(y, x) : (2 * Math.PI * index * 0.618) % (2 * Math.PI);
  const spread = turn + ((index % 7) - 3) * 0.02;
  return [1.1 * radius * Math.cos(spread), 1.1 * radius * Math.sin(spread)];
}

// The nearest of some points in the direction of an arrow key, or null.
export function nearestTowards([x, y], points, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null;
  let least = Infinity;
  for (const [name, [otherX, otherY]] of points) {
    const along = (otherX - x) * dx + (otherY - y) * dy;
    const across = Math.abs((otherX - x) * dy) + Math.abs((otherY - y) * dx);
    if (along > 0 && along + 2 * across < least) [best, least] = [name, along + 2 * across];
  }
  return best;
}

// The transformation in CSS that takes a picture of a width and a height to where its top left, its top
// right and its bottom left corner are now.
export function cssMatrix([origin, right, below], { width, height }) {
  const across = [(right.x - origin.x) / width, (right.y - origin.y) / width];
  const down = [(below.x - origin.x) / height, (below.y - origin.y) / height];
  return `matrix(${[...across, ...down, origin.x, origin.y].join(", ")})`;
}
