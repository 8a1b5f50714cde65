"use strict";
// Scene is what is drawn and from where it is seen. Mesh and Flat draw it.
class Scene {
  constructor(canvas) {
    this.canvas = canvas;
    this.view = { x: 0, y: 0, scale: 1 }; // centre [m], pixels per metre
    this.magnify = 1; // displacements, or
    this.deform = false; // what they are beside the motion of each separate component as a whole
    this.edges = true;
    this.low = 0; this.high = 1;
    this.drawn = 0; // pictures so far
  }

  // take takes what no frame changes.
  take({ points, triangles, body, outline, cracks, springs, contact, bodies, discs }) {
    const meshed = new Uint8Array(bodies), count = triangles.length / 3;
    for (let t = 0; t < count; t++) meshed[body[t]] = 1;
    const more = solids(points, outline, meshed); // rigid bodies, after all others
    const joined = (a, b) => { const all = new a.constructor(a.length + b.length); all.set(a); all.set(b, a.length); return all; };
    Object.assign(this, { points, tri: joined(triangles, more.tri), body: joined(body.subarray(0, count), more.body), contact: contact || new Float32Array(0), count, whole: count + more.body.length });
    this.wished = new Uint8Array(bodies).fill(1); // to be seen
    this.dug = new Uint8Array(bodies); // away in this frame
    this.shown = this.wished.slice();
    this.moved = this.told = new Float32Array(points.length); // as drawn at a factor, as the frame has it
    this.pieceOf = this.held = null;
    this.atRest = [new Float32Array(this.contact.length), new Float32Array(this.contact.length / 2)];
    [this.contactMoved, this.contactValue] = this.atRest;
    this.contactDrawn = this.contactMoved; // at the factor
    this.nearest = null;
    this.faces = cracks || new Uint32Array(0); // two nodes and the body, for each face of a crack
    this.crackValue = this.crackDamage = null; // of each face
    this.crackRange = [0, 1];
    this.springs = springs || new Float32Array(0); // where they begin and end: four numbers each
    this.springMoved = new Float32Array(this.springs.length);
    this.endList = new Uint32Array(outline.length / 3 * 4); // node and body, twice a line
    for (let i = 0; i < outline.length / 3; i++) {
      const b = outline[3 * i + 2];
      this.endList.set([outline[3 * i], b, outline[3 * i + 1], b], 4 * i);
    }
    this.discs = discs;
    this.extents(discs);
    this.still = new Uint8Array(bodies); // they never move
  }

  // outlineFrom are sizes of a component on the screen between which its outline appears: narrower
  // ones would be nothing but outline [pixels].
  static outlineFrom = [5, 13];

  // outlined is the opacity of the outline of a component of a size.
  static outlined(size) {
    const [from, to] = Scene.outlineFrom, f = Math.min(1, Math.max(0, (size - from) / (to - from)));
    return f * f * (3 - 2 * f);
  }

  // extents finds the size of the body, or of the particle, that each end of an outline belongs to
  // [m]. Triangles of particles begin at one.
  extents(discs) {
    const X = this.points, E = this.endList, box = new Map();
    // a disc is a node in the middle and 16 on the rim, in turn
    this.firstRim = discs < this.count ? this.tri[3 * discs] : Infinity;
    const key = (body, n) => n >= this.firstRim ? -1 - Math.floor((n - this.firstRim) / 17) : body;
    for (let i = 0; i < E.length; i += 2) {
      const k = key(E[i + 1], E[i]), x = X[2 * E[i]], y = X[2 * E[i] + 1], b = box.get(k);
      if (!b) box.set(k, [x, x, y, y]);
      else [b[0], b[1], b[2], b[3]] = [Math.min(b[0], x), Math.max(b[1], x), Math.min(b[2], y), Math.max(b[3], y)];
    }
    this.endSize = new Float32Array(E.length / 2);
    for (let i = 0; i < E.length; i += 2) {
      const b = box.get(key(E[i + 1], E[i]));
      this.endSize[i / 2] = Math.max(b[1] - b[0], b[3] - b[2]);
    }
  }

  // keep takes where a frame has everything.
  keep({ moved, on, contactMoved, contactValue, cracks, damage, springMoved }) {
    const twice = a => a ? Float32Array.from({ length: 2 * a.length }, (_, i) => a[i >> 1]) : null;
    this.crackValue = twice(cracks); // Infinity: not there yet
    this.crackDamage = twice(damage);
    if (springMoved) this.springMoved = springMoved;
    this.on = on;
    this.contactMoved = contactMoved || this.atRest[0];
    this.contactValue = contactValue || this.atRest[1];
    if (moved && moved !== this.told) {
      this.told = moved;
      this.stiff = null;
    }
    this.place();
  }

  // crackWidths are those of a crack's ground and line, by its damage [pixels]: thin
  // where it has hardly opened.
  static crackWidths = [[0, 3.8], [0.6, 1.4]];

  static springWidth = 2; // [pixels]

  // enlarge magnifies displacements, or of each component its deformation alone.
  enlarge(magnify, deform) {
    if (magnify === this.magnify && deform === this.deform) return;
    const was = this.deform;
    Object.assign(this, { magnify, deform });
    if (was || deform) this.place();
  }

  // factor is what displacements as drawn are multiplied by.
  get factor() { return this.deform ? 1 : this.magnify; }

  // place sets the displacements as drawn.
  place() {
    if (!this.deform) {
      this.moved = this.told;
      this.contactDrawn = this.contactMoved;
      return;
    }
    const stiff = this.rigid(), u = this.told, m = this.magnify, out = new Float32Array(u.length);
    for (let i = 0; i < u.length; i++) out[i] = stiff[i] + m * (u[i] - stiff[i]);
    this.moved = out;
    const drawn = this.contactDrawn = new Float32Array(this.contact.length), { near, share } = this.edgesOfContact();
    for (let i = 0; i < this.contactValue.length; i++) {
      if (this.contactValue[i] === 0 || near[2 * i] < 0) continue;
      for (let c = 0; c < 2; c++) drawn[2 * i + c] = (1 - share[i]) * out[2 * near[2 * i] + c] + share[i] * out[2 * near[2 * i + 1] + c];
    }
  }

  // edgesOfContact finds for every contact node the edge of an outline that it lies
  // on, by a grid: its ends, and how far along it the node is; -1 for none.
  edgesOfContact() {
    if (this.nearest) return this.nearest;
    const n = this.contact.length / 2, X = this.points, E = this.endList, cells = new Map();
    const near = new Int32Array(2 * n).fill(-1), share = new Float32Array(n), best = new Float64Array(n).fill(Infinity);
    let size = 0;
    for (let e = 0; e < E.length; e += 4) size += Math.hypot(X[2 * E[e]] - X[2 * E[e + 2]], X[2 * E[e] + 1] - X[2 * E[e + 2] + 1]) / (E.length / 4);
    const key = (x, y) => Math.floor(x / size) * 1048583 + Math.floor(y / size);
    for (let i = 0; i < n; i++) {
      const k = key(this.contact[2 * i], this.contact[2 * i + 1]), cell = cells.get(k);
      if (cell) cell.push(i);
      else cells.set(k, [i]);
    }
    for (let e = 0; e < E.length; e += 4) {
      const ax = X[2 * E[e]], ay = X[2 * E[e] + 1], dx = X[2 * E[e + 2]] - ax, dy = X[2 * E[e + 2] + 1] - ay, long = dx * dx + dy * dy || 1e-300;
      const seen = new Set();
      for (let s = 0, m = Math.ceil(2 * Math.sqrt(long) / size) + 1; s <= m; s++) for (const [u, v] of [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]]) seen.add(key(ax + dx * s / m + u * 0.01 * size, ay + dy * s / m + v * 0.01 * size));
      for (const k of seen) for (const i of cells.get(k) || []) {
        const px = this.contact[2 * i] - ax, py = this.contact[2 * i + 1] - ay, t = Math.min(1, Math.max(0, (px * dx + py * dy) / long));
        const far = (px - t * dx) ** 2 + (py - t * dy) ** 2;
        if (far < best[i]) [best[i], near[2 * i], near[2 * i + 1], share[i]] = [far, E[e], E[e + 2], t];
      }
    }
    return this.nearest = { near, share };
  }

  // pieces numbers the components that hang together by triangles, per node.
  pieces() {
    if (this.pieceOf) return this.pieceOf;
    const n = this.points.length / 2, up = Int32Array.from({ length: n }, (_, i) => i), { tri } = this;
    const root = i => {
      while (up[i] !== i) i = up[i] = up[up[i]];
      return i;
    };
    for (let t = 0; t < tri.length; t += 3) {
      const a = root(tri[t]);
      up[root(tri[t + 1])] = a;
      up[root(tri[t + 2])] = a;
    }
    for (let i = 0; i < n; i++) up[i] = root(i);
    return this.pieceOf = up;
  }

  // hold takes for supported, from now on, the components that have a node that has not
  // moved at all.
  hold() {
    const piece = this.pieces(), U = this.told;
    this.held = new Uint8Array(piece.length);
    for (let i = 0; i < piece.length; i++) if (U[2 * i] === 0 && U[2 * i + 1] === 0) this.held[piece[i]] = 1;
    this.stiff = null;
    if (this.deform) this.place();
  }

  // rigid returns the displacements of the nodes if each component were rigid: moved
  // and turned as its nodes are on average; not at all where it is supported.
  rigid() {
    if (this.stiff) return this.stiff;
    if (!this.held) this.hold();
    const piece = this.pieces(), X = this.points, U = this.told, n = piece.length;
    const count = new Float64Array(n), sum = new Float64Array(4 * n), turn = new Float64Array(2 * n);
    for (let i = 0; i < n; i++) {
      const p = piece[i];
      count[p]++;
      for (let c = 0; c < 2; c++) {
        sum[4 * p + c] += X[2 * i + c];
        sum[4 * p + 2 + c] += U[2 * i + c];
      }
    }
    const at = (i, p) => [X[2 * i] - sum[4 * p] / count[p], X[2 * i + 1] - sum[4 * p + 1] / count[p]];
    for (let i = 0; i < n; i++) {
      const p = piece[i], [a, b] = at(i, p), u = a + U[2 * i] - sum[4 * p + 2] / count[p], v = b + U[2 * i + 1] - sum[4 * p + 3] / count[p];
      turn[2 * p] += a * u + b * v;
      turn[2 * p + 1] += a * v - b * u;
    }
    this.stiff = new Float32Array(2 * n);
    for (let i = 0; i < n; i++) {
      const p = piece[i];
      if (this.held[p]) continue;
      const [a, b] = at(i, p), size = Math.hypot(turn[2 * p], turn[2 * p + 1]) || 1, c = turn[2 * p] / size, s = turn[2 * p + 1] / size;
      if (turn[2 * p] === 0 && turn[2 * p + 1] === 0) { // a node by itself
        this.stiff[2 * i] = U[2 * i];
        this.stiff[2 * i + 1] = U[2 * i + 1];
        continue;
      }
      this.stiff[2 * i] = c * a - s * b - a + sum[4 * p + 2] / count[p];
      this.stiff[2 * i + 1] = s * a + c * b - b + sum[4 * p + 3] / count[p];
    }
    return this.stiff;
  }

  // deformed returns how far a node is from where it would be in a rigid component, over
  // the component's size; of triangles before one.
  deformed(before) {
    const piece = this.pieces(), stiff = this.rigid(), X = this.points, U = this.told, n = piece.length;
    const box = new Map();
    let most = 0;
    const seen = i => {
      const p = piece[i], x = X[2 * i], y = X[2 * i + 1], b = box.get(p);
      if (!b) box.set(p, [x, x, y, y, 0]);
      else [b[0], b[1], b[2], b[3]] = [Math.min(b[0], x), Math.max(b[1], x), Math.min(b[2], y), Math.max(b[3], y)];
      const of = box.get(p);
      of[4] = Math.max(of[4], Math.hypot(U[2 * i] - stiff[2 * i], U[2 * i + 1] - stiff[2 * i + 1]));
    };
    for (let k = 0; k < 3 * before; k++) if (this.shown[this.body[Math.floor(k / 3)]]) seen(this.tri[k]);
    for (const [x0, x1, y0, y1, far] of box.values()) most = Math.max(most, far / Math.max(x1 - x0, y1 - y0, 1e-30));
    return most;
  }

  show(body, yes) {
    this.wished[body] = yes ? 1 : 0;
    this.sift();
  }

  // dig hides the bodies with a triangle that is marked as excavated, or as not there yet, until it
  // is called again; null for none.
  dig(gone, there) {
    this.dug.fill(0);
    if (there) for (let t = 0; t < this.count; t++) if (!there[t]) this.dug[this.body[t]] = 1;
    if (gone) for (let t = 0; t < this.count; t++) if (gone[t]) this.dug[this.body[t]] = 1;
    this.sift();
  }

  sift() { this.wished.forEach((yes, i) => { this.shown[i] = yes && !this.dug[i] ? 1 : 0; }); }

  // box returns the corners of the box around the visible nodes, as they are
  // drawn: [x0, y0, x1, y1]; none where x1 < x0. Where some never move, it may be that
  // of the others.
  box(moving = false) {
    let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
    for (let i = 0; i < this.endList.length; i += 2) {
      if (!this.shown[this.endList[i + 1]] || moving && this.still[this.endList[i + 1]]) continue;
      const [x, y] = this.at(this.endList[i]);
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
    }
    for (let i = 0; i < this.springs.length; i += 2) {
      if (Number.isNaN(this.springMoved[i])) continue; // not there
      const [x, y] = [0, 1].map(c => this.springs[i + c] + this.factor * this.springMoved[i + c]);
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
    }
    return [x0, y0, x1, y1];
  }

  // inside tells whether all that is visible lies in view, and not under the corner at
  // the lower right, so many pixels wide and high.
  inside(corner = [0, 0]) {
    const [x0, y0, x1, y1] = this.box(this.close);
    if (!(x1 >= x0)) return true;
    const [left, bottom] = this.screen(x0, y0), [right, top] = this.screen(x1, y1);
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    return left >= -1 && right <= w + 1 && top >= -1 && bottom <= h + 1 && (right <= w - corner[0] + 1 || bottom <= h - corner[1] + 1);
  }

  // fit shows the box around the visible nodes beside that corner, or above it where it
  // is larger there.
  fit(corner = [0, 0], whole = false) {
    this.fitted = true; // until zoomed or panned
    const all = this.box(), some = this.box(true);
    this.close = !whole && some[2] >= some[0] && Math.max(some[2] - some[0], some[3] - some[1]) < 0.6 * Math.max(all[2] - all[0], all[3] - all[1]);
    const [x0, y0, x1, y1] = this.close ? some : all;
    if (!(x1 >= x0)) return;
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    const scale = (aside, below) => Math.min(0.92 * (w - aside) / Math.max(x1 - x0, 1e-12), (h - below - 24) / Math.max(y1 - y0, 1e-12));
    const above = scale(0, corner[1]), beside = scale(corner[0], 0);
    const [aside, below] = beside > above ? [corner[0], 0] : [0, corner[1]], s = Math.max(above, beside);
    this.view = { x: (x0 + x1) / 2 + aside / 2 / s, y: (y0 + y1) / 2 - below / 2 / s, scale: s };
  }

  // look goes to a box, with room around it.
  look([x0, y0, x1, y1]) {
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight, [a, b, c, d] = this.box(), least = 0.06 * Math.max(c - a, d - b);
    this.fitted = false;
    this.view = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, scale: Math.min(0.6 * w / Math.max(x1 - x0, least), 0.6 * h / Math.max(y1 - y0, least)) };
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
    return [this.points[2 * n] + this.factor * this.moved[2 * n], this.points[2 * n + 1] + this.factor * this.moved[2 * n + 1]];
  }

  // pick finds the triangle under a point, its nearest node, and a contact
  // node within a few pixels; -1 for none.
  pick(px, py) {
    const [x, y] = this.world(px, py), { points: X, moved: U, tri: T, factor: m } = this;
    const found = { triangle: -1, node: -1, contact: -1 };
    for (let t = this.whole - 1; t >= 0; t--) {
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
      const dx = this.contact[2 * i] + m * this.contactDrawn[2 * i] - x, dy = this.contact[2 * i + 1] + m * this.contactDrawn[2 * i + 1] - y;
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
    const U = this.told;
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
    return [this.contact[2 * c] + this.factor * this.contactDrawn[2 * c], this.contact[2 * c + 1] + this.factor * this.contactDrawn[2 * c + 1]];
  }
}
