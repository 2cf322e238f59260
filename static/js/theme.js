// Loaded before the first paint, so that a remembered theme never flashes.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => {
    try { return localStorage.getItem("theme"); } catch { return null; }
  };
  const keep = (theme) => {
    try { localStorage.setItem("theme", theme); } catch { /* private windows keep nothing */ }
  };
  const current = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const apply = (theme) => { if (theme === "dark" || theme === "light") root.dataset.theme = theme; };
  apply(kept());
  // Pages have their times in this zone.
  const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;

  const label = (button) => {
    const other = current() === "dark" ? "light" : "dark";
    button.querySelector("[data-word]").textContent = other === "dark" ? "Dark" : "Light";
    button.querySelector("[data-icon=moon]").toggleAttribute("hidden", other !== "dark");
    button.querySelector("[data-icon=sun]").toggleAttribute("hidden", other !== "light");
    button.setAttribute("aria-label", `Use the ${other} theme`);
  };
  const announce = () => document.dispatchEvent(new CustomEvent("themechange"));

  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      label(button);
      button.addEventListener("click", () => {
        apply(current() === "dark" ? "light" : "dark");
        keep(current());
        label(button);
        announce();
      });
      dark.addEventListener("change", () => { label(button); announce(); });
    }
  });
})();
