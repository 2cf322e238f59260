// Figures of what does not change while the page is open, that can be saved as pictures, PNG or SVG,
// on paper of their theme's colour.
import { Figure } from "./figure.js";
import { token } from "./tokens.js";

const PICTURE = { width: 960, height: 480 };
const SCALE = { png: 2, svg: 1 };
const TITLE_ROOM = 40;
// A picture has no web fonts: it is laid out in the one that it will be seen in.
const FONT = { size: 11, family: "sans-serif" };

class SavedFigure extends Figure {
  constructor(element, figure) {
    super(element, figure);
    this.title = (element.querySelector("h3 a") ?? element.querySelector("h3")).textContent.trim();
    element.querySelector("[data-saves]").hidden = false;
    element.addEventListener("click", (event) => {
      const kind = event.target.closest("[data-save]")?.dataset.save;
      if (kind) this.save(kind);
    });
  }

  async save(format) {
    const { traces, layout, hasLabels } = this.drawing(PICTURE.width, PICTURE.height, FONT);
    const picture = {
      data: traces,
      layout: {
        ...layout,
        autosize: false,
        paper_bgcolor: token("paper"),
        plot_bgcolor: token("paper"),
        title: { text: this.title, x: 0.01, xanchor: "left", font: { ...layout.font, size: 14, color: token("ink") } },
        margin: { ...layout.margin, t: TITLE_ROOM },
        // A picture without labels at the ends of curves has a legend.
        showlegend: !hasLabels,
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
  const drawn = JSON.parse(script.textContent);
  const figures = [...document.querySelectorAll("[data-figure]")]
    .map((element) => new SavedFigure(element, drawn[element.dataset.figure]));
  const draw = () => figures.forEach((figure) => figure.draw());
  document.addEventListener("themechange", draw);
  draw();
}
