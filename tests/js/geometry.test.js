// Where hosts are in the network, and where a picture of their links goes.
import assert from "node:assert/strict";
import { test } from "node:test";

import { cssMatrix, isInside, nearestTowards } from "../../static/js/hosts/geometry.js";

const SIZE = { width: 400, height: 200 };

test("a picture whose corners are where they were stays", () => {
  assert.equal(cssMatrix([{ x: 0, y: 0 }, { x: 400, y: 0 }, { x: 0, y: 200 }], SIZE), "matrix(1, 0, 0, 1, 0, 0)");
});

test("a picture follows its corners: moved, twice as large, turned by a quarter", () => {
  assert.equal(cssMatrix([{ x: 10, y: -20 }, { x: 810, y: -20 }, { x: 10, y: 380 }], SIZE), "matrix(2, 0, 0, 2, 10, -20)");
  assert.equal(cssMatrix([{ x: 0, y: 0 }, { x: 0, y: 400 }, { x: -200, y: 0 }], SIZE), "matrix(0, 1, -1, 0, 0, 0)");
});

test("a point in a bay of an area is outside of it", () => {
  const bay = [[0, 0], [10, 0], [10, 10], [5, 3], [0, 10]];
  assert.equal(isInside([5, 8], bay), false);
  assert.equal(isInside([5, 2], bay), true);
});

test("an arrow leads to the nearest point in its direction, and nowhere without one", () => {
  const points = [["far", [100, 0]], ["near", [20, 3]], ["aside", [10, 90]]];
  assert.equal(nearestTowards([0, 0], points, "ArrowRight"), "near");
  assert.equal(nearestTowards([0, 0], points, "ArrowLeft"), null);
});
