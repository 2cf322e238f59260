// Once the head has scrolled away, its pill, pages and controls stay in one bar.
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
