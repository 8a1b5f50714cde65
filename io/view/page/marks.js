"use strict";
// What is drawn over the bodies: the length scale, vectors, principal stresses, contour lines, and
// the symbols of a model before its run.

// Marks makes lines, polygons and texts in pixels of the screen, which a canvas draws and a drawing
// (SVG) keeps. page is what they need of it.
class Marks {
  static gap = 34; // between vectors and crosses [pixels]

  constructor(page) {
    this.page = page;
    this.canvas = page.$("marks");
    this.what = ""; // "contours", "crosses", "thrust", "points", or the name of a vector field
    this.hidden = new Set(["contact", "hole", "probe"]); // kinds of symbols
    this.chosen = null; // a symbol, group or line of check
    this.lines = null; // contour lines of the frame, in pairs of points as drawn at rest
  }

  // hide hides some kinds of symbols.
  hide(kinds) {
    this.hidden.clear();
    for (const k of kinds) this.hidden.add(k);
    for (const input of this.page.$("model").querySelectorAll(".kind input")) input.checked = !this.hidden.has(input.dataset.kind);
  }

  // --- primitives: { line: [x, y, x, y ...] } or { fill: ... } or { text, x, y }, with a colour ---

  all() {
    const { mesh, meta } = this.page;
    if (!mesh) return [];
    let out = [];
    if (this.what === "contours") this.contours(out);
    else if (this.what === "crosses") this.crosses(out);
    else if (this.what === "thrust") this.thrust(out);
    else if (this.what === "points") this.points(out);
    else if (this.what) this.vectors(out);
    out = [...this.halos(out), ...out];
    if (meta.model) this.symbols(out);
    this.scale(out);
    return out;
  }

  // needs names the numbers of a frame that are drawn over the bodies, "" for none beside the field.
  needs(frame) {
    const other = { "": "", contours: "", crosses: `frames/${frame}/stress`, thrust: `thrust/${frame}/lines`, points: `contact_points/${frame}/forces` };
    return other[this.what] ?? `frames/${frame}/${this.what}`;
  }

  // halos are what lines and arrows have under them, to be seen on any colour.
  halos(of) {
    const colour = css("--halo");
    return of.filter(m => m.text === undefined).map(m => m.fill ? { line: [...m.fill, m.fill[0], m.fill[1]], width: 2.4, colour } : { ...m, width: m.width + 2.4, colour });
  }

  // scale is a bar of a round length, and the axes.
  scale(out) {
    const { mesh } = this.page, h = mesh.canvas.clientHeight, metres = 90 / mesh.view.scale;
    const power = 10 ** Math.floor(Math.log10(metres)), first = metres / power, long = power * (first >= 5 ? 5 : first >= 2 ? 2 : 1);
    const narrow = mesh.canvas.clientWidth < this.page.$("legend").offsetWidth + 150; // the legend has the lower edge
    const x = 14, y = narrow ? 24 : h - 16, w = long * mesh.view.scale, c = css("--text");
    out.push({ line: [x, y - 4, x, y, x + w, y, x + w, y - 4], width: 1.5, colour: c }, { text: quantity(long, "m", 3), x: x + w / 2, y: y - 6, align: "center", colour: c });
    if (narrow) return;
    const ox = x, oy = y - 40, l = 24;
    out.push({ line: [ox, oy - l, ox, oy, ox + l, oy], width: 1.2, colour: c }, { text: "x", x: ox + l + 4, y: oy + 4, colour: c }, { text: "y", x: ox - 3, y: oy - l - 4, colour: c });
    for (const [dx, dy] of [[l, 0], [0, -l]]) this.head(out, ox, oy, ox + dx, oy + dy, c, 5);
  }

  // head is the head of an arrow at its second point.
  head(out, x0, y0, x1, y1, colour, size = 6) {
    const l = Math.hypot(x1 - x0, y1 - y0) || 1, ux = (x1 - x0) / l, uy = (y1 - y0) / l, s = Math.min(size, 0.6 * l);
    out.push({ fill: [x1, y1, x1 - s * ux - 0.45 * s * uy, y1 - s * uy + 0.45 * s * ux, x1 - s * ux + 0.45 * s * uy, y1 - s * uy - 0.45 * s * ux], colour });
  }

  arrow(out, x0, y0, x1, y1, colour, width = 1.6) {
    if (Math.hypot(x1 - x0, y1 - y0) < 1.5) return;
    out.push({ line: [x0, y0, x1, y1], width, colour });
    this.head(out, x0, y0, x1, y1, colour);
  }

  // spread returns one of some things for each square of the screen, that with the greatest size:
  // at(i) is its place as drawn, of(i) its size; things not in view, or of size 0, are none.
  spread(n, at, of) {
    const { mesh } = this.page, w = mesh.canvas.clientWidth, h = mesh.canvas.clientHeight, best = new Map();
    for (let i = 0; i < n; i++) {
      const size = of(i);
      if (!(size > 0)) continue;
      const [x, y] = mesh.screen(...at(i));
      if (x < 0 || y < 0 || x > w || y > h) continue;
      const key = Math.floor(x / Marks.gap) * 4096 + Math.floor(y / Marks.gap), was = best.get(key);
      if (!was || size > was.size) best.set(key, { i, x, y, size });
    }
    return [...best.values()];
  }

  // seen marks the nodes of bodies that are shown.
  seen() {
    const { mesh } = this.page, out = new Uint8Array(mesh.points.length / 2);
    for (let t = 0; t < mesh.count; t++) if (mesh.shown[mesh.body[t]]) for (let k = 0; k < 3; k++) out[mesh.tri[3 * t + k]] = 1;
    return out;
  }

  vectors(out) {
    const { mesh, pictures: p } = this.page, v = p?.over;
    if (!v || p.overOf !== this.what) return;
    const seen = this.seen(), most = this.page.peak(this.what) || v.reduce((m, c) => Math.max(m, Math.abs(c)), 0);
    if (!(most > 0)) return;
    const found = this.spread(v.length / 2, i => mesh.at(i), i => seen[i] ? Math.hypot(v[2 * i], v[2 * i + 1]) : 0);
    for (const { i, x, y, size } of found) {
      if (size < 1e-3 * most) continue;
      const l = 1.25 * Marks.gap * Math.sqrt(size / most) / size; // long ones must not hide short ones
      this.arrow(out, x, y, x + l * v[2 * i], y - l * v[2 * i + 1], css("--text"));
    }
    out.push({ text: `longest arrow ${quantity(most, this.page.unit(this.what), 3)}`, x: 14, y: 44, colour: css("--text"), ground: true });
  }

  // thrust are the lines along which forces go through bodies, the thicker the greater.
  thrust(out) {
    const { mesh, pictures: p } = this.page, v = p?.over;
    if (!v || p.overOf !== "thrust") return;
    let most = 0;
    for (let i = 4; i < v.length; i += 5) most = Math.max(most, v[i]);
    if (!(most > 0)) return;
    for (let i = 0; i < v.length; i += 5) {
      if (v[i + 4] < 1e-3 * most) continue;
      out.push({ line: [...mesh.screen(v[i], v[i + 1]), ...mesh.screen(v[i + 2], v[i + 3])], width: 1 + 5 * v[i + 4] / most, colour: css("--press") });
    }
    out.push({ text: `thickest line ${quantity(most, "N", 3)}`, x: 14, y: 44, colour: css("--text"), ground: true });
  }

  // points are the forces of contact points, on one body and, turned, on the other.
  points(out) {
    const { mesh, pictures: p } = this.page, v = p?.over, of = i => Math.hypot(v[4 * i + 2], v[4 * i + 3]);
    if (!v || p.overOf !== "points") return;
    let most = 0;
    for (let i = 0; 4 * i < v.length; i++) most = Math.max(most, of(i));
    for (const { i, x, y, size } of this.spread(v.length / 4, i => [v[4 * i], v[4 * i + 1]], of)) {
      if (size < 1e-3 * most) continue;
      const l = 1.25 * Marks.gap * Math.sqrt(size / most) / size, dx = l * v[4 * i + 2], dy = -l * v[4 * i + 3];
      this.arrow(out, x, y, x + dx, y + dy, css("--text"));
      this.arrow(out, x, y, x - dx, y - dy, css("--text"));
    }
    if (most > 0) out.push({ text: `longest arrow ${quantity(most, "N", 3)}`, x: 14, y: 44, colour: css("--text"), ground: true });
  }

  // crosses are principal stresses: along their axes, blue where they press.
  crosses(out) {
    const { mesh, pictures: p } = this.page, v = p?.over;
    if (!v || p.overOf !== "crosses") return;
    const size = t => mesh.shown[mesh.body[t]] ? Math.hypot(0.5 * (v[4 * t] - v[4 * t + 1]), v[4 * t + 3]) + Math.abs(0.5 * (v[4 * t] + v[4 * t + 1])) : 0;
    const most = this.page.top("stress") || 1;
    for (const { i: t, x, y } of this.spread(mesh.count, t => mesh.middle(t), size)) {
      const s = principal(v[4 * t], v[4 * t + 1], v[4 * t + 3]);
      for (const [value, angle] of [[s.first, s.angle], [s.second, s.angle + Math.PI / 2]]) {
        const l = 0.5 * Marks.gap * Math.min(1.3, Math.sqrt(Math.abs(value) / most));
        if (l < 1) continue;
        const [dx, dy] = [l * Math.cos(angle), -l * Math.sin(angle)];
        out.push({ line: [x - dx, y - dy, x + dx, y + dy], width: 1.8, colour: css(value > 0 ? "--pull" : "--press") });
      }
    }
    out.push({ text: `principal stresses: red pulls, blue presses, full length ${quantity(most, "Pa", 3)}`, x: 14, y: 44, colour: css("--text"), ground: true });
  }

  // contours are lines of equal values, from values at the nodes.
  contours(out) {
    const { mesh, pictures: p } = this.page;
    if (!p?.values || p.field.on === "contact" || p.field.pieces) return;
    if (this.lines?.values !== p.values || this.lines.low !== mesh.low || this.lines.high !== mesh.high) this.lines = this.levels(p);
    const w = mesh.canvas.clientWidth, h = mesh.canvas.clientHeight, c = css("--contour");
    const at = (k) => { // a share of the way between two nodes
      const a = mesh.at(this.lines.ends[2 * k]), b = mesh.at(this.lines.ends[2 * k + 1]), s = this.lines.shares[k];
      return mesh.screen(a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]));
    };
    const path = [];
    for (let k = 0; k < this.lines.shares.length; k += 2) {
      if (!mesh.shown[this.lines.bodies[k / 2]]) continue;
      const [x0, y0] = at(k), [x1, y1] = at(k + 1);
      if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > w || Math.max(y0, y1) < 0 || Math.min(y0, y1) > h) continue;
      path.push(x0, y0, x1, y1);
    }
    out.push({ pairs: path, width: 1.1, colour: c });
  }

  levels(p) {
    const { mesh } = this.page, { low, high } = mesh, n = mesh.points.length / 2, count = 10;
    let at = p.values;
    if (p.field.on === "cell") { // the mean of the triangles around a node
      at = new Float32Array(n);
      const of = new Float32Array(n);
      for (let t = 0; t < mesh.count; t++) if (Number.isFinite(p.values[t])) for (let k = 0; k < 3; k++) {
        at[mesh.tri[3 * t + k]] += p.values[t];
        of[mesh.tri[3 * t + k]]++;
      }
      for (let i = 0; i < n; i++) at[i] /= of[i] || 1;
    }
    const ends = [], shares = [], bodies = [];
    for (let t = 0; t < mesh.count; t++) {
      const [a, b, c] = [mesh.tri[3 * t], mesh.tri[3 * t + 1], mesh.tri[3 * t + 2]];
      const least = Math.min(at[a], at[b], at[c]), most = Math.max(at[a], at[b], at[c]);
      const first = Math.max(1, Math.ceil((least - low) / (high - low) * count)), last = Math.min(count - 1, Math.floor((most - low) / (high - low) * count));
      for (let k = first; k <= last; k++) {
        const value = low + (high - low) * k / count, points = [];
        for (const [i, j] of [[a, b], [b, c], [c, a]]) if (at[i] < value !== at[j] < value) points.push([i, j, (value - at[i]) / (at[j] - at[i])]);
        if (points.length !== 2) continue;
        for (const [i, j, s] of points) { ends.push(i, j); shares.push(s); }
        bodies.push(mesh.body[t]);
      }
    }
    return { values: p.values, low, high, ends, shares, bodies };
  }

  // --- a model before its run ---

  symbols(out) {
    const { meta } = this.page;
    this.labels = [];
    for (const s of meta.model.symbols) if (s === this.chosen || !this.hidden.has(s.kind)) this.symbol(out, s, s === this.chosen);
    if (this.chosen?.nodes) this.nodes(out, this.chosen);
    if (this.chosen?.box && !this.chosen.kind?.startsWith("sym")) this.frame(out, this.chosen.box);
  }

  frame(out, [x0, y0, x1, y1]) {
    const { mesh } = this.page, [a, b] = mesh.screen(x0, y1), [c, d] = mesh.screen(x1, y0), m = 7;
    out.push({ line: [a - m, b - m, c + m, b - m, c + m, d + m, a - m, d + m, a - m, b - m], width: 2, colour: css("--accent"), dash: [6, 4] });
  }

  nodes(out, group) {
    const { mesh } = this.page;
    for (const n of group.nodes.length > 3000 ? group.nodes.filter((_, i) => i % Math.ceil(group.nodes.length / 3000) === 0) : group.nodes) {
      const [x, y] = mesh.screen(...mesh.at(n));
      out.push({ fill: [x - 3, y - 3, x + 3, y - 3, x + 3, y + 3, x - 3, y + 3], colour: css("--accent") });
    }
  }

  symbol(out, s, strong) {
    const { mesh } = this.page, colour = strong ? css("--accent") : css({ fix: "--c2", drive: "--c1", load: "--c1", gravity: "--dim", velocity: "--c3", stress: "--dim", joint: "--c8", tie: "--c6", contact: "--c4", absorb: "--c5", fluid: "--c0", hole: "--dim", spring: "--text", bolt: "--c6", excavate: "--c1", install: "--c3", probe: "--c6", hinge: "--text", temperature: "--c10", heat_flux: "--c1", convection: "--c5", pore_pressure: "--c0", inflow: "--c0" }[s.kind] || "--text");
    const width = strong ? 4 : { contact: 2.5, bolt: 3, joint: 2, tie: 3, absorb: 4, fluid: 3, convection: 3, hole: 1.5 }[s.kind] || 1.6;
    const gap = s.kind === "stress" ? 44 : 13, at = s.at || [], toward = s.toward || [], lines = s.lines || [];
    if (s.kind === "gravity") return this.gravity(out, s, colour);
    if (s.kind === "spring") for (let k = 0; k < lines.length; k += 4) this.spring(out, ...mesh.screen(lines[k], lines[k + 1]), ...mesh.screen(lines[k + 2], lines[k + 3]), colour, strong);
    else if (lines.length) out.push({ pairs: this.pairs(lines), width, colour });
    const most = Math.max(...toward.map(Math.abs), 0);
    const taken = new Set(); // squares of the screen that have one
    let label = null;
    for (let k = 0; 2 * k < at.length; k++) {
      const [x, y] = mesh.screen(at[2 * k], at[2 * k + 1]);
      label ||= [x, y];
      const square = Math.floor(x / gap) * 8192 + Math.floor(y / gap);
      if (taken.has(square)) continue; // too close to tell apart
      taken.add(square);
      const t = s.kind === "stress" ? toward.slice(4 * k, 4 * k + 4) : toward.slice(2 * k, 2 * k + 2);
      this.place(out, s.kind, x, y, t, most, colour);
    }
    if (strong && label) out.push({ text: `${s.name}: ${s.text}`, x: label[0] + 10, y: label[1] - 10, colour: css("--text"), ground: true });
    else if (/^(excavate|install)$/.test(s.kind) && label) this.label(out, s.text, ...label);
  }

  // label writes a text around a place: inside the picture, and above the labels there are.
  label(out, text, x, y) {
    const half = 3.6 * text.length + 6, wide = this.page.mesh.canvas.clientWidth;
    x = Math.max(half, Math.min(wide - half, x));
    while (this.labels.some(l => Math.abs(l.x - x) < l.half + half && Math.abs(l.y - y) < 20)) y -= 20;
    this.labels.push({ x, y, half });
    out.push({ text, x, y, align: "center", colour: css("--text"), ground: true });
  }

  // place draws a symbol at a point.
  place(out, kind, x, y, t, most, colour) {
    const unit = most > 0 ? 26 / most : 0, turned = (dx, dy) => [x + dx, y + dy];
    switch (kind) {
      case "fix": { // a triangle where both are held, on rollers where one is
        const side = t[0] && !t[1] ? 1 : 0, p = (a, b) => side ? turned(-b, a) : turned(a, b);
        out.push({ fill: [...p(0, 0), ...p(-5, 9), ...p(5, 9)], colour });
        if (t[0] && t[1]) out.push({ line: [...p(-7, 10), ...p(7, 10)], width: 2, colour });
        else for (const a of [-3, 3]) out.push({ fill: this.round(...p(a, 11.5), 2), colour });
        break;
      }
      case "temperature": case "pore_pressure": out.push({ fill: this.round(x, y, 3.4), colour }); break;
      case "load": case "heat_flux": case "inflow": return this.arrow(out, x - unit * t[0], y + unit * t[1], x, y, colour);
      case "drive": case "velocity": return this.arrow(out, x, y, x + unit * t[0], y - unit * t[1], colour, 2.2);
      case "stress":
        for (const [a, b, other] of [[t[0], t[1], 0], [t[2], t[3], 1]]) {
          const l = Math.hypot(a, b), s = 16 / most;
          if (l > 0) out.push({ line: [x - s * a, y + s * b, x + s * a, y - s * b], width: other ? 1.4 : 1.8, colour });
        }
        break;
      case "probe": out.push({ line: [x - 5, y, x + 5, y], width: 1.5, colour }, { line: [x, y - 5, x, y + 5], width: 1.5, colour }); break;
      case "hinge": out.push({ line: this.round(x, y, 4, true), width: 1.5, colour }); break;
      default:
    }
  }

  round(x, y, r, closed) {
    const out = [];
    for (let i = 0; i < (closed ? 13 : 12); i++) out.push(x + r * Math.cos(i * Math.PI / 6), y + r * Math.sin(i * Math.PI / 6));
    return out;
  }

  pairs(lines) {
    const { mesh } = this.page, out = [];
    for (let k = 0; k < lines.length; k += 2) out.push(...mesh.screen(lines[k], lines[k + 1]));
    return out;
  }

  // spring is a zigzag, or a line where there is no room for one.
  spring(out, x0, y0, x1, y1, colour, strong) {
    const l = Math.hypot(x1 - x0, y1 - y0), line = [x0, y0];
    if (l > 24) {
      const ux = (x1 - x0) / l, uy = (y1 - y0) / l, n = Math.max(3, Math.min(12, Math.round(l / 9)));
      for (let i = 0; i <= n; i++) {
        const s = 0.2 * l + 0.6 * l * i / n, d = i === 0 || i === n ? 0 : i % 2 ? 5 : -5;
        line.push(x0 + s * ux - d * uy, y0 + s * uy + d * ux);
      }
    }
    line.push(x1, y1);
    out.push({ line, width: strong ? 3 : 1.6, colour });
    for (const [x, y] of [[x0, y0], [x1, y1]]) out.push({ fill: this.round(x, y, 2.6), colour });
  }

  gravity(out, s, colour) {
    const w = this.page.mesh.canvas.clientWidth, l = Math.hypot(...s.toward) || 1, [x, y] = [w - 34, 40], [dx, dy] = [26 * s.toward[0] / l, -26 * s.toward[1] / l];
    this.arrow(out, x - dx / 2, y - dy / 2, x + dx / 2, y + dy / 2, colour, 2.4);
    out.push({ text: "g", x: x + 8, y: y + 4, colour });
  }

  // --- drawing ---

  draw() {
    const c = this.canvas, mesh = this.page.mesh;
    if (!mesh) return;
    const { width, height } = mesh.canvas;
    if (c.width !== width || c.height !== height) [c.width, c.height] = [width, height];
    const g = c.getContext("2d");
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, width, height);
    g.scale(width / mesh.canvas.clientWidth, height / mesh.canvas.clientHeight);
    this.onto(g);
  }

  onto(g) {
    g.lineJoin = g.lineCap = "round";
    for (const m of this.all()) {
      if (m.text !== undefined) {
        g.font = "13px system-ui, sans-serif";
        g.textAlign = m.align || "left";
        g.textBaseline = "alphabetic";
        if (m.ground) {
          const w = g.measureText(m.text).width, x = m.align === "center" ? m.x - w / 2 : m.x;
          g.fillStyle = css("--card");
          g.fillRect(x - 4, m.y - 14, w + 8, 19);
        }
        g.fillStyle = m.colour;
        g.fillText(m.text, m.x, m.y);
        continue;
      }
      g.beginPath();
      const p = m.line || m.fill || m.pairs;
      for (let k = 0; k < p.length; k += 2) {
        if (k === 0 || m.pairs && k % 4 === 0) g.moveTo(p[k], p[k + 1]);
        else g.lineTo(p[k], p[k + 1]);
      }
      if (m.fill) {
        g.fillStyle = m.colour;
        g.fill();
        continue;
      }
      g.setLineDash(m.dash || []);
      g.strokeStyle = m.colour;
      g.lineWidth = m.width;
      g.stroke();
      g.setLineDash([]);
    }
  }

  // svg is the same as elements of a drawing.
  svg() {
    const n = v => v.toFixed(1), escaped = s => s.replace(/[&<>]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
    return this.all().map(m => {
      if (m.text !== undefined) return `<text x="${n(m.x)}" y="${n(m.y)}" fill="${m.colour}" text-anchor="${m.align === "center" ? "middle" : "start"}">${escaped(m.text)}</text>`;
      const p = m.line || m.fill || m.pairs;
      let d = "";
      for (let k = 0; k < p.length; k += 2) d += (k === 0 || m.pairs && k % 4 === 0 ? "M" : "L") + n(p[k]) + " " + n(p[k + 1]);
      return m.fill ? `<path d="${d}Z" fill="${m.colour}"/>` : `<path d="${d}" fill="none" stroke="${m.colour}" stroke-width="${m.width}"/>`;
    });
  }
}

// principal returns principal stresses (or strains) in the plane, the greater first, and the
// direction of the first.
function principal(xx, yy, xy) {
  const mean = (xx + yy) / 2, radius = Math.hypot((xx - yy) / 2, xy);
  return { first: mean + radius, second: mean - radius, angle: 0.5 * Math.atan2(2 * xy, xx - yy) };
}
