// The form of a topic: checks lists as they are typed, keeps a draft, names missing parts.
import { checkLists } from "./topic-form/lines.js";
import { readLists } from "./list-reading.js";
import { writeDraft } from "./drafts.js";
import { showKeywords } from "./topic-form/keywords.js";
import { previewClassifier } from "./topic-form/preview.js";
import { nameWhatIsMissing } from "./topic-form/missing.js";

const form = document.querySelector("[data-topic-form]");
const showReady = nameWhatIsMissing(form);
checkLists(form, showReady);
readLists(form);
const offerKeywords = showKeywords(form);
const web = location.pathname.match(/^\/webs\/(\d+)\/topic\/$/)?.[1];
// The pages selected on a web are this topic once it is saved: the next selection begins with none.
if (web) form.dataset.selection = `pages-of-web-${web}`;
if (form.dataset.chosenOn) {
  sessionStorage.removeItem(`pages-of-web-${form.dataset.chosenOn}`);
  writeDraft(form, true);
}
previewClassifier(form, offerKeywords);

// A link to a field opens the row that contains it.
function openTarget() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const row = target?.closest?.("details");
  if (!row) return;
  row.open = true;
  target.scrollIntoView();
}
openTarget();
addEventListener("hashchange", openTarget);
document.querySelector(".field [aria-invalid='true']")?.focus();
