"use strict";
// Flat draws what Mesh does on a 2-D canvas, pixel by pixel: for browsers
// without WebGL 2. It is slower.
class Flat extends Scene {
  constructor(canvas) {
    super(canvas);
    this.ctx = canvas.getContext("2d", { alpha: false });
    if (!this.ctx) throw new Error("this browser has neither WebGL 2 nor a 2-D canvas, so the mesh cannot be drawn");
    this.palette = new Uint32Array(256);
  }

  load(what) {
    this.take(what);
    this.px = new Float32Array(this.points.length); // where nodes are on the screen
  }

  frame({ values, ...rest }) {
    this.keep(rest);
    this.values = values;
  }

  colours(hex) {
    for (let i = 0; i < 256; i++) {
      const v = parseInt(hex.substr(6 * i, 6), 16);
      this.palette[i] = Flat.packed(v >> 16, v >> 8 & 255, v & 255);
    }
  }

  // packed is a pixel as canvases keep it on the machines there are.
  static packed(r, g, b) { return (255 << 24 | b << 16 | g << 8 | r) >>> 0; }

  // edged is a pixel on an edge: lighter where it is dark, darker where it is
  // light.
  static edged(pixel, share) {
    const r = pixel & 255, g = pixel >> 8 & 255, b = pixel >> 16 & 255;
    const to = 0.299 * r + 0.587 * g + 0.114 * b < 107 ? 255 : 0;
    return Flat.packed(r + (to - r) * share, g + (to - g) * share, b + (to - b) * share);
  }

  draw(paint) {
    this.drawn++;
    const { canvas: c, ctx, px } = this, w = c.width, h = c.height, ratio = w / c.clientWidth;
    if (!this.image || this.image.width !== w || this.image.height !== h) {
      this.image = ctx.createImageData(w, h);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const colour = p => Flat.packed(...p.slice(0, 3).map(v => Math.round(255 * v)));
    this.pixels.fill(colour(paint.stage));
    if (!this.tri) return ctx.putImageData(this.image, 0, 0);
    const scale = this.view.scale * ratio, m = this.factor;
    for (let i = 0; i < px.length; i += 2) {
      px[i] = w / 2 + (this.points[i] + m * this.moved[i] - this.view.x) * scale;
      px[i + 1] = h / 2 - (this.points[i + 1] + m * this.moved[i + 1] - this.view.y) * scale;
    }
    const plain = this.on === "contact" || !this.on || !this.values, neutral = colour(paint.neutral);
    const edge = this.edges ? paint.edge[3] : 0;
    for (let t = 0; t < this.whole; t++) {
      const rigid = t >= this.count;
      if (this.shown[this.body[t]]) this.triangle(t, plain || rigid && this.on === "cell" ? neutral : -1, t < this.discs && !rigid ? edge : 0, w, h);
    }
    ctx.putImageData(this.image, 0, 0);
    ctx.lineWidth = ratio;
    ctx.strokeStyle = `rgb(${paint.outline.slice(0, 3).map(v => Math.round(255 * v))})`;
    ctx.beginPath();
    for (let i = 0; i < this.endList.length; i += 4) {
      if (!this.shown[this.endList[i + 1]] || Scene.outlined(this.endSize[i / 2] * this.view.scale) < 0.5) continue;
      const a = 2 * this.endList[i], b = 2 * this.endList[i + 2];
      ctx.moveTo(px[a], px[a + 1]);
      ctx.lineTo(px[b], px[b + 1]);
    }
    ctx.stroke();
    this.cracks(paint, ratio);
    this.drawSprings(paint, scale, ratio);
    if (this.on === "contact") this.dots(ratio);
  }

  // index is the position of a value among the colours.
  index(v) { return Math.round(255 * Math.min(1, Math.max(0, (v - this.low) / (this.high - this.low || 1e-30)))); }

  // triangle paints one: in a colour, or by its values where that is negative.
  triangle(t, fixed, edge, w, h) {
    const { px, tri, values, pixels, palette } = this;
    const a = 2 * tri[3 * t], b = 2 * tri[3 * t + 1], c = 2 * tri[3 * t + 2];
    const ax = px[a], ay = px[a + 1], bx = px[b], by = px[b + 1], cx = px[c], cy = px[c + 1];
    const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5)), x1 = Math.min(w - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const y0 = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5)), y1 = Math.min(h - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (!(x1 >= x0 && y1 >= y0) || area === 0) return;
    const byNode = fixed < 0 && this.on === "node";
    const va = byNode ? values[a / 2] : 0, vb = byNode ? values[b / 2] : 0, vc = byNode ? values[c / 2] : 0;
    const magenta = 0xffff00ff;
    let one = fixed >= 0 ? fixed : byNode ? 0 : Number.isNaN(values[t]) ? magenta : palette[this.index(values[t])];
    // heights over the sides, in pixels, fade the edges of small triangles
    const size = Math.abs(area), ha = size / Math.hypot(cx - bx, cy - by), hb = size / Math.hypot(ax - cx, ay - cy), hc = size / Math.hypot(bx - ax, by - ay);
    const coarse = 1 / Math.min(ha, hb, hc), f = Math.min(1, Math.max(0, (coarse - 0.08) / 0.14)), share = edge * (1 - f * f * (3 - 2 * f));
    const ux = (cy - ay) / area, uy = (ax - cx) / area, wx = (ay - by) / area, wy = (bx - ax) / area; // shares of b and c, per pixel
    for (let y = y0; y <= y1; y++) {
      let u = (x0 + 0.5 - ax) * ux + (y + 0.5 - ay) * uy, v = (x0 + 0.5 - ax) * wx + (y + 0.5 - ay) * wy;
      for (let x = x0, at = y * w + x0; x <= x1; x++, at++, u += ux, v += wx) {
        const r = 1 - u - v;
        if (u < -1e-6 || v < -1e-6 || r < -1e-6) continue;
        if (byNode) {
          const value = r * va + u * vb + v * vc;
          one = Number.isNaN(value) ? magenta : palette[this.index(value)];
        }
        const near = share > 0.01 ? Math.min(r * ha, u * hb, v * hc) / 1.3 : 1;
        pixels[at] = near >= 1 ? one : Flat.edged(one, share * (1 - near * near * (3 - 2 * near)));
      }
    }
  }

  // cracks paints the faces of those that are there, on a ground that lets them be seen.
  cracks({ stage, crack }, ratio) {
    const { ctx, px, faces, crackValue: values, crackDamage: damage, crackRange: [low, high] } = this;
    if (!values) return;
    for (const [thin, more] of Scene.crackWidths) for (let i = 0; i < values.length; i++) {
      if (values[i] === Infinity || !this.shown[faces[3 * i + 2]]) continue;
      const a = 2 * faces[3 * i], b = 2 * faces[3 * i + 1], u = Math.min(1, Math.max(0, (values[i] - low) / (high - low || 1e-30)));
      const c = thin === 0 ? stage : Number.isNaN(u) ? [0.5, 0.5, 0.5] : crack[Math.round(255 * u)];
      if (thin + more * damage[i] === 0) continue; // a canvas has no width 0
      ctx.lineWidth = (thin + more * damage[i]) * ratio;
      ctx.strokeStyle = `rgb(${c.slice(0, 3).map(v => Math.round(255 * v))})`;
      ctx.beginPath();
      ctx.moveTo(px[a], px[a + 1]);
      ctx.lineTo(px[b], px[b + 1]);
      ctx.stroke();
    }
  }

  drawSprings({ outline }, scale, ratio) {
    const { ctx, springs: at, springMoved: u, canvas: c, factor: m, view } = this;
    ctx.lineWidth = Scene.springWidth * ratio;
    ctx.strokeStyle = `rgb(${outline.slice(0, 3).map(v => Math.round(255 * v))})`;
    ctx.beginPath();
    for (let i = 0; i < at.length; i += 4) {
      if (Number.isNaN(u[i])) continue; // not there
      ctx.moveTo(c.width / 2 + (at[i] + m * u[i] - view.x) * scale, c.height / 2 - (at[i + 1] + m * u[i + 1] - view.y) * scale);
      ctx.lineTo(c.width / 2 + (at[i + 2] + m * u[i + 2] - view.x) * scale, c.height / 2 - (at[i + 3] + m * u[i + 3] - view.y) * scale);
    }
    ctx.stroke();
  }

  // dots paints the contact nodes that carry load.
  dots(ratio) {
    const { ctx } = this;
    for (let i = 0; i < this.contactValue.length; i++) {
      const v = this.contactValue[i];
      if (v === 0) continue;
      const [x, y] = this.screen(...this.atContact(i)), k = this.index(v), p = this.palette[k];
      ctx.fillStyle = `rgb(${p & 255}, ${p >> 8 & 255}, ${p >> 16 & 255})`;
      ctx.beginPath();
      ctx.arc(ratio * x, ratio * y, ratio * (2.5 + 2.5 * k / 255), 0, 7);
      ctx.fill();
    }
  }
}
