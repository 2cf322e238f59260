// Requests to the site. A request that fails throws a Failure, whose kind is the same everywhere: the
// person is signed out, the site is out of reach, or it refuses.
const SIGN_IN = "/sign-in/";
const SESSION = "/session/";
// Characters; a browser takes 64 kB of all such requests together.
const MOST_KEPT_ALIVE = 8000;

export class Failure extends Error {
  // `kind` is "signed-out", "unreachable" or "refused"; a refusal may have the site's own sentence, and
  // the `present` text where that was changed elsewhere.
  constructor(kind, sentence = "", present = undefined) {
    super(sentence || kind);
    Object.assign(this, { kind, sentence, present });
  }
}

export function isSignIn(answer) {
  return answer.redirected && new URL(answer.url).pathname === SIGN_IN;
}

function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
}

async function send(address, { method = "GET", headers = {}, ...options } = {}) {
  const token = method === "GET" ? {} : { "X-CSRFToken": csrfToken() };
  try {
    return await fetch(address, { method, headers: { ...headers, ...token }, ...options });
  } catch {
    throw new Failure("unreachable");
  }
}

// The answer, whose status is 200. A token that has changed since the page was loaded is renewed once.
export async function request(address, options = {}) {
  let answer = await send(address, options);
  if (answer.status === 403 && options.method === "POST") {
    await signedIn();
    answer = await send(address, options);
  }
  if (isSignIn(answer)) throw new Failure("signed-out");
  if (answer.status === 422) throw refusal(await answer.json());
  if (!answer.ok) throw new Failure("refused");
  return answer;
}

function refusal({ message, present }) {
  return new Failure("refused", message, present);
}

// The JSON of a POST. A refusal in it, { ok: false, message }, is thrown with its sentence. A short one,
// such as a label, is sent to its end although the person leaves the page at once.
export async function post(address, body) {
  const keepalive = body instanceof URLSearchParams && body.toString().length <= MOST_KEPT_ALIVE;
  const headers = { Accept: "application/json" };
  const answer = await request(address, { method: "POST", body, headers, keepalive });
  const result = await answer.json();
  if (result.ok === false) throw refusal(result);
  return result;
}

// The token that forms send now. Throws a Failure unless the person is still signed in.
export async function signedIn() {
  const answer = await send(SESSION);
  if (!answer.ok) throw new Failure("refused");
  const { user, token } = await answer.json();
  if (!user) throw new Failure("signed-out");
  return token;
}
