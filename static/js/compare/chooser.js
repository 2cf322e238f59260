// A form of check boxes of which only so many may be chosen: the others are disabled then.
const LEAST = 2;

function watch(form) {
  const boxes = [...form.querySelectorAll("input[type=checkbox]")];
  const go = form.querySelector("[data-go]");
  const [least, most] = [Number(form.dataset.least ?? LEAST), Number(form.dataset.most)];
  const show = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    for (const box of boxes) box.disabled = chosen >= most && !box.checked;
    go.disabled = chosen < least;
  };
  form.addEventListener("change", show);
  addEventListener("pageshow", show); // a browser that goes back restores the boxes
  show();
}

document.querySelectorAll("[data-chooser]").forEach(watch);
