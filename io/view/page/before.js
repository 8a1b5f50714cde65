"use strict";
// A model before its run: what check says, symbols and groups by name, the deck.

class Before {
  // page is what it needs of the page; marks draw its symbols.
  constructor(page, marks) {
    Object.assign(this, { page, marks, seen: null });
    this.box = page.$("model");
  }

  // show writes it anew where it has changed.
  show(model) {
    this.box.hidden = !model;
    if (!model) return;
    document.body.classList.add("before");
    const key = JSON.stringify([model.error, model.said, model.text, model.symbols.length]);
    if (key === this.seen) return;
    this.seen = key;
    const was = this.marks.chosen;
    this.marks.chosen = was ? [...model.symbols, ...model.groups, ...model.said].find(s => (s.name ?? s.text) === (was.name ?? was.text) && s.kind === was.kind) || null : null;
    this.deck = element("pre", undefined, "deck");
    this.rows = model.text.split("\n").map((text, i) => {
      const line = element("span", text || " ");
      line.dataset.n = i + 1;
      return line;
    });
    this.deck.append(...this.rows);
    this.box.replaceChildren(this.said(model), this.symbols(model), this.named(model), this.section(`Deck ${model.deck}`, [this.deck], !model.error && model.text === ""));
    const bad = model.said.find(s => s.kind === "error");
    if (bad) this.mark(bad.line);
  }

  section(title, inside, hidden = false) {
    const s = element("section");
    s.hidden = hidden;
    s.append(element("h2", title), ...inside);
    return s;
  }

  // said is what check says: a line with a place is a button.
  said(model) {
    const list = element("ul", undefined, "said");
    for (const s of model.said) {
      const item = element("li", undefined, s.kind || "");
      item.append(this.button(s.text, s));
      list.append(item);
    }
    return this.section("Check", [list]);
  }

  button(text, thing) {
    if (!thing.box && !thing.line && !thing.at && !thing.lines && !thing.nodes && !thing.toward) return element("span", text);
    const b = element("button", text, "plain");
    b.type = "button";
    b.addEventListener("click", () => this.choose(thing));
    return b;
  }

  // symbols are listed by kind, each with a box to show them.
  symbols(model) {
    const kinds = { fix: "Supports", drive: "Drives", load: "Loads", gravity: "Gravity", velocity: "Moving at the start", spring: "Springs", bolt: "Bolts", tie: "Ties", hinge: "Hinges", joint: "Joints", contact: "Contacts", absorb: "Absorbing boundaries", fluid: "Fluids", stress: "Initial stress", hole: "Holes", excavate: "Excavations", install: "Installed later", temperature: "Held temperatures", heat_flux: "Heat", convection: "Convection", pore_pressure: "Pore pressures", inflow: "Inflows", probe: "Probes" };
    const out = [];
    for (const [kind, title] of Object.entries(kinds)) {
      const of = model.symbols.filter(s => s.kind === kind);
      if (!of.length) continue;
      const box = element("div", undefined, "kind"), label = element("label"), input = element("input"), list = element("ul");
      input.type = "checkbox";
      input.dataset.kind = kind;
      input.checked = !this.marks.hidden.has(kind);
      input.addEventListener("change", () => {
        if (input.checked) this.marks.hidden.delete(kind);
        else this.marks.hidden.add(kind);
        this.page.redraw();
      });
      label.append(input, title);
      for (const s of of.slice(0, 60)) {
        const item = element("li");
        item.append(this.button(`${s.name}: ${s.text}`, s));
        list.append(item);
      }
      if (of.length > 60) list.append(element("li", `and ${of.length - 60} more`));
      box.append(label, list);
      out.push(box);
    }
    return this.section("Symbols", out, !out.length);
  }

  named(model) {
    const list = element("ul");
    for (const g of model.groups) {
      const item = element("li");
      item.append(this.button(`${g.name}: ${g.dim ? "curve" : "point"} of ${g.nodes.length} nodes`, g));
      list.append(item);
    }
    return this.section("Groups", [list], !model.groups.length);
  }

  // choose goes to a thing, and to its line of the deck.
  choose(thing) {
    const { marks, page } = this;
    marks.chosen = marks.chosen === thing ? null : thing;
    if (marks.chosen && page.mesh) {
      const box = this.boxOf(thing);
      if (box) page.look(box);
    }
    this.mark(marks.chosen ? thing.line : 0);
    page.redraw();
  }

  boxOf(thing) {
    if (thing.box) return thing.box;
    const { mesh } = this.page, at = [...(thing.at || []), ...(thing.lines || []), ...(thing.nodes || []).flatMap(n => mesh.at(n))];
    if (!at.length) return null;
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (let k = 0; k < at.length; k += 2) [box[0], box[1], box[2], box[3]] = [Math.min(box[0], at[k]), Math.min(box[1], at[k + 1]), Math.max(box[2], at[k]), Math.max(box[3], at[k + 1])];
    return box;
  }

  mark(line) {
    for (const r of this.rows) r.classList.remove("here");
    const row = line && this.rows[line - 1];
    if (!row) return;
    row.classList.add("here");
    this.deck.scrollTop = row.offsetTop - this.deck.clientHeight / 3;
  }

  // under returns the names of the groups at a spot of the screen: near a node, or a side of an outline
  // between two.
  under(px, py) {
    const { mesh, meta } = this.page, names = [], at = n => mesh.screen(...mesh.at(n));
    if (!meta.model?.groups.length) return names;
    const near = ([x0, y0], [x1, y1]) => {
      const dx = x1 - x0, dy = y1 - y0, s = Math.min(1, Math.max(0, ((px - x0) * dx + (py - y0) * dy) / (dx * dx + dy * dy || 1)));
      return Math.hypot(x0 + s * dx - px, y0 + s * dy - py) < 9;
    };
    const E = mesh.endList, sides = [];
    for (let i = 0; i < E.length; i += 4) if (near(at(E[i]), at(E[i + 2]))) sides.push([E[i], E[i + 2]]);
    for (const g of meta.model.groups) {
      const of = g.set ||= new Set(g.nodes);
      if (g.nodes.some(n => near(at(n), at(n))) || g.dim === 1 && sides.some(([a, b]) => of.has(a) && of.has(b))) names.push(g.name);
    }
    return names;
  }
}
