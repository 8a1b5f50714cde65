"use strict";
// One column of the history over another: stress over strain, force over opening.

// Over draws the points of a curve in the order of their rows on a canvas of its own:
// uPlot wants x to rise, and a loop does not.
class Over {
  // columns: [{ label, unit }]; values(i) returns those of a column; time is the time of a row
  constructor(parent, columns, x, y, pick) {
    Object.assign(this, { columns, pick, rows: 0, at: null, hover: null, reach: 20 });
    this.box = element("div", undefined, "plot over");
    const h = element("h3", "One column over another"), choose = element("span");
    choose.className = "tools";
    this.axis = [y, x].map((chosen, k) => {
      const s = element("select");
      s.setAttribute("aria-label", k ? "Column along the axis" : "Column drawn");
      s.append(...columns.map((c, i) => new Option(c.label, i)));
      s.value = chosen;
      s.addEventListener("change", () => this.draw());
      choose.append(k ? "over" : "", s);
      return s;
    });
    h.append(choose);
    this.canvas = element("canvas");
    this.told = element("div", "", "told");
    this.box.append(h, this.canvas, this.told);
    parent.append(this.box);
    new ResizeObserver(() => this.draw()).observe(this.box);
    this.canvas.addEventListener("pointermove", e => { this.hover = [e.offsetX, e.offsetY]; this.draw(); });
    this.canvas.addEventListener("pointerleave", () => { this.hover = null; this.draw(); });
    this.canvas.addEventListener("click", e => { // a finger has not pointed anywhere before
      this.hover = [e.offsetX, e.offsetY];
      this.reach = e.pointerType === "touch" ? 48 : 20;
      this.draw();
      if (this.near < 0) return;
      this.held = true;
      this.pick(this.time[this.near]);
    });
  }

  // others are other runs: { name, of(column) }
  update(values, time, others = []) {
    Object.assign(this, { values, time, others });
    this.draw();
  }

  setMark(t) {
    if (!this.held) this.hover = null; // what was tapped stays until another time is shown
    this.held = false;
    this.at = t;
    this.draw();
  }

  // ticks returns round numbers on an axis, at least about so many, and the step between them.
  static ticks(low, high, least) {
    const power = 10 ** Math.floor(Math.log10((high - low) / least));
    const step = power * [5, 2.5, 2, 1].find(s => (high - low) / (s * power) >= least), out = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * (high - low); k++) out.push(k * step);
    return [out, step];
  }

  // another draws the curve of another run, with its name at its end.
  another(g, o, k, x, y, px, py) {
    const [a, b] = [o.of(x.of.name), o.of(y.of.name)];
    if (!a || !b) return;
    g.strokeStyle = g.fillStyle = css(`--c${(k + 1) % 12}`);
    g.lineWidth = 1.2;
    g.setLineDash(dashes[k % dashes.length]);
    g.beginPath();
    let last = null;
    for (let i = 0; i < a.length; i++) {
      if (!Number.isFinite(a[i]) || !Number.isFinite(b[i])) { last = null; continue; }
      const at = [px(a[i]), py(b[i])];
      if (last) g.lineTo(...at); else g.moveTo(...at);
      last = at;
    }
    g.stroke();
    g.setLineDash([]);
    if (last) {
      g.textAlign = "right";
      g.textBaseline = "bottom";
      g.fillText(o.name, last[0] - 3, last[1] - 3);
    }
  }

  draw() {
    const wide = Math.max(200, this.box.clientWidth - 26), high = 240, sharp = window.devicePixelRatio || 1, c = this.canvas;
    if (!this.values) return;
    c.width = wide * sharp;
    c.height = high * sharp;
    c.style.width = wide + "px";
    c.style.height = high + "px";
    const g = c.getContext("2d");
    g.scale(sharp, sharp);
    g.font = "11px system-ui, sans-serif";
    const axes = [this.axis[1], this.axis[0]].map(s => {
      const of = this.columns[+s.value], values = this.values(+s.value);
      let low = Infinity, high = -Infinity;
      for (const list of [values, ...this.others.map(o => o.of(of.name) || [])]) for (const v of list) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
      const size = Math.max(Math.abs(low), Math.abs(high)), middle = (low + high) / 2;
      if (!(high - low > 1e-9 * size)) [low, high] = Number.isFinite(middle) ? [middle - (size || 1), middle + (size || 1)] : [0, 1]; // what does not change
      const [factor, unit] = prefixed(Math.max(Math.abs(low), Math.abs(high)), of.unit);
      return { of, values, factor, unit, low: low / factor, high: high / factor };
    });
    const [x, y] = axes, left = 62, right = 10, top = 8, bottom = 40;
    const px = v => left + (v / x.factor - x.low) / (x.high - x.low) * (wide - left - right), py = v => high - bottom - (v / y.factor - y.low) / (y.high - y.low) * (high - top - bottom);
    g.strokeStyle = css("--line");
    g.fillStyle = css("--dim");
    for (const [a, across] of [[x, true], [y, false]]) {
      g.textAlign = across ? "center" : "right";
      g.textBaseline = across ? "top" : "middle";
      const [ticks, step] = Over.ticks(a.low, a.high, across && wide < 450 ? 3 : 4);
      for (const t of ticks) {
        const at = across ? px(t * a.factor) : py(t * a.factor);
        g.beginPath();
        if (across) { g.moveTo(at, top); g.lineTo(at, high - bottom); } else { g.moveTo(left, at); g.lineTo(wide - right, at); }
        g.stroke();
        g.fillText(ticked(t, step), across ? at : left - 6, across ? high - bottom + 5 : at);
      }
    }
    const titled = a => a.of.label + (a.unit ? ` (${a.unit})` : "");
    g.font = "12px system-ui, sans-serif";
    g.textAlign = "center";
    g.textBaseline = "bottom";
    g.fillText(titled(x), (left + wide - right) / 2, high - 3);
    g.save();
    g.translate(12, (top + high - bottom) / 2);
    g.rotate(-Math.PI / 2);
    g.textBaseline = "middle";
    g.fillText(titled(y), 0, 0);
    g.restore();
    this.others.forEach((o, k) => this.another(g, o, k, x, y, px, py));
    g.strokeStyle = css("--c0");
    g.lineWidth = 1.5;
    g.beginPath();
    let drawn = false;
    this.near = -1;
    let nearest = this.reach ** 2, marked = -1;
    for (let i = 0; i < x.values.length; i++) {
      if (!Number.isFinite(x.values[i]) || !Number.isFinite(y.values[i])) { drawn = false; continue; }
      const ax = px(x.values[i]), ay = py(y.values[i]);
      if (drawn) g.lineTo(ax, ay); else g.moveTo(ax, ay);
      drawn = true;
      if (this.at !== null && this.time[i] <= this.at * (1 + 1e-6)) marked = i;
      if (this.hover) {
        const far = (ax - this.hover[0]) ** 2 + (ay - this.hover[1]) ** 2;
        if (far < nearest) { nearest = far; this.near = i; }
      }
    }
    g.stroke();
    const told = this.near >= 0 ? this.near : marked;
    for (const [i, colour] of [[marked, "--text"], [this.near, "--accent"]]) {
      if (i < 0) continue;
      g.fillStyle = css(colour);
      g.beginPath();
      g.arc(px(x.values[i]), py(y.values[i]), 4, 0, 2 * Math.PI);
      g.fill();
    }
    this.told.textContent = told < 0 ? "" : `${y.of.label} ${quantity(y.values[told], y.of.unit)}, ${x.of.label} ${quantity(x.values[told], x.of.unit)}`;
  }
}
