// Draws all hosts with one call, each as a point: a disc of one colour in a ring of another. Programs that
// draw an instance a host are slow where WebGL is computed by software.
const VERTEX = `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec4 a_ringColor;
attribute vec2 a_position;
attribute float a_size;
attribute float a_ring;
uniform float u_sizeRatio;
uniform float u_pixelRatio;
uniform mat3 u_matrix;
varying vec4 v_color;
varying vec4 v_ringColor;
varying float v_ring;
varying float v_edge;
const float bias = 255.0 / 254.0;

void main() {
  gl_Position = vec4((u_matrix * vec3(a_position, 1)).xy, 0, 1);
  float diameter = 2.0 * a_size / u_sizeRatio * u_pixelRatio;
  gl_PointSize = diameter;
  v_edge = 1.0 / diameter;
  v_ring = 0.5 - 0.5 * a_ring;
#ifdef PICKING_MODE
  v_color = a_id;
#else
  v_color = a_color;
#endif
  v_color.a *= bias;
  v_ringColor = a_ringColor;
  v_ringColor.a *= bias;
}`;
const FRAGMENT = `
precision mediump float;
varying vec4 v_color;
varying vec4 v_ringColor;
varying float v_ring;
varying float v_edge;

void main(void) {
  float dist = length(gl_PointCoord - vec2(0.5, 0.5));
#ifdef PICKING_MODE
  gl_FragColor = dist < 0.5 ? v_color : vec4(0.0);
#else
  vec4 color = mix(v_color, v_ringColor, smoothstep(v_ring - v_edge, v_ring, dist));
  gl_FragColor = mix(color, vec4(0.0), smoothstep(0.5 - v_edge, 0.5, dist));
#endif
}`;

export function ringProgram() {
  const { rendering, utils: { floatColor } } = Sigma;
  const { UNSIGNED_BYTE, FLOAT, POINTS } = WebGLRenderingContext;
  return class extends rendering.NodeProgram {
    getDefinition() {
      return {
        VERTICES: 1, VERTEX_SHADER_SOURCE: VERTEX, FRAGMENT_SHADER_SOURCE: FRAGMENT, METHOD: POINTS,
        UNIFORMS: ["u_sizeRatio", "u_pixelRatio", "u_matrix"],
        ATTRIBUTES: [
          { name: "a_position", size: 2, type: FLOAT },
          { name: "a_size", size: 1, type: FLOAT },
          { name: "a_color", size: 4, type: UNSIGNED_BYTE, normalized: true },
          { name: "a_ring", size: 1, type: FLOAT },
          { name: "a_ringColor", size: 4, type: UNSIGNED_BYTE, normalized: true },
          { name: "a_id", size: 4, type: UNSIGNED_BYTE, normalized: true },
        ],
      };
    }

    processVisibleItem(id, start, { x, y, size, color, ring, ringColor }) {
      this.array.set([x, y, size, floatColor(color), ring, floatColor(ringColor), id], start);
    }

    setUniforms({ sizeRatio, pixelRatio, matrix }, { gl, uniformLocations }) {
      gl.uniform1f(uniformLocations.u_sizeRatio, sizeRatio);
      gl.uniform1f(uniformLocations.u_pixelRatio, pixelRatio);
      gl.uniformMatrix3fv(uniformLocations.u_matrix, false, matrix);
    }
  };
}
