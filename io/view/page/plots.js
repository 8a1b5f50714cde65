"use strict";
// Numbers with units, and the plots.

const whole = new Set(["s", "m", "m/s", "Pa", "N", "J"]); // units that take prefixes
const prefixes = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

// prefixed returns a factor and a unit in which size is handy.
function prefixed(size, unit) {
  const long = unit === "s" && [[31557600, "years"], [86400, "days"], [3600, "h"]].find(([s]) => size >= 2 * s);
  if (long) return long;
  const found = whole.has(unit) && prefixes.find(([f]) => size >= 0.9999999 * f && (f <= 1 || unit !== "s"));
  return found ? [found[0], found[1] + unit] : [1, unit || ""];
}

function digits(v, n = 5) {
  if (!Number.isFinite(v)) return String(v);
  if (v === 0) return "0";
  const size = Math.abs(v);
  return size >= 1e-3 && size < 1e6 ? String(+v.toPrecision(n)) : v.toExponential(n - 1).replace(/\.?0+e/, "e");
}

// ticked writes the number at a tick of an axis, with as many places as the step needs.
function ticked(v, step) {
  if (Math.abs(v) < 1e-6 * step) return "0";
  let places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  if (Math.abs(step * 10 ** places - Math.round(step * 10 ** places)) > 1e-6) places++; // 2.5
  if (Math.abs(v) >= 1e6 || places > 5) return digits(+v.toPrecision(12), 6);
  return places ? v.toFixed(places).replace(/\.?0+$/, "") : v.toFixed(0);
}

// quantity writes a value with its unit.
function quantity(v, unit, n = 5) {
  const [factor, name] = prefixed(Math.abs(v), unit);
  return digits(v / factor, n) + (name ? " " + name : "");
}

// settled is a value, 0 where it is round-off beside a size.
const settled = (v, size, share = 1e-9) => Math.abs(v) <= share * size ? 0 : v;

function css(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

const dashes = [[6, 3], [2, 3], [8, 3, 2, 3], [1, 2], [12, 4]]; // of other runs

// beside returns the times of several runs together, and what makes values of one run those at all
// of them: NaN before and after it.
function beside(time, others) {
  const all = others.length ? Float64Array.from(new Set([...time, ...others.flatMap(t => [...(t || [])])])).sort() : time;
  const at = (t, v) => {
    if (!t || !v) return null;
    if (!others.length) return v;
    const out = new Float64Array(all.length);
    for (let i = 0, k = 0; i < all.length; i++) {
      while (k + 1 < t.length && t[k + 1] < all[i]) k++;
      const n = Math.min(k + 1, t.length - 1), s = t[n] > t[k] ? (all[i] - t[k]) / (t[n] - t[k]) : 0;
      out[i] = all[i] < t[0] || all[i] > t.at(-1) ? NaN : v[k] + s * (v[n] - v[k]);
    }
    return out;
  };
  return { time: all, own: v => at(time, v), other: (k, v) => at(others[k], v) };
}

// Plot is a plot of lines over a common x, with the present time marked.
class Plot {
  // lines: [{ label, values }]; x and y: { label, unit, size }
  constructor(parent, { title, x, y, lines, pick, extra, range, step }) {
    this.box = document.createElement("div");
    this.box.className = "plot";
    const h = document.createElement("h3");
    h.append(title);
    if (extra) h.append(extra);
    const save = element("button", undefined, "csv");
    save.type = "button";
    save.title = "Keep as CSV, in SI";
    save.setAttribute("aria-label", "Keep as CSV");
    save.addEventListener("click", () => {
      const named = (of, label) => label + (of.unit ? ` [${of.unit}]` : "");
      keep(fileName(title) + ".csv", csvOf([{ label: named(this.x, this.x.label), values: this.x.values }, ...this.lines.map(l => ({ label: named(this.y, l.label), values: l.values }))]), "text/csv");
    });
    h.append(save);
    this.place = document.createElement("div");
    this.box.append(h, this.place);
    parent.append(this.box);
    Object.assign(this, { x, y, lines, pick, range, step });
    this.mark = null;
    this.build();
    new ResizeObserver(() => this.fit()).observe(this.box);
  }

  build() {
    this.u?.destroy();
    const [fx, ux] = prefixed(this.x.size, this.x.unit), [fy, uy] = prefixed(this.y.size, this.y.unit);
    this.factors = [fx, fy];
    const axis = (label, size) => ({
      label, labelSize: 18, labelFont: "12px system-ui, sans-serif", font: "11px system-ui, sans-serif", size, space: (u, i, low, high, dim) => Math.min(size > 40 ? 22 : u.width < 450 ? 44 : 60, dim / 8), // four numbers or more, as steps are 1, 2, 2.5 or 5
      stroke: () => css("--dim"), grid: { stroke: () => css("--line"), width: 1 }, ticks: { stroke: () => css("--line"), width: 1, size: 4 },
      values: (u, ticks, axis, space, step) => ticks.map(v => v == null ? "" : ticked(v, step)),
    });
    this.u = new uPlot({
      width: Math.max(200, this.box.clientWidth - 22), height: 190,
      scales: { x: { time: false, ...(this.range?.x ? { range: () => this.range.x.map(v => v / fx) } : {}) }, y: this.range?.y ? { range: () => this.range.y.map(v => v / fy) } : {} },
      axes: [axis(this.x.label + (ux ? ` (${ux})` : ""), 32), axis(uy || this.y.label, 52)],
      series: [
        { label: this.x.label, value: (u, v) => v == null ? "–" : (digits(v) + " " + ux).trim() },
        ...this.lines.map((l, i) => ({
          label: l.label, stroke: () => css(`--c${(l.colour ?? i) % 12}`), width: l.dash ? 1.2 : 1.5, dash: l.dash ? dashes[(l.dash - 1) % dashes.length] : (l.colour ?? i) >= 12 ? [6, 3] : undefined, points: { show: !!l.points },
          value: (u, v) => v == null ? "–" : (digits(settled(v * fy, this.y.size) / fy) + " " + uy).trim(),
        })),
      ],
      cursor: { sync: this.x.sync ? { key: this.x.sync } : undefined, points: { size: 6 } },
      legend: { live: true },
      hooks: { draw: [() => this.placeMark()] },
    }, this.data(), this.place);
    this.line = element("div", undefined, "mark");
    this.u.over.append(this.line);
    this.placeMark();
    setTimeout(() => this.tell()); // once the plot has been drawn
    let down = null;
    this.u.over.addEventListener("pointerdown", e => down = [e.clientX, e.clientY]);
    this.u.over.addEventListener("pointerleave", () => setTimeout(() => this.tell()));
    this.u.over.addEventListener("click", e => {
      if (this.pick && down && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 4) this.pick(this.u.posToVal(e.offsetX, "x") * fx);
    });
  }

  data() {
    const [fx, fy] = this.factors;
    return [this.x.values, ...this.lines.map(l => l.values)].map((a, i) => Array.from(a, v => Number.isFinite(v) ? v / (i ? fy : fx) : null));
  }

  update(x, lines) {
    this.x.values = x;
    lines.forEach((v, i) => this.lines[i].values = v);
    this.u.setData(this.data());
  }

  setMark(t) {
    this.mark = t;
    this.placeMark();
    const now = performance.now();
    if (now - (this.told || 0) > 150) { // in motion nobody reads faster
      this.told = now;
      this.tell();
    } else {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.tell(), 200);
    }
  }

  // tell shows the values at the mark while no pointer asks for others.
  tell() {
    const x = this.u.data[0];
    if (this.mark === null || this.u.cursor.idx != null || !x.length) return;
    const t = this.mark / this.factors[0];
    let a = 0, b = x.length - 1;
    while (b - a > 1) {
      const m = (a + b) >> 1;
      if (x[m] <= t) a = m; else b = m;
    }
    this.u.setLegend({ idx: t - x[a] <= x[b] - t ? a : b });
  }

  placeMark() {
    if (!this.line) return;
    const at = this.mark === null ? -1 : this.u.valToPos(this.mark / this.factors[0], "x");
    this.line.hidden = !(at >= 0 && at <= this.u.over.clientWidth);
    this.line.style.transform = `translateX(${at}px)`;
  }

  fit() {
    const width = Math.max(200, this.box.clientWidth - 22);
    if (width !== this.u.width) this.u.setSize({ width, height: 190 });
  }
}

// groups puts the columns of the history into plots, as meta tells of them; used
// says how large one gets.
function groups(meta, used) {
  const all = meta.plots.map(title => ({ title }));
  const entered = meta.lines.reduce((m, l, i) => l.plot === meta.plots[0] ? Math.max(m, used(i)) : m, 0), kinetic = meta.columns.indexOf("kinetic");
  const still = kinetic >= 0 && entered > 0 && used(kinetic) <= 1e-18 * entered; // what velocities there are, are rounding
  for (const g of all) g.columns = meta.lines.map((l, index) => ({ ...l, index })).filter(c => c.plot === g.title);
  for (let k = 0; k < all.length; k++) { // a plot has one unit
    const g = all[k], first = g.columns[0]?.unit, rest = g.columns.filter(c => c.unit !== first);
    g.columns = g.columns.filter(c => c.unit === first);
    if (!rest.length && !g.part) continue;
    const names = g.columns.map(c => c.label);
    g.axis = "no unit";
    if (rest.length) all.splice(k + 1, 0, { title: g.title, part: true, columns: rest });
    g.title += ": " + names.slice(0, 3).join(", ") + (names.length > 3 ? " …" : "");
  }
  for (const g of all) {
    g.unit = g.columns[0]?.unit || "";
    const top = g.columns.reduce((m, c) => Math.max(m, used(c.index)), 0), most = 12; // as many as there are colours
    g.none = top === 0 || still && (g.unit === "m/s" || g.unit === "rad/s");
    const some = g.columns.filter(c => used(c.index) > 1e-9 * top); // lines at zero, or at rounding beside others, tell nothing
    if (some.length) g.columns = some;
    if (g.columns.length > most) {
      g.title += ` (the largest ${most} of ${g.columns.length})`;
      g.columns = g.columns.sort((a, b) => used(b.index) - used(a.index)).slice(0, most).sort((a, b) => a.index - b.index);
    }
  }
  return all.filter(g => g.columns.length);
}

function element(name, text, kind) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (kind) e.className = kind;
  return e;
}

// tables writes summary and deck; units are those of the summary's entries.
function tables(parent, summary, deck, units) {
  parent.replaceChildren();
  const section = (title, head, rows) => {
    const s = element("section", undefined, rows.length > 25 ? "long" : ""), t = element("table");
    s.append(element("h2", title), t);
    if (head?.length > 3) t.className = "many";
    if (head) {
      const tr = element("tr");
      head.forEach((h, i) => tr.append(element("th", h, i ? "number" : "")));
      t.append(tr);
    }
    if (rows.length > 300) rows = [...rows.slice(0, 300), [`and ${rows.length - 300} more`]];
    for (const row of rows) {
      const tr = element("tr");
      if (row.section) {
        tr.className = "section";
        const th = element("th", row.section);
        th.colSpan = 2;
        tr.append(th);
      } else {
        row.forEach((cell, i) => {
          tr.append(element(i ? "td" : "th", cell, i && (head || /^-?[\d.]/.test(cell) && row.numeric) ? "number" : ""));
          if (i && head) tr.lastChild.dataset.of = head[i];
        });
      }
      t.append(tr);
    }
    parent.append(s);
  };
  const size = v => Array.isArray(v) ? v.reduce((m, c) => Math.max(m, Math.abs(c)), 0) : Math.abs(v);
  const show = (key, v, beside = 0, unit = units[key]) => { // beside: the size of others of this kind
    if (Array.isArray(v)) return "(" + v.map(c => digits(settled(c, beside, 1e-12), 4)).join(", ") + ")"; // its unit stands in the title
    if (typeof v !== "number") return v == null ? "–" : String(v);
    v = settled(v, beside, 1e-12);
    return unit ? quantity(v, unit) : digits(v, 6);
  };
  const words = key => key.replaceAll("_", " ");
  const title = (key, x) => words(key) + (Array.isArray(x[key]) && units[key] ? ` (${units[key]})` : "");
  const taken = {}; // the units of results
  for (let k = 0, name = ""; k < (deck?.length || 0); k++) {
    const r = deck[k], bare = r.value.replace(/^"(.*)"$/, "$1");
    if (r.section === "result" && r.key === "name") name = bare;
    if (r.section === "result" && r.key === "unit") taken[name] = bare;
  }
  if (summary) {
    const plain = Object.entries(summary).filter(([k, v]) => typeof v !== "object" && k !== "title" && (k !== "error" || summary.status === "failed"));
    section("Summary", null, plain.map(([k, v]) => [words(k), show(k, v)]));
    for (const [key, v] of Object.entries(summary)) {
      if (Array.isArray(v) && v.length && typeof v[0] === "object") {
        const keys = [...new Set(v.flatMap(x => Object.keys(x)))], own = keys.includes("name") ? "name" : keys[0];
        const name = words(key)[0].toUpperCase() + words(key).slice(1), rest = keys.filter(k => k !== own);
        const energies = Object.values(summary.energy || {}).flatMap(s => s && typeof s === "object" ? [s.start, s.end] : []);
        const peak = k => k === "dissipated" ? size(energies) : v.reduce((m, x) => typeof x[k] === "string" || x[k] == null ? m : Math.max(m, size(x[k])), 0);
        if (v.length > 2) section(name, ["", ...rest.map(k => title(k, v.find(x => k in x)))], v.map(x => [x[own] ?? "", ...rest.map(k => show(k, x[k], peak(k)))]));
        else section(name, ["", ...v.map(x => x[own] ?? "")], rest.map(k => [title(k, v.find(x => k in x)), ...v.map(x => show(k, x[k], peak(k)))]));
      } else if (v && typeof v === "object" && !Array.isArray(v)) {
        const spans = Object.entries(v).filter(([, s]) => s && typeof s === "object" && "start" in s);
        const rest = Object.entries(v).filter(([, s]) => typeof s !== "object");
        if (spans.length + rest.length) section(words(key)[0].toUpperCase() + words(key).slice(1), spans.length ? ["", "start", "end"] : ["", ""], [
          ...spans.map(([k, s]) => [words(k), ...[s.start, s.end].map(e => quantity(settled(e, size(spans.flatMap(([, s]) => [s.start, s.end])), 1e-12), "J", 4))]),
          ...rest.map(([k, s]) => [words(k), ...(spans.length ? [""] : []), show(k, s, 0, key === "results" ? taken[k] : undefined)]),
        ]);
      }
    }
  }
  if (deck?.length) {
    const rows = [];
    for (const r of deck) {
      if (r.start && r.section) rows.push({ section: r.section });
      rows.push([r.key, r.value.replace(/^"(.*)"$/, "$1")]);
    }
    section("Deck", null, rows);
  }
}
