// Moving in a list and selecting a range of its rows.
import assert from "node:assert/strict";
import { test } from "node:test";

import { between, stepped } from "../../static/js/rows.js";

const rows = ["a", "b", "c", "d"];

test("a step ends at the first and the last row", () => {
  assert.equal(stepped(rows, "b", 1), "c");
  assert.equal(stepped(rows, "d", 1), "d");
  assert.equal(stepped(rows, "a", -1), "a");
});

test("without a row the first step goes to an end of the list", () => {
  assert.equal(stepped(rows, null, 1), "a");
  assert.equal(stepped(rows, null, -1), "d");
  assert.equal(stepped([], null, 1), undefined);
});

test("a range is the same in both directions", () => {
  assert.deepEqual(between(rows, "b", "d"), ["b", "c", "d"]);
  assert.deepEqual(between(rows, "d", "b"), ["b", "c", "d"]);
});

test("a range from a row that is gone is the row itself", () => {
  assert.deepEqual(between(rows, "gone", "c"), ["c"]);
  assert.deepEqual(between(rows, null, "c"), ["c"]);
});
