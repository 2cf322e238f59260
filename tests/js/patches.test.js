// Patches of HTML are read as the server writes them (apps/screens/live/patches.py).
import assert from "node:assert/strict";
import { test } from "node:test";

import { PatchReader, SentPieces } from "../../static/js/live/patches.js";

test("numbers copy tokens: from where the copy before ended, and how many", () => {
  // The tokens of the HTML before: <b class=, "a, ">x, < and /b>.
  const before = '<b class="a">x</b>';
  assert.equal(new PatchReader().read(before, [0, 1, '"new', 1, 3]), '<b class="new">x</b>');
});

test("a copy may take what the patch itself has made, and what patches before it made", () => {
  const reader = new PatchReader();
  assert.equal(reader.read("", ["<td>1<td>", 0, 2]), "<td>1<td><td>1<td>");
  assert.equal(reader.read("<p>", [-4, 1]), "<td>1");
});

const snapshot = { kind: "snapshot", number: 7, rows: ["<tr>2", "<tr>1"], fragments: { pages: "<b>2", row: "<tr>2" } };

test("a snapshot is whole, and the next delta patches it", () => {
  const sent = new SentPieces();
  assert.deepEqual(sent.take(snapshot), { rows: "<tr>2<tr>1", fragments: snapshot.fragments });
  const delta = { kind: "delta", number: 8, rows: [["<tr>4"], ["<tr>3"]], fragments: { pages: [0, 1, "<i>4"] } };
  assert.deepEqual(sent.take(delta), { rows: "<tr>4<tr>3", fragments: { pages: "<b>2<i>4" } });
  assert.equal(sent.pieces.get("row"), "<tr>4");
});

test("a delta that came before says nothing, and one too many is noticed", () => {
  const sent = new SentPieces();
  sent.take(snapshot);
  const delta = (number) => ({ kind: "delta", number, rows: [["<tr>9"]], fragments: {} });
  assert.deepEqual(sent.take(delta(7)), { rows: "", fragments: {} });
  assert.equal(sent.take(delta(9)), null);
  assert.equal(sent.take(delta(8)).rows, "<tr>9");
});
