"use strict";
// What takes more out of a picture: a section along a line, values over time, files to keep, the
// state of the page as an address.

// keep offers data as a file of a name.
function keep(name, data, type) {
  const a = document.createElement("a"), url = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// table writes columns, { label, values }, as CSV. An apostrophe keeps a spreadsheet from running a
// label as a formula.
function csvOf(columns) {
  const cell = s => /^'*[=+\-@\t\r]/.test(s) ? "'" + s : s;
  const quoted = s => /[",\n]/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s;
  const n = columns[0].values.length, rows = [columns.map(c => quoted(cell(c.label))).join(",")];
  for (let i = 0; i < n; i++) rows.push(columns.map(c => Number.isFinite(c.values[i]) ? String(c.values[i]) : "").join(","));
  return rows.join("\n") + "\n";
}

const fileName = title => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "plot";

// along cuts the triangles of a scene that are shown by the line from a to b, as it is drawn, and
// returns distances and values: constant in a triangle for values of cells, linear for those of
// nodes. NaN stands between bodies.
function along(mesh, a, b, values, on) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]), ux = (b[0] - a[0]) / length, uy = (b[1] - a[1]) / length;
  const far = new Float64Array(3), at = new Float64Array(3), pieces = [];
  for (let t = 0; t < mesh.count; t++) {
    if (!mesh.shown[mesh.body[t]]) continue;
    let low = Infinity, high = -Infinity;
    for (let k = 0; k < 3; k++) {
      const [x, y] = mesh.at(mesh.tri[3 * t + k]);
      far[k] = (x - a[0]) * uy - (y - a[1]) * ux;
      at[k] = (x - a[0]) * ux + (y - a[1]) * uy;
      low = Math.min(low, far[k]);
      high = Math.max(high, far[k]);
    }
    if (low > 0 || high < 0 || low === high) continue;
    const ends = [];
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      if (far[k] * far[l] > 0 || far[k] === far[l]) continue;
      const share = far[k] / (far[k] - far[l]);
      const of = j => on === "cell" ? values[t] : values[mesh.tri[3 * t + j]];
      ends.push([at[k] + share * (at[l] - at[k]), of(k) + share * (of(l) - of(k))]);
    }
    ends.sort((p, q) => p[0] - q[0]);
    const [p, q] = [ends[0], ends.at(-1)];
    if (ends.length < 2 || q[0] <= 0 || p[0] >= length || q[0] - p[0] <= 1e-12 * length) continue;
    const within = s => p[1] + (q[1] - p[1]) * (s - p[0]) / (q[0] - p[0]), [s0, s1] = [Math.max(0, p[0]), Math.min(length, q[0])];
    pieces.push([s0, within(s0), s1, within(s1)]);
  }
  pieces.sort((p, q) => p[0] - q[0]);
  const s = [], v = [];
  let end = 0;
  for (const [s0, v0, s1, v1] of pieces) {
    if (s0 > end + 1e-6 * length) { s.push(end, s0); v.push(NaN, NaN); }
    s.push(s0, s1);
    v.push(v0, v1);
    end = Math.max(end, s1);
  }
  if (end < length * (1 - 1e-6)) { s.push(end, length); v.push(NaN, NaN); }
  return { s, v, length };
}

// Tools are the buttons below the picture's own. page is what they need of it.
class Tools {
  constructor(page) {
    this.page = page;
    this.line = null; // two points, as drawn [m]
    this.taking = null; // points clicked so far, while a section is being drawn
    this.section = this.time = null; // plots
    const $ = page.$;
    $("section").addEventListener("click", () => this.begin());
    $("overtime").addEventListener("click", () => this.overTime());
    $("png").addEventListener("click", () => this.picture());
    $("svg").addEventListener("click", () => this.drawing());
    $("film").addEventListener("click", () => this.film());
    $("link").addEventListener("click", () => this.link());
  }

  // begin waits for the two ends of a section, or removes the one that there is.
  begin() {
    this.taking = this.taking || this.line ? null : [];
    if (this.line) this.remove();
    this.say();
  }

  say() {
    const b = this.page.$("section");
    b.setAttribute("aria-pressed", String(!!(this.taking || this.line)));
    b.textContent = this.taking ? `Click its ${this.taking.length ? "end" : "start"}` : this.line ? "Remove section" : "Section";
  }

  remove() {
    this.line = null;
    this.section?.u.destroy();
    this.section?.box.remove();
    this.section = null;
    this.place();
  }

  // takes tells whether a click is one for a section.
  takes(px, py) {
    if (!this.taking) return false;
    this.taking.push(this.page.mesh.world(px, py));
    if (this.taking.length === 2) this.cut(...this.taking);
    else this.place();
    this.say();
    return true;
  }

  // across takes the horizontal line through the middle of the picture, for who has no pointer.
  across() {
    if (!this.taking) return false;
    const { clientWidth: w, clientHeight: h } = this.page.mesh.canvas;
    this.cut(this.page.mesh.world(0, h / 2), this.page.mesh.world(w, h / 2));
    return true;
  }

  cut(a, b) {
    this.taking = null;
    this.line = Math.hypot(b[0] - a[0], b[1] - a[1]) > 0 ? [a, b] : null;
    this.say();
    this.frame();
  }

  // frame shows the section in a new frame, or of another field.
  frame() {
    this.place();
    const { pictures: p, mesh, meta } = this.page;
    if (!this.line || !mesh || !p?.values || p.field.on === "contact") return;
    const { s, v, length } = along(mesh, ...this.line, p.values, p.field.on);
    const peak = Math.max(meta.ranges?.[p.field.name]?.peak || 0, ...v.filter(Number.isFinite).map(Math.abs));
    const label = p.field.label + (p.component ? ", " + p.component : "");
    if (this.section?.title === label && this.section.size === peak) return this.section.update(s, [v]);
    this.section?.u.destroy();
    this.section?.box.remove();
    this.section = new Plot(this.page.$("plots"), {
      title: `Section: ${label}`, x: { label: "distance along the line", unit: "m", size: length, values: s },
      y: { label, unit: p.field.unit, size: peak || 1 }, lines: [{ label, values: v }],
    });
    Object.assign(this.section, { title: label, size: peak });
    this.section.box.id = "sectionplot";
    this.page.$("plots").prepend(this.section.box);
  }

  // place draws the line over the picture.
  place() {
    const g = this.page.$("lines"), ends = this.line || this.taking || [], mesh = this.page.mesh;
    if (!mesh) return;
    const at = ends.map(p => mesh.screen(...p));
    g.replaceChildren();
    const add = (name, of) => {
      const e = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [k, v] of Object.entries(of)) e.setAttribute(k, v);
      g.append(e);
    };
    if (at.length === 2) add("line", { x1: at[0][0], y1: at[0][1], x2: at[1][0], y2: at[1][1] });
    for (const [cx, cy] of at) add("circle", { cx, cy, r: 4 });
  }

  // overTime draws the shown field at the position that is kept in view, over all frames or, of
  // many, over 200 of them.
  async overTime() {
    const { state, meta, mesh } = this.page, at = state.pin, f = state.field;
    if (at && f?.on === "cell" && at.triangle >= mesh.count) return this.page.say(`A rigid body has no ${f.label}.`);
    if (!at || at.triangle < 0 || !f || f.on === "contact") return this.page.say("Click a node or an element first: its values are drawn over time.");
    const on = f.on === "cell" ? at.triangle : at.node, component = state.component;
    const every = Math.max(1, Math.ceil(meta.times.length / 200)), frames = [];
    for (let i = 0; i < meta.times.length; i += every) frames.push(i);
    const values = [];
    try {
      for (const i of frames) values.push(this.page.part(await this.page.blob(`frames/${i}/${f.name}`), f, component)[on]);
    } catch (e) {
      return this.page.say(e.message);
    }
    const where = f.on === "cell" ? `element ${this.page.elementID[on]}` : `node ${this.page.nodeID[on]}`, label = f.label + (component ? ", " + component : "");
    this.time?.u.destroy();
    this.time?.box.remove();
    this.time = new Plot(this.page.$("plots"), {
      title: `${label} of ${where} of ${meta.bodies[mesh.body[at.triangle]].name}`,
      x: { label: meta.pseudo ? "pseudo-time" : "time", unit: meta.pseudo ? "" : "s", size: meta.times.at(-1), values: frames.map(i => meta.times[i]), sync: "time" },
      y: { label, unit: f.unit, size: Math.max(...values.map(Math.abs)) || 1 }, lines: [{ label, values }], pick: this.page.goTo,
    });
    this.time.box.id = "timeplot";
    this.page.$("plots").prepend(this.time.box);
    this.time.setMark(meta.times[state.frame] ?? null);
    this.time.box.scrollIntoView({ block: "nearest" });
  }

  // composed returns a canvas with the picture, its scale and its time.
  composed() {
    const { mesh, $, meta } = this.page, from = mesh.canvas, to = document.createElement("canvas");
    [to.width, to.height] = [from.width, from.height];
    const c = to.getContext("2d"), ratio = from.width / from.clientWidth, stage = $("stage").getBoundingClientRect();
    c.fillStyle = css("--stage");
    c.fillRect(0, 0, to.width, to.height);
    this.page.draw(); // a picture by WebGL is gone after the task that has drawn it
    c.drawImage(from, 0, 0);
    c.scale(ratio, ratio);
    this.page.marks.onto(c);
    for (const [colour, width] of [["--card", 4], ["--accent", 2]]) for (const l of $("lines").querySelectorAll("line")) {
      c.strokeStyle = css(colour);
      c.lineWidth = width;
      c.beginPath();
      c.moveTo(+l.getAttribute("x1"), +l.getAttribute("y1"));
      c.lineTo(+l.getAttribute("x2"), +l.getAttribute("y2"));
      c.stroke();
    }
    c.textAlign = "left";
    c.textBaseline = "top";
    for (const part of this.legend()) this.part(c, part);
    c.fillStyle = css("--text");
    c.font = "600 14px system-ui, sans-serif";
    c.fillText(this.caption(), 12, 10);
    return to;
  }

  caption() { return [this.page.meta.title, this.page.instant(this.page.state.frame)].filter(Boolean).join(", "); }

  // legend lists what stands in the legend, at places in the picture: a card, bars of colours, texts,
  // some with a patch of their colour.
  legend() {
    const { $ } = this.page, box = $("legend"), stage = $("stage").getBoundingClientRect(), out = [];
    if (getComputedStyle(box).visibility === "hidden") return out;
    const at = r => ({ x: r.left - stage.left, y: r.top - stage.top, w: r.width, h: r.height });
    out.push({ card: true, ...at(box.getBoundingClientRect()) });
    for (const e of box.querySelectorAll("b, #magnification, .ticks span, .bar, #names li")) {
      const place = at(e.getBoundingClientRect());
      if (!place.w || e.closest("[hidden]")) continue;
      if (e.classList.contains("bar")) out.push({ bar: getComputedStyle(e).backgroundImage.match(/rgb[^)]*\)|#[0-9a-f]{6}/gi) || [], ...place });
      else out.push({ text: e.textContent, bold: e.tagName === "B", swatch: e.tagName === "LI" ? e.style.getPropertyValue("--mine") : "", ...place });
    }
    return out;
  }

  // part draws a part of the legend.
  part(c, { card, bar, text, bold, swatch, x, y, w, h }) {
    if (card || bar) {
      const ramp = bar ? c.createLinearGradient(x, 0, x + w, 0) : css("--card");
      bar?.forEach((colour, i) => ramp.addColorStop(bar.length > 1 ? i / (bar.length - 1) : 0, colour));
      c.fillStyle = ramp;
      c.globalAlpha = card ? 0.88 : 1;
      c.fillRect(x, y, w, h);
      c.globalAlpha = 1;
      return;
    }
    c.font = `${bold ? "600 " : ""}13px system-ui, sans-serif`;
    if (swatch) {
      c.fillStyle = swatch;
      c.fillRect(x, y + 2, 11, 11);
    }
    c.fillStyle = css("--text");
    c.fillText(text, swatch ? x + 17 : x, y);
  }

  name() { return `${fileName(this.page.meta.title)}-${String(this.page.state.frame).padStart(4, "0")}`; }

  picture() {
    if (this.page.mesh) this.composed().toBlob(b => keep(this.name() + ".png", b));
  }

  // drawing keeps the picture as a drawing.
  drawing() {
    if (!this.page.mesh) return;
    const tools = this;
    const page = Object.create(this.page, { legend: { value: () => tools.legend() }, caption: { value: () => tools.caption() } });
    keep(this.name() + ".svg", new Drawing(page).text(), "image/svg+xml");
  }

  // film keeps all frames from the first as WebM or, where a browser cannot, as PNGs.
  async film() {
    const { mesh, meta, $ } = this.page, was = this.page.state.frame;
    if (!mesh || this.filming || meta.times.length < 2) return;
    this.filming = true;
    const button = $("film"), first = this.composed(), type = ["video/webm;codecs=vp9", "video/webm"].find(t => window.MediaRecorder?.isTypeSupported(t));
    const screen = document.createElement("canvas"), c = screen.getContext("2d"), parts = [];
    [screen.width, screen.height] = [first.width, first.height];
    c.drawImage(first, 0, 0);
    const stream = type && screen.captureStream(0), recorder = stream && new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
    if (recorder) {
      recorder.ondataavailable = e => parts.push(e.data);
      const begun = new Promise(done => recorder.onstart = done);
      recorder.start();
      await begun;
    }
    try {
      for (let i = 0; i < meta.times.length && this.filming; i++) {
        button.textContent = `${i + 1} of ${meta.times.length}`;
        await this.page.show(i);
        const picture = this.composed();
        if (recorder) {
          c.drawImage(picture, 0, 0);
          stream.getVideoTracks()[0].requestFrame();
          await new Promise(done => setTimeout(done, 1000 / +$("speed").value));
        } else {
          keep(this.name() + ".png", await new Promise(done => picture.toBlob(done)));
          await new Promise(done => setTimeout(done, 200));
        }
      }
      if (recorder) {
        const done = new Promise(ended => recorder.onstop = ended);
        recorder.stop();
        await done;
        keep(fileName(meta.title) + ".webm", new Blob(parts, { type: "video/webm" }));
      }
    } finally {
      this.filming = false;
      button.textContent = "Film";
      this.page.show(was);
    }
  }

  // address returns the state of the page: frame, field, view (centre and width), what is kept in view, section.
  address() {
    const { state, mesh, meta } = this.page, said = new URLSearchParams();
    said.set("frame", state.frame + 1);
    if (state.field) said.set("colour", state.field.name);
    if (state.component) said.set("part", state.component);
    if (mesh) {
      said.set("magnify", digits(mesh.magnify, 6));
      if (!mesh.fitted) said.set("view", [mesh.view.x, mesh.view.y, mesh.canvas.clientWidth / mesh.view.scale].map(v => +v.toPrecision(7)).join(","));
      const hidden = meta.bodies.filter((b, i) => !mesh.wished[i]).map(b => b.name);
      if (hidden.length) said.set("hide", JSON.stringify(hidden));
    }
    if (state.pin?.triangle >= 0) said.set("pin", `${state.pin.triangle},${state.pin.node}${state.pin.centre ? ",element" : ""}`);
    if (this.page.marks.what) said.set("over", this.page.marks.what);
    const { $ } = this.page, scale = $("scale").value;
    if (scale !== "run") said.set("scale", scale === "fixed" ? +state.top.toPrecision(7) : scale);
    if (meta.cracks.length && state.cracks !== meta.cracks[0]) said.set("cracks", state.cracks?.name || "none");
    if (!$("edges").checked) said.set("edges", "off");
    if (this.time) said.set("overtime", "on");
    if (meta.model && this.page.marks.hidden.size) said.set("symbols", [...this.page.marks.hidden].join(","));
    if (this.line) said.set("section", this.line.flat().map(v => +v.toPrecision(7)).join(","));
    return "#" + said;
  }

  link() {
    history.replaceState(null, "", this.address());
    const button = this.page.$("link");
    navigator.clipboard?.writeText(location.href.replace(location.search, "")).then(() => {
      button.textContent = "Copied";
      setTimeout(() => button.textContent = "Link", 1500);
    }, () => {});
  }

  // wish does what an address says beside frame, field and magnification.
  wish(said) {
    const { mesh, meta, state, $ } = this.page;
    if (!mesh) return;
    const numbers = key => (said.get(key) || "").split(",").map(Number);
    const view = numbers("view"), line = numbers("section"), pin = numbers("pin");
    if (said.has("hide")) {
      const hidden = JSON.parse(said.get("hide"));
      [...$("bodies").querySelectorAll("input")].forEach((input, i) => {
        if (hidden.includes(meta.bodies[i]?.name) === input.checked) input.click();
      });
    }
    if (said.has("part") && state.field?.components) {
      $("component").value = said.get("part");
      $("component").dispatchEvent(new Event("change"));
    }
    if (said.has("cracks") && meta.cracks.length) {
      const k = meta.cracks.findIndex(f => f.name === said.get("cracks"));
      $("cracks").value = k < 0 ? "" : k;
      $("cracks").dispatchEvent(new Event("change"));
    }
    if (said.get("edges") === "off" && $("edges").checked) $("edges").click();
    if (said.has("scale")) this.page.scaleTo(said.get("scale"));
    if (said.has("symbols")) this.page.marks.hide(said.get("symbols").split(","));
    if (said.has("over")) {
      $("overlay").value = said.get("over");
      this.page.chooseOverlay();
    }
    if (view.length === 3 && view.every(Number.isFinite) && view[2] > 0) {
      Object.assign(mesh.view, { x: view[0], y: view[1], scale: mesh.canvas.clientWidth / view[2] });
      mesh.fitted = false;
      state.viewed = true; // from here on, not all of it
    }
    if (said.has("pin") && mesh.tri[3 * pin[0]] >= 0) this.page.hold({ triangle: pin[0], node: pin[1], contact: -1, ...(said.get("pin").endsWith("element") ? { centre: true } : {}) });
    if (said.has("overtime") && state.pin) this.overTime();
    if (line.length === 4 && line.every(Number.isFinite)) this.cut(line.slice(0, 2), line.slice(2));
  }
}
