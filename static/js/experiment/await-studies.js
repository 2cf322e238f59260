import { request } from "../server.js";

// Shows the page anew once what is measured over the pages is there.
const EVERY = 3000;
const address = document.querySelector("[data-studied]").dataset.studied;

async function ask() {
  const answer = document.hidden ? null : await request(address).catch((failure) => failure);
  if (answer?.kind === "signed-out" || (answer?.ok && !(await answer.json()).under_way)) location.reload();
  else setTimeout(ask, EVERY);
}

setTimeout(ask, EVERY);
