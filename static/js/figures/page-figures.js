// Figures of what does not change while the page is open: drawn once, and again with the theme.
import { Figure } from "./figure.js";

const drawn = JSON.parse(document.getElementById("figures").textContent);
const figures = [...document.querySelectorAll("[data-figure]")].map((element) => new Figure(element, drawn[element.dataset.figure]));
const draw = () => figures.forEach((figure) => figure.draw());

document.addEventListener("themechange", draw);
draw();
