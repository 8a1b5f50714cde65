"use strict";
// Charts of ground and supports: forces along bolts, stress paths, Mohr's circles, a rose of cracks.

// Chart draws curves whose x need not rise, which uPlot cannot, in SVG.
class Chart {
  constructor(parent) {
    this.box = element("div", undefined, "plot chart");
    this.title = element("h3");
    this.place = element("div");
    this.told = element("div", "", "told");
    this.box.append(this.title, this.place, this.told);
    parent.append(this.box);
    this.watch = new ResizeObserver(() => { if (this.of && this.box.clientWidth !== this.wide) this.draw(this.of); });
    this.watch.observe(this.box);
  }

  remove() {
    this.watch.disconnect();
    this.box.remove();
  }

  draw(of) {
    this.of = of;
    this.wide = this.box.clientWidth;
    this.box.id = `chart-${of.name}`;
    const save = element("button", undefined, "csv");
    save.type = "button";
    save.title = "Keep as CSV, in SI";
    save.setAttribute("aria-label", "Keep as CSV");
    save.addEventListener("click", () => keep(fileName(of.title) + ".csv", csvOf(of.lines.flatMap(l => [{ label: `${l.label} ${of.x}`, values: l.x }, { label: `${l.label} ${of.y}`, values: l.y }])), "text/csv"));
    this.title.replaceChildren(of.title, save);
    const range = k => of.lines.reduce(([a, b], l) => l[k].reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [a, b]), [Infinity, -Infinity]);
    let [x0, x1] = range("x"), [y0, y1] = range("y");
    if (y0 > 0) y0 = 0;
    if (y1 < 0) y1 = 0;
    if (!(x1 > x0)) [x0, x1] = [x0 - 0.5, x1 + 0.5];
    if (!(y1 > y0)) y1 = y0 + 1;
    const left = 64, right = 10, top = 8, low = 38, width = Math.max(200, this.wide - 22), inner = width - left - right;
    const high = of.even ? Math.min(420, Math.max(90, inner * (y1 - y0) / (x1 - x0))) : 150;
    if (of.even) { // the same scale along both axes
      const per = Math.max((x1 - x0) / inner, (y1 - y0) / high), grow = (per * inner - (x1 - x0)) / 2, up = (per * high - (y1 - y0)) / 2;
      [x0, x1, y0, y1] = [x0 - grow, x1 + grow, y0 - up, y1 + up];
    } else y1 += 0.05 * (y1 - y0);
    const px = v => left + inner * (v - x0) / (x1 - x0), py = v => top + high * (y1 - v) / (y1 - y0);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const add = (name, set, text) => {
      const e = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [k, v] of Object.entries(set)) e.setAttribute(k, v);
      if (text !== undefined) e.textContent = text;
      svg.append(e);
      return e;
    };
    svg.setAttribute("width", width);
    svg.setAttribute("height", top + high + low);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", of.title);
    const [fx, ux] = prefixed(Math.max(Math.abs(x0), Math.abs(x1)), of.unit_x), [fy, uy] = prefixed(Math.max(Math.abs(y0), Math.abs(y1)), of.unit_y);
    for (const [from, to, factor, across] of [[x0, x1, fx, true], [y0, y1, fy, false]]) {
      const step = stepOf((to - from) / factor, across ? inner / 70 : high / 34);
      for (let k = Math.ceil(from / factor / step); k * step <= to / factor * (1 + 1e-12); k++) {
        const v = k * step * factor, at = across ? px(v) : py(v);
        add("line", across ? { x1: at, x2: at, y1: top, y2: top + high, class: "grid" } : { x1: left, x2: width - right, y1: at, y2: at, class: "grid" });
        add("text", across ? { x: at, y: top + high + 14, "text-anchor": "middle" } : { x: left - 5, y: at + 4, "text-anchor": "end" }, ticked(k * step, step));
      }
    }
    const named = (label, unit) => label + (unit ? ` (${unit})` : "");
    add("text", { x: left + inner / 2, y: top + high + 32, "text-anchor": "middle" }, named(of.x, ux));
    add("text", { transform: `translate(12 ${top + high / 2}) rotate(-90)`, "text-anchor": "middle" }, named(of.y, uy));
    this.told.replaceChildren();
    of.lines.forEach((l, i) => {
      const colour = l.limit ? "var(--text)" : `var(--c${i % 12})`;
      add("polyline", { points: l.x.map((v, k) => `${px(v).toFixed(1)},${py(l.y[k]).toFixed(1)}`).join(" "), fill: "none", stroke: colour, "stroke-width": 1.5, ...(l.limit ? { "stroke-dasharray": "6 3" } : {}) });
      if (!l.limit && l.x.length) add("circle", { cx: px(l.x.at(-1)), cy: py(l.y.at(-1)), r: 2.5, fill: colour });
      const mark = element("span", l.limit ? "┅ " : "— ");
      mark.style.color = colour;
      const name = element("span", undefined, "named");
      name.append(mark, l.label);
      this.told.append(name, "  ");
    });
    this.place.replaceChildren(svg);
  }
}

// stepOf returns a round step with which a range has about n of them.
function stepOf(range, n) {
  const rough = range / Math.max(n, 1), size = 10 ** Math.floor(Math.log10(rough));
  return size * [1, 2, 5, 10].find(k => k * size >= rough * (1 - 1e-9));
}

// Charts are all charts of a frame.
class Charts {
  constructor(parent) {
    this.parent = parent;
    this.all = new Map();
  }

  // update draws the charts of a frame, from their text.
  update(text) {
    const list = text ? JSON.parse(new TextDecoder().decode(text)) : [];
    for (const [name, c] of this.all) {
      if (list.some(of => of.name === name)) continue;
      c.remove();
      this.all.delete(name);
    }
    for (const of of list) {
      if (!this.all.has(of.name)) this.all.set(of.name, new Chart(this.parent));
      this.all.get(of.name).draw(of);
    }
  }
}
