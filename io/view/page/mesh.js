"use strict";
// Mesh draws triangles with WebGL 2. Positions, displacements and values lie
// in textures that the vertex shader looks up, so that a new frame uploads
// nothing but its numbers.
class Mesh extends Scene {
  static width = 2048; // of the textures

  constructor(canvas) {
    super(canvas);
    const gl = this.gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: false });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.triangles = this.program(`
      uniform highp usampler2D tri, shown;
      uniform highp sampler2D value;
      uniform int cellwise, plain;
      out vec3 corner;
      out float v;
      void main() {
        int t = gl_VertexID / 3, k = gl_VertexID % 3;
        uvec4 c = texelFetch(tri, at(t), 0);
        int n = int(k == 0 ? c.x : k == 1 ? c.y : c.z);
        corner = vec3(k == 0, k == 1, k == 2);
        v = plain == 1 ? 0.0 : texelFetch(value, at(cellwise == 1 ? t : n), 0).x;
        gl_Position = texelFetch(shown, at(int(c.w)), 0).x == 0u ? vec4(2, 2, 2, 1) : place(n);
      }`, `
      uniform sampler2D map;
      uniform vec2 range;
      uniform vec4 neutral;
      uniform float edge;
      uniform int plain;
      in vec3 corner;
      in float v;
      out vec4 colour;
      void main() {
        vec3 c = isnan(v) ? vec3(1, 0, 1) : texture(map, vec2((clamp((v - range.x) / (range.y - range.x), 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
        if (plain == 1) c = neutral.rgb;
        vec3 d = fwidth(corner);
        float size = max(d.x, max(d.y, d.z)); // of a pixel, relative to the triangle
        if (edge > 0.0 && size < 0.22) {
          vec3 a = smoothstep(vec3(0), 1.3 * d, corner);
          float near = 1.0 - min(a.x, min(a.y, a.z));
          float light = dot(c, vec3(0.299, 0.587, 0.114)); // edges are light on dark colours
          c = mix(c, vec3(light < 0.42 ? 1.0 : 0.0), near * edge * (1.0 - smoothstep(0.08, 0.22, size)));
        }
        colour = vec4(c, 1);
      }`);
    this.lines = this.program(`
      layout(location = 0) in uvec2 end; // node, body
      layout(location = 1) in float size; // of its component
      uniform highp usampler2D shown;
      uniform float pixels;
      uniform vec2 from;
      out float opacity;
      void main() {
        opacity = smoothstep(from.x, from.y, size * pixels);
        gl_Position = texelFetch(shown, at(int(end.y)), 0).x == 0u ? vec4(2, 2, 2, 1) : place(int(end.x));
      }`, `
      uniform vec4 line;
      in float opacity;
      out vec4 colour;
      void main() { colour = vec4(line.rgb, line.a * opacity); }`);
    this.cracks = this.program(`
      layout(location = 0) in uvec3 face; // nodes, body
      layout(location = 1) in float p;
      layout(location = 2) in float damage;
      uniform highp usampler2D shown;
      uniform vec2 pixel, range, width;
      out float v;
      void main() {
        vec4 a = place(int(face.x)), b = place(int(face.y));
        vec2 d = (b.xy - a.xy) / pixel, e = length(d) > 0.0 ? normalize(d) : vec2(1, 0), n = vec2(-e.y, e.x);
        int k = gl_VertexID < 3 ? gl_VertexID : gl_VertexID - 2; // two triangles of four corners
        bool far = k > 1, left = (k & 1) == 0;
        v = (p - range.x) / (range.y - range.x);
        vec2 x = (far ? b.xy : a.xy) + 0.5 * (width.x + width.y * damage) * pixel * ((left ? n : -n) + (far ? e : -e) * 0.5);
        gl_Position = isinf(p) || texelFetch(shown, at(int(face.z)), 0).x == 0u ? vec4(2, 2, 2, 1) : vec4(x, 0, 1);
      }`, `
      uniform sampler2D map;
      uniform vec4 ground;
      in float v;
      out vec4 colour;
      void main() {
        colour = ground.a > 0.0 ? ground : isnan(v) ? vec4(0.5, 0.5, 0.5, 1) : vec4(texture(map, vec2((clamp(v, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb, 1);
      }`);
    this.bars = this.program(`
      layout(location = 0) in vec4 x; // both ends
      layout(location = 1) in vec4 u;
      uniform vec2 pixel;
      uniform float width;
      void main() {
        vec4 at = (x + magnify * u) * scale.xyxy + shift.xyxy;
        vec2 d = (at.zw - at.xy) / pixel, n = length(d) > 0.0 ? normalize(vec2(-d.y, d.x)) : vec2(0, 1);
        int k = gl_VertexID < 3 ? gl_VertexID : gl_VertexID - 2; // two triangles of four corners
        gl_Position = isnan(u.x) ? vec4(2, 2, 2, 1) : vec4((k > 1 ? at.zw : at.xy) + 0.5 * width * pixel * ((k & 1) == 0 ? n : -n), 0, 1);
      }`, `
      uniform vec4 line;
      out vec4 colour;
      void main() { colour = line; }`);
    this.dots = this.program(`
      layout(location = 0) in vec2 x;
      layout(location = 1) in vec2 u;
      layout(location = 2) in float p;
      uniform vec2 range;
      uniform float dot;
      out float v;
      void main() {
        v = clamp((p - range.x) / (range.y - range.x), 0.0, 1.0);
        gl_Position = p == 0.0 ? vec4(2, 2, 2, 1) : vec4((x + magnify * u) * scale + shift, 0, 1);
        gl_PointSize = dot * (5.0 + 5.0 * v);
      }`, `
      uniform sampler2D map;
      uniform vec4 line;
      in float v;
      out vec4 colour;
      void main() {
        float r = length(gl_PointCoord - 0.5);
        if (r > 0.5) discard;
        colour = vec4(texture(map, vec2((v * 255.0 + 0.5) / 256.0, 0.5)).rgb, 1);
      }`);
    this.empty = gl.createVertexArray();
    this.map = this.texture();
    this.crackMap = this.texture();
    gl.disable(gl.DEPTH_TEST);
    canvas.addEventListener("webglcontextlost", e => e.preventDefault());
  }

  program(vertex, fragment) {
    const gl = this.gl, p = gl.createProgram();
    const common = `#version 300 es
      precision highp float;
      precision highp int;
      uniform highp sampler2D nodes, moved;
      uniform vec2 scale, shift;
      uniform float magnify;
      ivec2 at(int i) { return ivec2(i & 2047, i >> 11); }
      vec4 place(int n) {
        vec2 x = texelFetch(nodes, at(n), 0).xy + magnify * texelFetch(moved, at(n), 0).xy;
        return vec4(x * scale + shift, 0, 1);
      }`;
    for (const [kind, text] of [[gl.VERTEX_SHADER, common + vertex], [gl.FRAGMENT_SHADER, "#version 300 es\nprecision highp float;\nprecision highp int;\n" + fragment]]) {
      const s = gl.createShader(kind);
      gl.shaderSource(s, text);
      gl.compileShader(s);
      if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s));
      gl.attachShader(p, s);
    }
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(p));
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS); i++) {
      const { name } = gl.getActiveUniform(p, i);
      at[name] = gl.getUniformLocation(p, name);
    }
    return { p, at };
  }

  texture() {
    const gl = this.gl, t = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, t);
    for (const [k, v] of [[gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) {
      gl.texParameteri(gl.TEXTURE_2D, k, v);
    }
    return t;
  }

  // table makes a texture of n entries; fill puts an array of width numbers
  // each into it.
  table(n, width, kind) {
    const gl = this.gl, rows = Math.max(1, Math.ceil(n / Mesh.width));
    const [inside, format, type, Type] = {
      r32f: [gl.R32F, gl.RED, gl.FLOAT, Float32Array], rg32f: [gl.RG32F, gl.RG, gl.FLOAT, Float32Array],
      rgba32u: [gl.RGBA32UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT, Uint32Array], r32u: [gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, Uint32Array],
    }[kind];
    const t = { texture: this.texture(), data: new Type(rows * Mesh.width * width), rows, format, type };
    gl.texStorage2D(gl.TEXTURE_2D, 1, inside, Mesh.width, rows);
    return t;
  }

  fill(t, values) {
    const gl = this.gl;
    if (values) t.data.set(values);
    gl.bindTexture(gl.TEXTURE_2D, t.texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, Mesh.width, t.rows, t.format, t.type, t.data);
  }

  // load takes what no frame changes.
  load({ points, triangles, body, outline, cracks, springs, contact, bodies, discs }) {
    const gl = this.gl;
    this.take({ points, triangles, body, outline, cracks, springs, contact, bodies, discs });
    const count = this.whole;
    this.nodesTable = this.table(points.length / 2, 2, "rg32f");
    this.fill(this.nodesTable, points);
    this.movedTable = this.table(points.length / 2, 2, "rg32f");
    this.fill(this.movedTable);
    this.triTable = this.table(count, 4, "rgba32u");
    for (let i = 0; i < count; i++) this.triTable.data.set([this.tri[3 * i], this.tri[3 * i + 1], this.tri[3 * i + 2], this.body[i]], 4 * i);
    this.fill(this.triTable);
    this.valueTable = this.table(Math.max(count, points.length / 2), 1, "r32f");
    this.shownTable = this.table(bodies, 1, "r32u");
    this.fill(this.shownTable, this.shown);
    const ends = this.endList;
    this.ends = gl.createVertexArray();
    gl.bindVertexArray(this.ends);
    this.buffer(ends);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribIPointer(0, 2, gl.UNSIGNED_INT, 0, 0);
    this.buffer(this.endSize);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 1, gl.FLOAT, false, 0, 0);
    this.endCount = ends.length / 2;
    this.quads = gl.createVertexArray();
    gl.bindVertexArray(this.quads);
    this.buffer(this.faces);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribIPointer(0, 3, gl.UNSIGNED_INT, 0, 0);
    gl.vertexAttribDivisor(0, 1);
    this.crackBuffers = [1, 2].map(i => {
      const b = this.buffer(new Float32Array(this.faces.length / 3));
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, 1, gl.FLOAT, false, 0, 0);
      gl.vertexAttribDivisor(i, 1);
      return b;
    });
    this.rods = gl.createVertexArray();
    gl.bindVertexArray(this.rods);
    [, this.rodBuffer] = [this.springs, this.springMoved].map((a, i) => {
      const b = this.buffer(a);
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, 4, gl.FLOAT, false, 0, 0);
      gl.vertexAttribDivisor(i, 1);
      return b;
    });
    this.spots = gl.createVertexArray();
    gl.bindVertexArray(this.spots);
    this.spotBuffers = [this.contact, this.contactMoved, this.contactValue].map((a, i) => {
      const b = this.buffer(a);
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, i < 2 ? 2 : 1, gl.FLOAT, false, 0, 0);
      return b;
    });
    gl.bindVertexArray(null);
  }

  buffer(data) {
    const gl = this.gl, b = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, b);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    return b;
  }

  // frame takes the numbers of a frame: values per "cell" or "node", or of
  // contact nodes.
  frame({ values, ...rest }) {
    if (values) this.fill(this.valueTable, values);
    this.keep(rest);
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.rodBuffer);
    this.gl.bufferSubData(this.gl.ARRAY_BUFFER, 0, this.springMoved);
    if (!this.crackValue) return;
    [this.crackValue, this.crackDamage].forEach((a, i) => {
      this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.crackBuffers[i]);
      this.gl.bufferSubData(this.gl.ARRAY_BUFFER, 0, a);
    });
  }

  colours(hex, map = this.map) { // 256 times six digits
    const gl = this.gl, data = new Uint8Array(1024).fill(255);
    for (let i = 0; i < 256; i++) for (let k = 0; k < 3; k++) data[4 * i + k] = parseInt(hex.substr(6 * i + 2 * k, 2), 16);
    gl.bindTexture(gl.TEXTURE_2D, map);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
  }

  sift() {
    super.sift();
    this.fill(this.shownTable, this.shown);
  }

  draw(paint) {
    const gl = this.gl, c = this.canvas;
    if (this.moved !== this.uploaded) this.fill(this.movedTable, this.uploaded = this.moved);
    [this.contactDrawn, this.contactValue].forEach((a, i) => {
      if (a === this.sent?.[i]) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, this.spotBuffers[i + 1]);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, a);
    });
    this.sent = [this.contactDrawn, this.contactValue];
    gl.viewport(0, 0, c.width, c.height);
    gl.clearColor(...paint.stage);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.drawn++;
    if (!this.endCount) return;
    const sx = 2 * this.view.scale / c.clientWidth, sy = 2 * this.view.scale / c.clientHeight;
    const use = ({ p, at }, map = this.map) => {
      gl.useProgram(p);
      const bind = (unit, name, texture) => {
        if (!at[name]) return;
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.uniform1i(at[name], unit);
      };
      bind(0, "nodes", this.nodesTable.texture);
      bind(1, "moved", this.movedTable.texture);
      bind(2, "tri", this.triTable.texture);
      bind(3, "value", this.valueTable.texture);
      bind(4, "shown", this.shownTable.texture);
      bind(5, "map", map);
      gl.activeTexture(gl.TEXTURE7);
      gl.uniform2f(at.scale, sx, sy);
      gl.uniform2f(at.shift, -this.view.x * sx, -this.view.y * sy);
      gl.uniform1f(at.magnify, this.factor);
      if (at.range) gl.uniform2f(at.range, this.low, this.high > this.low ? this.high : this.low + 1e-30);
      if (at.line) gl.uniform4f(at.line, ...paint.outline);
      return at;
    };
    let at = use(this.triangles);
    const plain = this.on === "contact" || !this.on;
    gl.uniform1i(at.plain, plain ? 1 : 0);
    gl.uniform1i(at.cellwise, this.on === "cell" ? 1 : 0);
    gl.uniform4f(at.neutral, ...paint.neutral);
    gl.bindVertexArray(this.empty);
    const draw = (from, to, edge) => {
      gl.uniform1f(at.edge, edge);
      if (to > from) gl.drawArrays(gl.TRIANGLES, 3 * from, 3 * (to - from));
    };
    draw(0, Math.min(this.discs, this.count), this.edges ? paint.edge[3] : 0);
    draw(Math.min(this.discs, this.count), this.count, 0); // particles, each a disc of its colour
    if (this.on === "cell") gl.uniform1i(at.plain, 1);
    draw(this.count, this.whole, 0); // rigid bodies: their sides are outlines
    at = use(this.lines);
    gl.uniform1f(at.pixels, this.view.scale);
    gl.uniform2f(at.from, ...Scene.outlineFrom);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindVertexArray(this.ends);
    gl.drawArrays(gl.LINES, 0, this.endCount);
    gl.disable(gl.BLEND);
    if (this.crackValue) {
      at = use(this.cracks, this.crackMap);
      gl.uniform2f(at.pixel, 2 / c.clientWidth, 2 / c.clientHeight);
      gl.uniform2f(at.range, this.crackRange[0], this.crackRange[1]);
      gl.bindVertexArray(this.quads);
      for (const width of Scene.crackWidths) {
        gl.uniform2f(at.width, ...width);
        gl.uniform4f(at.ground, ...(width[0] === 0 ? paint.stage : [0, 0, 0, 0]));
        gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, this.crackValue.length);
      }
    }
    if (this.springs.length) {
      at = use(this.bars);
      gl.uniform2f(at.pixel, 2 / c.clientWidth, 2 / c.clientHeight);
      gl.uniform1f(at.width, Scene.springWidth);
      gl.bindVertexArray(this.rods);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, this.springs.length / 4);
    }
    if (this.on === "contact" && this.contactValue.length) {
      at = use(this.dots);
      gl.uniform1f(at.dot, c.width / c.clientWidth);
      gl.bindVertexArray(this.spots);
      gl.drawArrays(gl.POINTS, 0, this.contactValue.length);
    }
    gl.bindVertexArray(null);
  }
}
