import { clearFailures, showFailure } from "./failures.js";
import { post } from "./server.js";

// A file of a list is read by the site and shown before anything of it is taken. Clean lines are
// taken at once. What is taken goes into the lists of the form, where it can be undone.
export function readLists(form) {
  const dialog = document.querySelector("[data-list-dialog]");
  const isInline = "inline" in dialog.dataset;
  let input; // the field of the file that is shown
  let file;
  let answer;
  let latest = 0;

  // Until the latest choice is read nothing can be taken: the answer would be that of the one before.
  async function read(choices, isFirst) {
    const order = ++latest;
    const button = dialog.querySelector("[data-take]");
    if (button) button.disabled = true;
    const body = new FormData();
    body.append("file", file);
    for (const [name, value] of Object.entries(choices)) body.append(name, value);
    clearFailures();
    let received;
    try {
      received = await post(dialog.dataset.read, body);
    } catch (failure) {
      if (order !== latest) return;
      if (button) button.disabled = !answer.entries;
      input.value = "";
      showFailure(failure, dialog.open ? dialog.querySelector(".list-menus, header") : input, "Nothing was taken.");
      form.dispatchEvent(new Event("listfailed"));
      return;
    }
    if (order !== latest) return;
    answer = received;
    if (isFirst && answer.is_clean) take();
    else show();
  }

  function show() {
    const focused = dialog.contains(document.activeElement) ? document.activeElement.name : "";
    dialog.innerHTML = answer.html;
    if (!dialog.open) dialog[isInline ? "show" : "showModal"]();
    const field = focused && dialog.querySelector(`select[name="${focused}"], [name="${focused}"]:checked`);
    (field || dialog.querySelector("[data-take]:enabled") || dialog.querySelector("[data-cancel]")).focus();
  }

  function chosen() {
    const fields = dialog.querySelectorAll("select, input:checked, input[type=hidden]");
    return Object.fromEntries([...fields].map(({ name, value }) => [name, value]));
  }

  function take() {
    const before = new Map();
    for (const [name, text] of Object.entries(answer.lists)) {
      const list = form.elements[name];
      before.set(list, list.value);
      setList(list, list.value.trim() ? `${list.value.trimEnd()}\n${text}` : text);
    }
    sayTaken(before);
    close();
    form.dispatchEvent(new Event("listtaken"));
    if (isInline) form.requestSubmit();
  }

  function sayTaken(before) {
    const line = form.querySelector(`[data-list-taken="${input.dataset.list}"]`);
    const taken = { file, input, name: file.name };
    line.replaceChildren(takenWords(answer, before, taken.name));
    line.append(
      " ",
      quietButton("Look", () => {
        ({ file, input } = taken);
        undo(before, line);
        read({ taken_as: input.dataset.list }, false);
      }),
      " ",
      quietButton("Undo", () => undo(before, line)),
    );
  }

  function close() {
    if (dialog.open) dialog.close();
    input.value = "";
  }

  form.addEventListener("change", ({ target }) => {
    if (!target.matches("input[type=file][data-list]") || !target.files.length) return;
    input = target;
    [file] = target.files;
    read({ taken_as: input.dataset.list }, true);
  });
  form.querySelector("[data-read-pasted]")?.addEventListener("click", () => {
    const pasted = form.elements.pasted.value;
    if (!pasted.trim()) {
      form.elements.pasted.focus();
      return;
    }
    input = form.querySelector("input[type=file][data-list]");
    file = new File([pasted], "Pasted text");
    read({ taken_as: input.dataset.list }, true);
  });
  dialog.addEventListener("change", ({ target }) => {
    const choices = chosen();
    // Another delimiter, encoding or sheet makes other columns.
    const isKept = target.matches("[name=taken_as], [name=column], [name=title], [name=answer], [name=count]");
    if (!isKept) for (const name of ["column", "title", "answer", "count"]) delete choices[name];
    read(choices, false);
  });
  dialog.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const { column, correct } = button.dataset;
    if (column) read({ ...chosen(), column, title: -1, answer: -1 }, false);
    else if (correct) read({ ...chosen(), corrections: join(chosen().corrections, correct) }, false);
    else if ("allRows" in button.dataset) showAllRows(dialog, button);
    else if ("take" in button.dataset) take();
    else if ("cancel" in button.dataset) close();
    else if ("another" in button.dataset) input.click();
    else if ("paste" in button.dataset) {
      close();
      (form.elements.pasted ?? form.elements[input.dataset.list]).focus();
    }
  });
  dialog.addEventListener("close", () => { input.value = ""; });
}

function join(numbers, more) {
  return [numbers, more].filter(Boolean).join(",");
}

function setList(list, text) {
  list.value = text;
  list.dispatchEvent(new Event("input", { bubbles: true }));
  list.dispatchEvent(new Event("paste"));
}

function undo(before, line) {
  for (const [list, text] of before) setList(list, text);
  line.replaceChildren();
}

function takenWords({ unit, entries, refused }, before, name) {
  const left = refused ? `, ${refused} left out` : "";
  const others = before.size > 1 ? `, into ${before.size} lists by their answers` : "";
  const [one, many] = unit === "host" ? ["host", "hosts"] : ["address", "addresses"];
  return `${entries} ${entries === 1 ? one : many} of ${name} taken${others}${left}.`;
}

function quietButton(text, act) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: text });
  button.addEventListener("click", act);
  return button;
}

function showAllRows(dialog, button) {
  for (const row of dialog.querySelectorAll(".list-rows tr[hidden]")) row.hidden = false;
  dialog.querySelector("[data-rows-shown]")?.remove();
  button.remove();
}
