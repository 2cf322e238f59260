// The curves of crawls: drawn once and with the theme, and saved as a picture on paper of its colour.
import { Figure } from "../figures/figure.js";
import { token } from "../figures/tokens.js";

const PICTURE = { width: 960, height: 480 };
const SCALE = { png: 2, svg: 1 };
const TITLE_ROOM = 40;

class SavedFigure extends Figure {
  constructor(element, figure) {
    super(element, figure);
    this.title = element.querySelector("h3 a").textContent;
    element.querySelector("[data-saves]").hidden = false;
    element.addEventListener("click", (event) => {
      const kind = event.target.closest("[data-save]")?.dataset.save;
      if (kind) this.save(kind);
    });
  }

  async save(format) {
    const { data, layout } = this.target;
    const picture = {
      data,
      layout: {
        ...layout,
        autosize: false,
        paper_bgcolor: token("paper"),
        plot_bgcolor: token("paper"),
        title: { text: this.title, x: 0.01, xanchor: "left", font: { ...layout.font, size: 14, color: token("ink") } },
        margin: { ...layout.margin, t: TITLE_ROOM },
        // Where the page had no room for labels at the ends of curves, the picture has a legend.
        showlegend: layout.annotations.length === 0,
      },
    };
    const link = document.createElement("a");
    link.href = await Plotly.toImage(picture, { format, scale: SCALE[format], ...PICTURE });
    link.download = `${this.id.replaceAll("_", "-")}.${format}`;
    link.click();
  }
}

const script = document.getElementById("figures");
if (script) {
  const found = JSON.parse(script.textContent);
  const figures = [...document.querySelectorAll("[data-figure]")]
    .map((element) => new SavedFigure(element, found[element.dataset.figure]));
  const draw = () => figures.forEach((figure) => figure.draw());
  document.addEventListener("themechange", draw);
  draw();
}
