// Requests to the site: each way to fail is told apart from the others.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Failure, post, request, signedIn } from "../../static/js/server.js";

let asked;
let answers;

beforeEach(() => {
  asked = [];
  answers = [];
  global.document = { cookie: "theme=dark; csrftoken=abc" };
  global.fetch = async (address, options) => {
    asked.push([address, options]);
    const answer = answers.shift();
    if (!answer) throw new TypeError("Failed to fetch");
    return answer;
  };
});

const json = (value, status = 200) => ({ ok: status === 200, status, redirected: false, json: async () => value });
const fails = (kind, sentence = "") => (error) => error instanceof Failure && error.kind === kind && error.sentence === sentence;

test("an answer is passed on", async () => {
  answers = [json({ rows: 3 })];
  assert.deepEqual(await (await request("/rows/")).json(), { rows: 3 });
  assert.equal(asked[0][1].headers["X-CSRFToken"], undefined);
});

test("a POST has the token of the cookie", async () => {
  answers = [json({ ok: true })];
  await post("/act/", "value=y");
  assert.equal(asked[0][1].headers["X-CSRFToken"], "abc");
  assert.equal(asked[0][1].body, "value=y");
});

test("a short POST goes on when the page is left, which a browser does not take of a long one", async () => {
  answers = [json({ ok: true }), json({ ok: true })];
  await post("/label/", new URLSearchParams({ value: "y" }));
  await post("/label/", new URLSearchParams({ value: "y".repeat(70_000) }));
  assert.deepEqual(asked.map(([, { keepalive }]) => keepalive), [true, false]);
});

test("a redirection to the form of signing in means signed out", async () => {
  answers = [{ ok: true, status: 200, redirected: true, url: "http://site.test/sign-in/?next=/rows/" }];
  await assert.rejects(request("/rows/"), fails("signed-out"));
});

test("no answer means out of reach", async () => {
  await assert.rejects(request("/rows/"), fails("unreachable"));
});

test("an old token is renewed once", async () => {
  answers = [json({}, 403), json({ user: 1, token: "new" }), json({ ok: true, label: "y" })];
  assert.equal((await post("/label/", "value=y")).label, "y");
  assert.deepEqual(asked.map(([address]) => address), ["/label/", "/session/", "/label/"]);
});

test("who is signed out behind an old token is signed out", async () => {
  answers = [json({}, 403), json({ user: null, token: "new" })];
  await assert.rejects(post("/label/", "value=y"), fails("signed-out"));
});

test("a refusal has the site's own sentence", async () => {
  answers = [json({ ok: false, message: "This page cannot be an example." })];
  await assert.rejects(post("/label/", "value=y"), fails("refused", "This page cannot be an example."));
  answers = [json({ message: "Too long." }, 422)];
  await assert.rejects(request("/note/"), fails("refused", "Too long."));
  answers = [json({}, 500)];
  await assert.rejects(request("/note/"), fails("refused"));
});

test("the token of now comes with the answer that somebody is signed in", async () => {
  answers = [json({ user: 7, token: "fresh" })];
  assert.equal(await signedIn(), "fresh");
});
