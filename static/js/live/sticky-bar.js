// Once the page header has scrolled away, its state, page count and controls stay in a bar.
export class StickyBar {
  constructor(root) {
    const bar = root.querySelector("[data-stuck]");
    new IntersectionObserver(([head]) => {
      const gone = !head.isIntersecting && head.boundingClientRect.top < 0;
      bar.hidden = !gone;
      bar.setAttribute("aria-hidden", String(!gone));
    }).observe(root.querySelector("[data-head]"));
  }
}
