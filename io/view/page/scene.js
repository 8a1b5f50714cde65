"use strict";
// Scene is what is drawn and from where it is seen. Mesh and Flat draw it.
class Scene {
  constructor(canvas) {
    this.canvas = canvas;
    this.view = { x: 0, y: 0, scale: 1 }; // centre [m], pixels per metre
    this.magnify = 1;
    this.edges = true;
    this.low = 0; this.high = 1;
    this.drawn = 0; // pictures so far
  }

  // take takes what no frame changes.
  take({ points, triangles, body, outline, contact, bodies }) {
    Object.assign(this, { points, tri: triangles, body, contact: contact || new Float32Array(0), count: triangles.length / 3 });
    this.shown = new Uint8Array(bodies).fill(1);
    this.moved = new Float32Array(points.length);
    this.atRest = [new Float32Array(this.contact.length), new Float32Array(this.contact.length / 2)];
    [this.contactMoved, this.contactValue] = this.atRest;
    this.endList = new Uint32Array(outline.length / 3 * 4); // node and body, twice a line
    for (let i = 0; i < outline.length / 3; i++) {
      const b = outline[3 * i + 2];
      this.endList.set([outline[3 * i], b, outline[3 * i + 1], b], 4 * i);
    }
  }

  // keep takes where a frame has everything.
  keep({ moved, on, contactMoved, contactValue }) {
    if (moved) this.moved = moved;
    this.on = on;
    this.contactMoved = contactMoved || this.atRest[0];
    this.contactValue = contactValue || this.atRest[1];
  }

  show(body, yes) { this.shown[body] = yes ? 1 : 0; }

  // box returns the corners of the box around the visible nodes, as they are
  // drawn: [x0, y0, x1, y1]; none where x1 < x0.
  box() {
    let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
    for (let i = 0; i < this.endList.length; i += 2) {
      if (!this.shown[this.endList[i + 1]]) continue;
      const [x, y] = this.at(this.endList[i]);
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
    }
    return [x0, y0, x1, y1];
  }

  // inside tells whether all that is visible lies in view, above so many pixels.
  inside(below = 0) {
    const [x0, y0, x1, y1] = this.box();
    if (!(x1 >= x0)) return true;
    const [left, bottom] = this.screen(x0, y0), [right, top] = this.screen(x1, y1);
    return left >= -1 && right <= this.canvas.clientWidth + 1 && top >= -1 && bottom <= this.canvas.clientHeight - below + 1;
  }

  // fit shows the box around the visible nodes, above so many pixels.
  fit(below = 0) {
    this.fitted = true; // until zoomed or panned
    const [x0, y0, x1, y1] = this.box();
    if (!(x1 >= x0)) return;
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    const scale = Math.min(0.92 * w / Math.max(x1 - x0, 1e-12), (h - below - 24) / Math.max(y1 - y0, 1e-12));
    this.view = { x: (x0 + x1) / 2, y: (y0 + y1) / 2 - below / 2 / scale, scale };
  }

  zoom(factor, px, py) {
    this.fitted = false;
    const v = this.view, w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    px ??= w / 2; py ??= h / 2;
    const [x, y] = this.world(px, py);
    v.scale *= factor;
    v.x = x - (px - w / 2) / v.scale;
    v.y = y + (py - h / 2) / v.scale;
  }

  pan(dx, dy) {
    this.fitted = false;
    this.view.x -= dx / this.view.scale;
    this.view.y += dy / this.view.scale;
  }

  world(px, py) {
    const v = this.view;
    return [v.x + (px - this.canvas.clientWidth / 2) / v.scale, v.y - (py - this.canvas.clientHeight / 2) / v.scale];
  }

  screen(x, y) {
    const v = this.view;
    return [this.canvas.clientWidth / 2 + (x - v.x) * v.scale, this.canvas.clientHeight / 2 - (y - v.y) * v.scale];
  }

  // at is where a node is drawn.
  at(n) {
    return [this.points[2 * n] + this.magnify * this.moved[2 * n], this.points[2 * n + 1] + this.magnify * this.moved[2 * n + 1]];
  }

  // pick finds the triangle under a place, its nearest node, and a contact
  // node within a few pixels; -1 for none.
  pick(px, py) {
    const [x, y] = this.world(px, py), { points: X, moved: U, tri: T, magnify: m } = this;
    const found = { triangle: -1, node: -1, contact: -1 };
    for (let t = this.count - 1; t >= 0; t--) {
      if (!this.shown[this.body[t]]) continue;
      const a = 2 * T[3 * t], b = 2 * T[3 * t + 1], c = 2 * T[3 * t + 2];
      const ax = X[a] + m * U[a] - x, ay = X[a + 1] + m * U[a + 1] - y, bx = X[b] + m * U[b] - x, by = X[b + 1] + m * U[b + 1] - y;
      const cx = X[c] + m * U[c] - x, cy = X[c + 1] + m * U[c + 1] - y;
      const p = ax * by - ay * bx, q = bx * cy - by * cx, r = cx * ay - cy * ax;
      if (p >= 0 && q >= 0 && r >= 0 || p <= 0 && q <= 0 && r <= 0) {
        const far = [ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy];
        found.triangle = t;
        found.node = T[3 * t + far.indexOf(Math.min(...far))];
        break;
      }
    }
    let nearest = (10 / this.view.scale) ** 2;
    for (let i = 0; i < this.contactValue.length; i++) {
      if (this.contactValue[i] === 0) continue;
      const dx = this.contact[2 * i] + m * this.contactMoved[2 * i] - x, dy = this.contact[2 * i + 1] + m * this.contactMoved[2 * i + 1] - y;
      if (dx * dx + dy * dy < nearest) {
        nearest = dx * dx + dy * dy;
        found.contact = i;
      }
    }
    return found;
  }

  resize() {
    const ratio = Math.min(2, window.devicePixelRatio || 1), c = this.canvas;
    const w = Math.max(1, Math.round(c.clientWidth * ratio)), h = Math.max(1, Math.round(c.clientHeight * ratio));
    if (c.width !== w || c.height !== h) { c.width = w; c.height = h; }
  }

  // furthest returns how far a visible node has moved at most [m].
  furthest() {
    let most = 0;
    const U = this.moved;
    for (let i = 0; i < this.endList.length; i += 2) {
      const n = this.endList[i];
      if (this.shown[this.endList[i + 1]]) most = Math.max(most, U[2 * n] * U[2 * n] + U[2 * n + 1] * U[2 * n + 1]);
    }
    return Math.sqrt(most);
  }

  // middle is where the middle of a triangle is drawn.
  middle(t) {
    let x = 0, y = 0;
    for (let k = 0; k < 3; k++) {
      const p = this.at(this.tri[3 * t + k]);
      x += p[0] / 3;
      y += p[1] / 3;
    }
    return [x, y];
  }

  // atContact is where a contact node is drawn.
  atContact(c) {
    return [this.contact[2 * c] + this.magnify * this.contactMoved[2 * c], this.contact[2 * c + 1] + this.magnify * this.contactMoved[2 * c + 1]];
  }
}
