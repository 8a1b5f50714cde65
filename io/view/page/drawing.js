"use strict";
// The picture as a drawing (SVG): triangles as polygons, and over them what the picture has.

class Drawing {
  // page is what it needs of the page.
  constructor(page) {
    Object.assign(this, { page, mesh: page.mesh, out: [], wide: page.mesh.canvas.clientWidth, high: page.mesh.canvas.clientHeight });
  }

  static escaped(s) { return s.replace(/[&<>]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]); }
  static rgb(c) { return `rgb(${c.slice(0, 3).map(v => Math.round(255 * v)).join(",")})`; }

  // text returns all of it.
  text() {
    const { wide: w, high: h, out, page } = this;
    out.push(`<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="system-ui, sans-serif" font-size="13">`, `<rect width="${w}" height="${h}" fill="${css("--stage")}"/>`);
    this.triangles();
    this.lines();
    this.cracks();
    this.springs();
    this.dots();
    out.push(...page.marks.svg());
    this.section();
    this.words();
    out.push("</svg>");
    return out.join("\n") + "\n";
  }

  // colour is that of a value.
  colour(v) {
    const { mesh } = this, map = mesh.hexes, i = Math.round(255 * Math.min(1, Math.max(0, (v - mesh.low) / (mesh.high - mesh.low || 1e-30))));
    return map && Number.isFinite(v) ? "#" + map.substr(6 * i, 6) : css("--neutral");
  }

  inside(at) {
    const { wide, high } = this;
    return !(at.every(q => q[0] < 0) || at.every(q => q[0] > wide) || at.every(q => q[1] < 0) || at.every(q => q[1] > high));
  }

  triangles() {
    const { mesh, out } = this, p = this.page.pictures, values = p?.field?.on === "contact" ? null : p?.drawn;
    out.push(`<g stroke-width="0.6">`);
    for (let t = 0; t < mesh.whole; t++) {
      if (!mesh.shown[mesh.body[t]]) continue;
      const n = [0, 1, 2].map(k => mesh.tri[3 * t + k]), at = n.map(k => mesh.screen(...mesh.at(k)));
      if (!this.inside(at)) continue;
      const v = !values || t >= mesh.count && p.field.on === "cell" ? NaN : p.field.on === "cell" ? values[t] : (values[n[0]] + values[n[1]] + values[n[2]]) / 3, c = this.colour(v);
      const area = Math.abs((at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) - (at[1][1] - at[0][1]) * (at[2][0] - at[0][0]));
      const sides = mesh.edges && t < mesh.discs && area > 60; // as in the picture, where there is room
      out.push(`<path d="M${at.map(q => q.map(x => x.toFixed(2)).join(" ")).join("L")}Z" fill="${c}" stroke="${sides ? css("--edge") : c}"/>`);
    }
    out.push("</g>");
  }

  // lines are the outlines of what is wide enough.
  lines() {
    const { mesh, out } = this, E = mesh.endList, d = [];
    for (let i = 0; i < E.length; i += 4) {
      if (!mesh.shown[E[i + 1]] || Scene.outlined(mesh.endSize[i / 2] * mesh.view.scale) < 0.5) continue;
      const at = [mesh.screen(...mesh.at(E[i])), mesh.screen(...mesh.at(E[i + 2]))];
      if (this.inside(at)) d.push("M" + at.map(q => q.map(x => x.toFixed(2)).join(" ")).join("L"));
    }
    out.push(`<path d="${d.join("")}" fill="none" stroke="${css("--outline")}"/>`);
  }

  cracks() {
    const { mesh, out } = this, { faces, crackValue: values, crackDamage: damage, crackRange: [low, high] } = mesh, map = this.page.meta.maps[2];
    if (!values) return;
    for (const [thin, more] of Scene.crackWidths) for (let i = 0; i < values.length; i++) {
      if (values[i] === Infinity || !mesh.shown[faces[3 * i + 2]] || thin + more * damage[i] === 0) continue;
      const [a, b] = [0, 1].map(k => mesh.screen(...mesh.at(faces[3 * i + k]))), u = Math.round(255 * Math.min(1, Math.max(0, (values[i] - low) / (high - low || 1e-30))));
      const c = thin === 0 ? css("--stage") : Number.isNaN(u) ? "#808080" : "#" + map.substr(6 * u, 6);
      if (this.inside([a, b])) out.push(`<path d="M${a.map(x => x.toFixed(2)).join(" ")}L${b.map(x => x.toFixed(2)).join(" ")}" stroke="${c}" stroke-width="${(thin + more * damage[i]).toFixed(2)}"/>`);
    }
  }

  springs() {
    const { mesh, out } = this, { springs: at, springMoved: u, factor: m } = mesh;
    for (let i = 0; i < at.length; i += 4) {
      if (Number.isNaN(u[i])) continue;
      const [a, b] = [0, 2].map(k => mesh.screen(at[i + k] + m * u[i + k], at[i + k + 1] + m * u[i + k + 1]));
      out.push(`<path d="M${a.join(" ")}L${b.join(" ")}" stroke="${css("--outline")}" stroke-width="${Scene.springWidth}"/>`);
    }
  }

  // dots are the contact nodes that carry load.
  dots() {
    const { mesh, out } = this;
    if (mesh.on !== "contact") return;
    for (let i = 0; i < mesh.contactValue.length; i++) {
      const v = mesh.contactValue[i];
      if (v === 0) continue;
      const [x, y] = mesh.screen(...mesh.atContact(i)), share = Math.min(1, Math.max(0, (v - mesh.low) / (mesh.high - mesh.low || 1e-30)));
      out.push(`<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${(2.5 + 2.5 * share).toFixed(2)}" fill="${this.colour(v)}"/>`);
    }
  }

  section() {
    const lines = this.page.$("lines");
    for (const l of lines.querySelectorAll("line")) {
      const ends = ["x1", "y1", "x2", "y2"].map(k => `${k}="${l.getAttribute(k)}"`).join(" ");
      this.out.push(`<line ${ends} stroke="${css("--card")}" stroke-width="4"/><line ${ends} stroke="${css("--accent")}" stroke-width="2"/>`);
    }
  }

  // words are the title and what the legend has.
  words() {
    const { out, page } = this;
    const text = (s, x, y, bold, swatch) => out.push(...(swatch ? [`<rect x="${x}" y="${y + 2}" width="11" height="11" fill="${swatch}"/>`] : []),
      `<text x="${(swatch ? x + 17 : x).toFixed(1)}" y="${(y + 12).toFixed(1)}" fill="${css("--text")}"${bold ? ' font-weight="600"' : ""}>${Drawing.escaped(s)}</text>`);
    page.legend().forEach((part, k) => {
      if (part.card) out.push(`<rect x="${part.x}" y="${part.y}" width="${part.w}" height="${part.h}" rx="8" fill="${css("--card")}" fill-opacity="0.88"/>`);
      else if (part.bar) {
        const stops = part.bar.map((c, i) => `<stop offset="${part.bar.length > 1 ? i / (part.bar.length - 1) : 0}" stop-color="${c}"/>`).join("");
        out.push(`<defs><linearGradient id="scale${k}">${stops}</linearGradient></defs><rect x="${part.x}" y="${part.y}" width="${part.w}" height="${part.h}" fill="url(#scale${k})"/>`);
      } else text(part.text, part.x, part.y, part.bold, part.swatch);
    });
    text(page.caption(), 12, 10, true);
  }
}
