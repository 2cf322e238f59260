// Draws all links between hosts with one call, below the hosts. As edges of the graph they would take
// longer to be made than all else takes together.
import { token } from "../figures/tokens.js";
import { cssMatrix } from "./geometry.js";

const VERTEX = `
attribute vec2 a_position;
uniform mat3 u_matrix;
void main() { gl_Position = vec4((u_matrix * vec3(a_position, 1)).xy, 0, 1); }`;
const FRAGMENT = `
precision mediump float;
uniform vec4 u_color;
void main(void) { gl_FragColor = u_color; }`;
const FAINT = 0.4; // of a few links
const STILL = 120; // milliseconds without a frame after which moved links are drawn anew

export class LinksLayer {
  // `ends` are the names of the two hosts of each link. While the network moves, what was drawn of links
  // that are `many` moves with it as a picture.
  constructor(sigma, ends, many) {
    Object.assign(this, { sigma, timer: 0 });
    this.gl = sigma.createWebGLContext("links", { beforeLayer: "edges" });
    this.fit();
    this.program = programOf(this.gl);
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.gl.createBuffer());
    this.connect(ends, many);
    sigma.on("afterProcess", () => this.fill());
    sigma.on("afterRender", () => this.draw());
  }

  connect(ends, many) {
    Object.assign(this, { ends, many, corners: [], points: new Float32Array(4 * ends.length) });
    this.recolour();
    this.fill();
    this.draw();
  }

  // Later changes of size are sigma's.
  fit() {
    const { canvas } = this.gl;
    const { width, height } = this.sigma.getDimensions();
    const scale = devicePixelRatio;
    Object.assign(canvas.style, { transformOrigin: "0 0", width: `${width}px`, height: `${height}px` });
    Object.assign(canvas, { width: width * scale, height: height * scale });
    this.gl.viewport(0, 0, width * scale, height * scale);
  }

  // The more links, the fainter each, so that one sees where they are dense.
  recolour() {
    const alpha = Math.min(FAINT, 6 / Math.sqrt(this.ends.length));
    this.color = [...rgbOf(token("edge")).map((value) => value * alpha), alpha];
  }

  fill() {
    const at = new Map();
    const positionOf = (name) => {
      if (!at.has(name)) at.set(name, this.sigma.getNodeDisplayData(name));
      return at.get(name);
    };
    for (const [index, [one, other]] of this.ends.entries()) {
      const [from, to] = [positionOf(one), positionOf(other)];
      this.points[4 * index] = from.x;
      this.points[4 * index + 1] = from.y;
      this.points[4 * index + 2] = to.x;
      this.points[4 * index + 3] = to.y;
    }
    this.gl.bufferData(this.gl.ARRAY_BUFFER, this.points, this.gl.DYNAMIC_DRAW);
  }

  isMoving() {
    const mouse = this.sigma.getMouseCaptor();
    return this.sigma.getCamera().isAnimated() || Boolean(mouse.isMoving || mouse.draggedEvents || mouse.currentWheelDirection);
  }

  draw() {
    clearTimeout(this.timer);
    if (this.many && this.isMoving() && this.corners.length) {
      this.movePicture();
      this.timer = setTimeout(() => this.draw(), STILL);
      return;
    }
    const { gl, program } = this;
    this.corners = this.pointsOfCorners().map((point) => this.sigma.viewportToFramedGraph(point));
    gl.canvas.style.transform = "";
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.useProgram(program);
    const position = gl.getAttribLocation(program, "a_position");
    gl.enableVertexAttribArray(position);
    gl.vertexAttribPointer(position, 2, gl.FLOAT, false, 0, 0);
    gl.uniformMatrix3fv(gl.getUniformLocation(program, "u_matrix"), false, this.sigma.getRenderParams().matrix);
    gl.uniform4fv(gl.getUniformLocation(program, "u_color"), this.color);
    gl.drawArrays(gl.LINES, 0, 2 * this.ends.length);
  }

  // The top left corner, the top right and the bottom left one of the picture, in pixels.
  pointsOfCorners() {
    const { width, height } = this.sigma.getDimensions();
    return [{ x: 0, y: 0 }, { x: width, y: 0 }, { x: 0, y: height }];
  }

  // Puts the corners of what was drawn where the camera sees them now.
  movePicture() {
    const corners = this.corners.map((corner) => this.sigma.framedGraphToViewport(corner));
    this.gl.canvas.style.transform = cssMatrix(corners, this.sigma.getDimensions());
  }
}

function programOf(gl) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}

// Red, green and blue of any colour of CSS, 0 to 1.
function rgbOf(color) {
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((value) => value / 255);
}
