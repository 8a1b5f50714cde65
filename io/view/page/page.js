"use strict";
(async () => {
  const $ = id => document.getElementById(id);
  const say = text => { $("message").textContent = text; $("message").hidden = !text; };

  // --- data: embedded in the page, or asked from the server it came from ---

  const types = { triangles: Uint32Array, body: Int32Array, node_id: Float64Array, element_id: Float64Array, outline: Uint32Array, cracks: Uint32Array, history: Float64Array, order: Uint32Array, curves: Uint8Array };
  const embedded = new Map([...document.querySelectorAll("script[data-blob]")].map(e => [e.dataset.blob, e]));
  const report = $("meta") !== null;
  const cache = new Map(); // name: { promise, bytes }, the latest used last
  let cached = 0;

  async function unpack(e) {
    const text = atob(e.textContent), packed = new Uint8Array(text.length);
    for (let i = 0; i < packed.length; i++) packed[i] = text.charCodeAt(i);
    const planes = new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
    const size = +e.dataset.size, n = planes.length / size, out = new Uint8Array(planes.length);
    for (let k = 0; k < size; k++) for (let i = 0; i < n; i++) out[i * size + k] = planes[k * n + i];
    return out.buffer;
  }

  async function fetched(name) {
    const answer = await fetch("data/" + name);
    if (!answer.ok) throw new Error(await answer.text());
    return answer.arrayBuffer();
  }

  // blob returns a promise of numbers by name.
  function blob(name, fresh) {
    const was = cache.get(name);
    if (was && !fresh) {
      cache.delete(name);
      cache.set(name, was);
      return was.promise;
    }
    const entry = { bytes: 0 };
    entry.promise = (async () => {
      if (report && !embedded.has(name)) throw new Error(`${name} is not in this file`);
      const buffer = await (report ? unpack(embedded.get(name)) : fetched(name));
      entry.bytes = buffer.byteLength;
      cached += entry.bytes;
      for (const [k, v] of cache) {
        if (cached < 7e8) break;
        if (v === entry || !v.bytes) continue;
        cache.delete(k);
        cached -= v.bytes;
      }
      const Type = types[name] || types[name.split("/").at(-1)] || Float32Array;
      return new Type(buffer);
    })();
    entry.promise.catch(() => cache.delete(name));
    cache.set(name, entry);
    return entry.promise;
  }

  let meta, tag = "";
  async function readMeta() {
    const whole = m => {
      for (const k of m.model ? ["said", "groups", "symbols"] : []) m.model[k] ||= [];
      for (const k of ["bodies", "fields", "cracks", "surfaces", "columns", "lines", "plots", "deck", "notes", "times"]) m[k] ||= [];
      return m;
    };
    if (report) {
      meta = whole(JSON.parse($("meta").textContent));
      return true;
    }
    const answer = await fetch("meta.json", { headers: tag ? { "If-None-Match": tag } : {} });
    if (answer.status === 304) return false;
    if (!answer.ok) throw new Error(await answer.text());
    tag = answer.headers.get("ETag") || "";
    const next = whole(await answer.json());
    if (meta?.generation && next.generation && meta.generation !== next.generation) {
      if (next.model) history.replaceState(null, "", tools.address()); // seen from where it was
      location.reload();
    }
    meta = next;
    return true;
  }

  // --- state ---

  const state = { frame: 0, field: null, component: "", playing: false, pin: null, hover: null };
  let mesh = null, pictures = null; // pictures: what the last frame holds
  const drawing = painter(); // becomes mesh once there is something to draw
  let nodeID, elementID, firstDisc = 0, wanted = 0, shown = -1, stale = false, busy = false, dirty = true, troubled = false;
  const plots = [];
  let charts = null, profile = null, over = null, magnitudes = null;
  const unitTime = () => meta.pseudo ? [1, ""] : prefixed(meta.times.reduce((m, t) => Math.max(m, t), 0), "s");
  // instant writes the time of a frame, which is a pseudo-time in a static analysis.
  const instant = i => {
    const [factor, unit] = unitTime();
    return meta.pseudo ? `pseudo-time ${digits(meta.times[i], 5)}` : `${digits(meta.times[i] / factor, 5)} ${unit}`;
  };
  const has = (on, name) => meta.fields.some(f => f.on === on && f.name === name);
  const folder = f => f.on === "contact" ? "contact" : "frames";

  const crackColours = []; // 256 times red, green, blue
  function paint() {
    const rgba = text => {
      const h = text.replace("#", "");
      return [0, 2, 4, 6].map(i => i < h.length ? parseInt(h.substr(i, 2), 16) / 255 : 1);
    };
    return { stage: rgba(css("--stage")), neutral: rgba(css("--neutral")), edge: rgba(css("--edge")), outline: rgba(css("--outline")), crack: crackColours };
  }
  let colours = paint();

  // painter makes what draws: with WebGL 2, or without it.
  function painter() {
    try {
      return new Mesh($("canvas"));
    } catch (e) {
      const was = $("canvas"), fresh = was.cloneNode(true); // a canvas has one kind of drawing for good
      was.replaceWith(fresh);
      try {
        return new Flat(fresh);
      } catch (e) {
        say(e.message);
        return null;
      }
    }
  }

  // part takes the component of a field that is shown.
  function part(values, field, component) {
    const w = field.components?.length || 1;
    if (w === 1) return values;
    const n = values.length / w, out = new Float32Array(n), k = field.components.indexOf(component);
    if (field.derived?.includes(component)) for (let i = 0; i < n; i++) out[i] = derived(field, component, values, w * i);
    else if (k >= 0) for (let i = 0; i < n; i++) out[i] = values[w * i + k];
    else for (let i = 0; i < n; i++) out[i] = Math.hypot(values[w * i], values[w * i + 1]);
    return out;
  }

  // derived is a part that follows from the components at an index.
  function derived(field, component, v, i) {
    const [xx, yy, xy] = [v[i], v[i + 1], v[i + field.components.indexOf("xy")]], zz = field.components.includes("zz") ? v[i + 2] : 0, s = principal(xx, yy, xy);
    return { "first principal": s.first, "second principal": s.second, "largest shear": (s.first - s.second) / 2, mean: (xx + yy + zz) / 3, "change of area": xx + yy }[component];
  }

  // shades are positions on the colours of fragments: a fragment has that of its first triangle,
  // and so keeps its colour from frame to frame.
  function shades(number, names) {
    const first = new Map();
    if (names) return number.map(n => shade(n));
    return number.map((n, t) => {
      if (!first.has(n)) first.set(n, (0.6180339887498949 * t) % 1);
      return first.get(n);
    });
  }

  const shade = n => (0.07 + 0.6180339887498949 * n) % 1; // of the nth name
  const signed = () => state.component !== "largest shear" && ( state.field.signed || state.component !== "" && state.component !== "magnitude");

  // greatest is the value of the shown part of the field that is greatest over
  // the frames so far, by magnitude: { value, frame, at }.
  function greatest() {
    const f = state.field, most = f && meta.ranges?.[keyOf(f)]?.most || [];
    if (!f || f.pieces) return null;
    const k = f.components ? [...f.components, ...(f.derived || [])].indexOf(state.component) + (f.components.length === 2 ? 1 : 0) : 0;
    const ever = most[k]?.at >= 0 ? most[k] : null, here = greatestHere();
    return here && !(ever && Math.abs(here.value) <= 1.0005 * Math.abs(ever.value)) ? here : ever; // the server may still be reading
  }

  // greatestHere is that of the frame that is shown; null without values.
  function greatestHere() {
    const values = pictures?.field === state.field && pictures.component === state.component ? pictures.values : null;
    if (!values || state.field.pieces) return null;
    let at = -1;
    for (let i = 0, most = -1; i < values.length; i++) {
      const size = Math.abs(values[i]);
      if (size > most && size < Infinity) [most, at] = [size, i];
    }
    return at < 0 ? null : { value: values[at], frame: pictures.frame, at };
  }
  const keyOf = f => (f.on === "contact" ? "contact/" : "") + f.name;

  // scale sets the ends of the colours.
  function scale() {
    const f = state.field, key = keyOf(f);
    const run = meta.ranges?.[key] || { peak: 0, top: 0 };
    let top = Math.abs(greatest()?.value ?? run.peak), over = false;
    if ($("scale").value === "most" && run.top > 0 && run.top < top) {
      top = run.top;
      over = true;
    } else if ($("scale").value === "frame" && pictures?.values) {
      top = 0;
      for (const v of pictures.values) if (Math.abs(v) > top && Number.isFinite(v)) top = Math.abs(v);
      over = false;
    } else if ($("scale").value === "fixed" && state.top > 0) {
      top = state.top;
      over = Math.abs(greatest()?.value ?? run.peak) > top;
    }
    if (!(top > 0) || f.pieces) top = 1;
    $("top").disabled = $("scale").disabled = f.pieces === true;
    const [factor, unit] = prefixed(top, f.unit);
    state.factor = factor;
    if (document.activeElement !== $("top")) $("top").value = digits(top / factor, 4);
    $("topunit").textContent = unit;
    const low = signed() ? -top : run.low < top ? run.low : 0; // of temperatures
    if (mesh) { mesh.low = low; mesh.high = top; }
    const legend = $("legend"), kind = f.pieces ? 3 : signed() ? 1 : 0, map = meta.maps[kind];
    if (legend.dataset.map !== String(kind)) {
      legend.dataset.map = kind;
      if (mesh) {
        mesh.colours(map);
        mesh.hexes = map;
      }
      const stops = [];
      for (let i = 0; i < 256; i += 15) stops.push("#" + map.substr(6 * i, 6));
      legend.querySelector(".bar").style.background = `linear-gradient(to right, ${stops.join(",")})`;
    }
    const name = state.component && state.component !== "magnitude" ? `${f.label} ${state.component}` : f.label;
    legend.querySelector("b").textContent = unit ? `${name} (${unit})` : name;
    const ticks = [...legend.querySelector(".ticks").children]; // cracks have others
    ticks[0].textContent = (signed() && over ? "≤ " : "") + digits(low / factor, 3);
    ticks[1].textContent = digits((low + top) / 2 / factor, 3);
    ticks[2].textContent = (over ? "≥ " : "") + digits(top / factor, 3);
    if (f.pieces) ticks.forEach((t, i) => { t.textContent = i === 1 && !f.names ? `${new Set(pictures?.values).size} of them, a colour each` : ""; });
    named(f, map);
  }

  // named lists the names of a field that has such, each with its colour.
  function named(f, map) {
    const list = $("names");
    list.hidden = !f.names;
    $("legend").querySelector(".bar").hidden = !!f.names;
    if (!f.names) return;
    const there = new Set(pictures?.field === f ? pictures.values : []);
    list.replaceChildren(...f.names.map((name, n) => {
      const item = element("li", name), k = Math.round(255 * shade(n));
      item.style.setProperty("--mine", "#" + map.substr(6 * k, 6));
      return there.has(n) ? item : "";
    }).filter(Boolean));
  }

  // crackScale sets the colours of cracks: a share over 0 to 1, others over what they
  // reach in the last frame.
  async function chooseCracks() {
    const f = state.cracks = meta.cracks[$("cracks").value] || null, box = $("crackscale");
    box.hidden = !f;
    if (f) {
      const last = await blob(`cracks/${meta.times.length - 1}/${f.name}`), some = last.filter(v => Number.isFinite(v));
      const [low, high] = f.unit ? [some.reduce((m, v) => Math.min(m, v), 0), some.reduce((m, v) => Math.max(m, v), 0)] : [0, 1];
      const from = f.unit === "s" ? some.reduce((m, v) => Math.min(m, v), high) : low, [factor, unit] = prefixed(Math.max(Math.abs(low), high) || 1, f.unit);
      if (mesh) mesh.crackRange = [from, high > from ? high : from + 1e-30];
      const name = f.label.split(/[:;]/)[0];
      box.querySelector("b").textContent = unit ? `${name} (${unit})` : name;
      const ticks = box.querySelectorAll(".ticks span");
      ticks[0].textContent = f.name === "mode" ? "0, tension" : digits(from / factor, 3);
      ticks[1].textContent = f.name === "mode" ? "1, shear" : digits(high / factor, 3);
    }
    refresh();
  }
  $("cracks").addEventListener("change", chooseCracks);

  // most says what is greatest in this frame and over the run, and where.
  function most() {
    const f = state.field, inThis = "in this frame", here = greatestHere();
    const ever = greatest();
    write($("here"), here, "Maximum of this frame", "");
    write($("ever"), ever, meta.live || meta.scanned < meta.times.length ? "Maximum so far" : "Maximum of the run", ever && ever.frame !== shown && meta.times.length ? `at ${instant(ever.frame)}` : inThis);
    function write(button, m, title, when) {
      button.most = m;
      button.hidden = !m || m.at < 0 || !f;
      if (button.hidden) return;
      const peak = meta.ranges?.[keyOf(f)]?.peak || 0;
      const value = element("b", quantity(settled(m.value, peak), f.unit, 4));
      button.replaceChildren(element("span", title + (signed() ? " (by size)" : "")), value, element("span", [m.value === 0 ? "everywhere" : when === inThis ? "" : placeOf(f, m), when].filter(Boolean).join(" · ")));
      button.dataset.value = m.value;
      button.dataset.frame = m.frame;
      button.dataset.at = m.at;
    }
  }

  // placeOf says where a value is, and its position as shown where its frame is.
  function placeOf(f, m) {
    const at = spotOf(f, m.at);
    if (!at) return "";
    const of = t => `${elementID[t]} of ${meta.bodies[mesh.body[t]].name}`;
    let name = `contact node ${m.at}`, place = null;
    if (f.on === "cell") name = `element ${of(m.at)}`;
    else if (f.on === "node") name = isDisc(at.triangle) ? `particle ${nodeID[m.at]}` : `node ${nodeID[m.at]}${at.triangle >= 0 ? " of " + meta.bodies[mesh.body[at.triangle]].name : ""}`;
    if (m.frame === shown && m.value !== 0) place = truly(at);
    return name + (place ? ` at ${placed(place, 4)}` : "");
  }

  // placed writes a position in n digits, and more of them far from the origin.
  function placed(place, n) {
    const size = Math.max(...meta.size), [factor, unit] = prefixed(size, "m");
    const more = meta.centre.map(c => size > 0 && c !== 0 ? Math.max(0, Math.ceil(Math.log10(Math.abs(c) / size))) : 0);
    return `(${place.map((v, c) => digits((v + meta.centre[c]) / factor, n + more[c])).join(", ")}) ${unit}`;
  }

  // spotOf is what pick finds at the position of a value.
  function spotOf(f, at) {
    if (!mesh || at < 0) return null;
    if (f.on === "contact") return { triangle: -1, node: -1, contact: at };
    if (f.on === "cell") return { triangle: at, node: mesh.tri[3 * at], contact: -1, centre: true };
    return { triangle: Math.floor(mesh.tri.indexOf(at) / 3), node: at, contact: -1 };
  }

  // drawnAt is where a spot is drawn, truly where it is.
  const drawnAt = at => at.triangle < 0 && at.contact >= 0 ? mesh.atContact(at.contact) : at.centre ? mesh.middle(at.triangle) : mesh.at(at.node);
  function truly(at) {
    const { magnify: m, deform } = mesh;
    mesh.enlarge(1, false);
    const place = drawnAt(at);
    mesh.enlarge(m, deform);
    return place;
  }
  const isDisc = t => meta.particles > 0 && t >= firstDisc;

  for (const id of ["here", "ever"]) $(id).addEventListener("click", () => {
    const m = $(id).most, at = m && spotOf(state.field, m.at);
    if (!at) return;
    hold(at);
    if (m.frame !== shown) go(m.frame);
  });

  // --- frames ---

  // load fetches what frame i needs.
  async function load(i) {
    const f = state.field, out = { frame: i, field: f, component: state.component };
    const contact = i < meta.contact;
    const want = [has("node", "displacement") ? blob(`frames/${i}/displacement`) : null,
      f && (f.on !== "contact" || contact) ? blob(`${folder(f)}/${i}/${f.name}`) : null,
      f?.on === "contact" && contact ? blob(`contact/${i}/displacement`) : null,
      profile && contact ? blob(`contact/${i}/pressure`) : null,
      meta.springs ? blob(`springs/${i}/displacement`) : null,
      chasing() ? blob(`frames/${i}/fragment`) : null,
      ...["excavated", "installed"].map(n => has("cell", n) ? blob(`frames/${i}/${n}`) : null),
      marks.needs(i) ? blob(marks.needs(i)) : null, meta.charts ? blob(`charts/${i}/curves`) : null,
      ...(state.cracks ? [state.cracks.name, "damage"].map(n => blob(`cracks/${i}/${n}`)) : [])];
    const overOf = marks.what, [moved, values, contactMoved, pressure, springMoved, fragment, dug, there, over, charted, cracks, damage] = await Promise.all(want);
    return { ...out, moved, over, overOf, values: values && f ? part(values, f, out.component) : null, contactMoved, pressure, springMoved, fragment, dug, there, charted, cracks, damage };
  }

  async function show(i) {
    wanted = Math.max(0, Math.min(meta.times.length - 1, i));
    if (busy || !meta.times.length) return;
    busy = true;
    try {
      while (shown !== wanted || stale) {
        const k = wanted;
        stale = false;
        pictures = await load(k);
        apply(k);
        if (troubled) say("");
        troubled = false;
      }
    } catch (e) {
      shown = wanted;
      troubled = true;
      say(e.message);
    }
    busy = false;
  }

  function refresh() {
    stale = true;
    show(wanted);
  }

  function apply(k) {
    const first = shown < 0;
    shown = state.frame = k;
    const p = pictures, t = meta.times[k];
    if (mesh) {
      const dots = p.field?.on === "contact";
      p.drawn = p.field?.pieces && p.values ? shades(p.values, p.field.names) : p.values;
      if (p.dug || p.there) mesh.dig(p.dug, p.there);
      mesh.frame({ moved: p.moved, values: dots ? null : p.drawn, on: p.field?.on, contactMoved: p.contactMoved, contactValue: dots ? p.values : null, cracks: p.cracks, damage: p.damage, springMoved: p.springMoved });
    }
    if (!state.magnified && (first || meta.live && $("follow").checked)) see();
    chase(p.fragment);
    scale();
    most();
    $("time").value = k;
    label();
    if (state.playing) tellOthers();
    for (const plot of plots) plot.setMark(t);
    over?.setMark(t);
    tools.time?.setMark(t);
    tools.frame();
    if (profile) drawProfile(p.pressure);
    if (meta.charts) (charts ||= new Charts($("plots"))).update(p.charted);
    dirty = true;
    if (first && !state.viewed || mesh?.fitted && !mesh.inside(corner())) fit();
    probe();
    if (state.playing) for (let i = 1; i <= 5; i++) load((k + i) % meta.times.length).catch(() => {});
  }

  // chase moves the view as much as the fragment of the pin has moved since the last
  // frame; number is that of the fragment of each triangle.
  let chased = null; // the pin, and where its fragment was
  const chasing = () => $("chase").checked && state.pin?.triangle >= 0 && has("cell", "fragment");
  function chase(number) {
    if (!mesh || !number || !chasing()) {
      chased = null;
      return;
    }
    const mine = number[state.pin.triangle], at = [0, 0];
    let n = 0;
    for (let t = 0; t < number.length; t++) {
      if (number[t] !== mine) continue;
      const [x, y] = mesh.middle(t);
      [at[0], at[1], n] = [at[0] + x, at[1] + y, n + 1];
    }
    const now = { pin: state.pin, x: at[0] / n, y: at[1] / n };
    if (chased?.pin === state.pin) {
      mesh.view.x += now.x - chased.x;
      mesh.view.y += now.y - chased.y;
    }
    mesh.fitted = false;
    chased = now;
  }
  $("chase").addEventListener("change", refresh);

  function label() {
    $("now").textContent = `${instant(shown)} (${shown + 1} of ${meta.times.length})`;
    $("time").setAttribute("aria-valuetext", $("now").textContent);
  }

  let last = 0;
  function tick(now) {
    if (state.playing && !busy && shown === wanted && now - last >= 1000 / +$("speed").value - 4) {
      last = now;
      const end = shown + 1 >= meta.times.length;
      if (!(end && meta.live)) show(end ? 0 : shown + 1);
    }
    if (dirty && mesh) {
      dirty = false;
      mesh.draw(colours);
      marks.draw();
      placePin();
      tools.place();
    }
    requestAnimationFrame(tick);
  }

  function play(yes) {
    state.playing = yes && meta.times.length > 1;
    $("play").textContent = state.playing ? "❚❚" : "▶";
    $("play").setAttribute("aria-label", state.playing ? "Pause" : "Play");
    if (!state.playing) probe();
  }

  function go(i) {
    play(false);
    $("follow").checked = i >= meta.times.length - 1;
    show(i);
  }

  // --- probe ---

  // probe shows the values at the pin, or else under the pointer.
  let probing = 0;
  async function probe() {
    const at = state.pin || state.hover, list = $("values");
    $("release").hidden = !state.pin;
    $("chasing").hidden = !(state.pin?.triangle >= 0 && has("cell", "fragment"));
    if (!at || !mesh || !pictures || at.triangle < 0 && at.contact < 0) {
      const groups = at?.groups || [];
      list.replaceChildren(element("p", groups.length ? "Here: " + groups.join(", ") : "Point at the mesh to read values there, click to keep them in view."));
      list.dataset.frame = "";
      probing++;
      return;
    }
    const mine = ++probing, k = shown, t = at.triangle, n = at.node;
    const wantedFields = state.playing ? meta.fields.filter(f => f === state.field || f.name === "displacement") : meta.fields;
    let got;
    try {
      got = await Promise.all(wantedFields.map(async f => f.on === "contact" && (k >= meta.contact || at.contact < 0) ? null : [f, await blob(`${folder(f)}/${k}/${f.name}`)]));
    } catch (e) {
      return say(e.message);
    }
    if (mine !== probing) return;
    const rows = [];
    const add = (name, text, value, key) => {
      const d = element("div"), dd = element("dd", text);
      if (key) { dd.dataset.name = key; dd.dataset.value = value; }
      d.append(element("dt", name), dd);
      rows.push(d);
    };
    const values = (f, v, i) => {
      const w = f.components?.length || 1, part = Array.from(v.subarray(w * i, w * i + w)), peak = meta.ranges?.[keyOf(f)]?.peak || 0;
      if (f.pieces) return add(f.label, f.names?.[part[0]] ?? String(part[0]), part[0], f.name);
      if (w === 1) return add(f.label, quantity(settled(part[0], peak), f.unit), part[0], f.name);
      const [factor, unit] = prefixed(Math.max(...part.map(c => Math.abs(settled(c, peak)))), f.unit);
      add(f.label + (f.components.length > 2 ? " " + f.components.join(", ") : ""), `(${part.map(c => digits(settled(c, peak) / factor, 4)).join(", ")}) ${unit}`, part.join(" "), f.name);
    };
    if (at.groups?.length) add("groups here", at.groups.join(", "), at.groups.join(" "), "groups");
    if (t >= 0) {
      if (t < mesh.count) add("element", `${elementID[t]} of ${meta.bodies[mesh.body[t]].name}`, elementID[t], "element");
      else add("rigid body", meta.bodies[mesh.body[t]].name, mesh.body[t], "rigid");
      for (const [f, v] of got.filter(Boolean)) if (f.on === "cell" && t < mesh.count) values(f, v, t);
      add("node", String(nodeID[n]), nodeID[n], "node");
      add("reference position", placed([0, 1].map(c => mesh.points[2 * n + c]), 5));
      for (const [f, v] of got.filter(Boolean)) if (f.on === "node") values(f, v, n);
    }
    if (at.contact >= 0) {
      add("contact node", String(at.contact), at.contact, "contact");
      for (const [f, v] of got.filter(Boolean)) if (f.on === "contact") values(f, v, at.contact);
    }
    list.dataset.frame = k;
    list.replaceChildren(...rows);
  }

  function placePin() {
    const pin = $("pin"), at = state.pin;
    pin.hidden = !at;
    if (!at) return;
    const [px, py] = mesh.screen(...drawnAt(at));
    pin.style.transform = `translate(${px}px, ${py}px)`;
  }

  function hold(at) {
    state.pin = at;
    dirty = true;
    probe();
    if ($("chase").checked) refresh();
  }

  $("find").addEventListener("submit", e => {
    e.preventDefault();
    if (!mesh) return;
    const number = +$("number").value, node = $("what").value === "node";
    if (node) {
      const n = nodeID.indexOf(number), t = Math.floor(mesh.tri.indexOf(n) / 3);
      if ($("number").value.trim() !== "" && n >= 0 && t >= 0) return say(""), hold({ triangle: t, node: n, contact: -1 });
    } else {
      const t = elementID.indexOf(number);
      if ($("number").value.trim() !== "" && t >= 0) return say(""), hold({ triangle: t, node: mesh.tri[3 * t], contact: -1, centre: true });
    }
    say(`There is no ${node ? "node" : "element"} ${$("number").value}.`);
  });
  $("release").addEventListener("click", () => hold(null));

  // --- pointer and keys ---

  const pointers = new Map();
  let travelled = 0, pinched = false;
  const canvas = $("canvas");
  const spot = e => {
    const r = canvas.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
  };
  canvas.addEventListener("pointerdown", e => {
    canvas.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, spot(e));
    if (pointers.size === 1) { travelled = 0; pinched = false; } else pinched = true;
  });
  let due = null;
  canvas.addEventListener("pointermove", e => {
    if (!mesh) return;
    const [x, y] = spot(e), was = pointers.get(e.pointerId);
    if (was) {
      const before = [...pointers.values()];
      travelled += Math.hypot(x - was[0], y - was[1]);
      pointers.set(e.pointerId, [x, y]);
      const after = [...pointers.values()];
      if (after.length === 2) {
        const middle = p => [(p[0][0] + p[1][0]) / 2, (p[0][1] + p[1][1]) / 2], far = p => Math.hypot(p[0][0] - p[1][0], p[0][1] - p[1][1]);
        const [a, b] = [middle(before), middle(after)];
        mesh.pan(b[0] - a[0], b[1] - a[1]);
        mesh.zoom(far(after) / Math.max(1, far(before)), b[0], b[1]);
      } else if (after.length === 1 && !pinched && travelled > 4) {
        mesh.pan(x - was[0], y - was[1]);
      }
      dirty = true;
      return;
    }
    if (!due) requestAnimationFrame(() => {
      state.hover = { ...mesh.pick(...due), groups: before.under(...due) };
      due = null;
      if (!state.pin) probe();
    });
    due = [x, y];
  });
  const lift = e => {
    if (!pointers.delete(e.pointerId) || !mesh || e.type !== "pointerup" || pinched || travelled > 4) return;
    if (tools.takes(...spot(e))) return;
    const at = { ...mesh.pick(...spot(e)), groups: before.under(...spot(e)) };
    hold(at.triangle >= 0 || at.contact >= 0 ? at : null);
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointerleave", () => { state.hover = null; if (!state.pin) probe(); });
  canvas.addEventListener("wheel", e => {
    e.preventDefault();
    mesh?.zoom(Math.exp(-e.deltaY * (e.deltaMode === 1 ? 0.05 : 0.0015)), ...spot(e));
    dirty = true;
  }, { passive: false });

  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    if (e.target.tagName === "INPUT" && !["checkbox", "range"].includes(e.target.type)) return;
    const slider = e.target.type === "range", pressed = e.key === " " && /^(BUTTON|INPUT|SUMMARY)$/.test(e.target.tagName) && !slider;
    const pan = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[e.key];
    const does = {
      " ": () => play(!state.playing), ArrowLeft: () => go(state.frame - 1), ArrowRight: () => go(state.frame + 1),
      Home: () => go(0), End: () => go(meta.times.length - 1), "+": () => mesh?.zoom(1.25), "=": () => mesh?.zoom(1.25), "-": () => mesh?.zoom(0.8),
      f: fitNext, F: fitNext, e: () => $("edges").click(), E: () => $("edges").click(), Escape: () => tools.taking ? tools.begin() : hold(null),
      s: () => tools.begin(), S: () => tools.begin(), t: () => tools.overTime(), T: () => tools.overTime(), p: () => tools.picture(), P: () => tools.picture(),
      l: () => tools.link(), L: () => tools.link(), o: () => cycle("overlay"), O: () => cycle("overlay"), c: () => cycle("component"), C: () => cycle("component"), m: () => cycle("scale"), M: () => cycle("scale"), ...(tools.taking ? { Enter: () => tools.across() } : {}),
      "[": () => magnify((mesh?.magnify || 1) / 10 ** 0.1), "]": () => magnify((mesh?.magnify || 1) * 10 ** 0.1),
    }[e.key];
    if (pressed || slider && e.target.id !== "time" && /^(Arrow|Home|End)/.test(e.key)) return;
    if (pan && e.shiftKey) mesh?.pan(...pan);
    else if (does) does();
    else if (/^[1-9]$/.test(e.key) && meta.fields[e.key - 1]) {
      $("field").value = e.key - 1;
      chooseField();
    } else return;
    dirty = true;
    e.preventDefault();
  });

  // --- controls ---

  // cycle takes the next choice of a list.
  function cycle(id) {
    const s = $(id);
    if (s.options.length < 2) return;
    s.selectedIndex = (s.selectedIndex + 1) % s.options.length;
    s.dispatchEvent(new Event("change"));
  }

  function chooseField() {
    state.field = meta.fields[$("field").value] || null;
    if (!state.field) return;
    state.component = state.field.components ? state.field.components.length === 2 ? "magnitude" : state.field.components[0] : "";
    const c = $("component");
    c.replaceChildren(...(state.field.components ? [...(state.field.components.length === 2 ? ["magnitude"] : []), ...state.field.components, ...(state.field.derived || [])] : []).map(v => new Option(v, v)));
    $("part").hidden = !state.field.components;
    if ($("scale").value === "fixed") $("scale").value = "run";
    refresh();
  }
  // chooseOverlay draws something else over the bodies.
  function chooseOverlay() {
    marks.what = $("overlay").value;
    refresh();
    dirty = true;
  }
  $("overlay").addEventListener("change", chooseOverlay);
  function overlays() {
    const vectors = meta.fields.filter(f => f.on === "node" && f.components?.length === 2);
    return [["nothing", ""], ["contour lines", "contours"], ...(has("cell", "stress") ? [["principal stresses", "crosses"]] : []), ...(meta.thrust ? [["lines of thrust", "thrust"], ["forces of contact points, arrows", "points"]] : []), ...vectors.map(f => [`${f.label}, arrows`, f.name])];
  }
  $("field").addEventListener("change", chooseField);
  $("component").addEventListener("change", () => { state.component = $("component").value; refresh(); });
  $("scale").addEventListener("change", () => {
    if ($("scale").value === "fixed") state.top = mesh?.high ?? 1;
    scale();
    dirty = true;
  });
  // scaleTo takes a scale that an address says: one of the list, or the value at its end.
  function scaleTo(said) {
    if (+said > 0) state.top = +said;
    $("scale").value = +said > 0 ? "fixed" : said;
    scale();
    dirty = true;
  }
  $("top").addEventListener("change", () => {
    const v = +$("top").value * state.factor;
    if (v > 0) {
      state.top = v;
      $("scale").value = "fixed";
    }
    $("top").blur();
    scale();
    dirty = true;
  });
  // see magnifies what is to be seen: in a static analysis displacements, to some
  // hundredths of the model, or else what bodies are deformed, to some hundredths of
  // the body, while they travel as they do; by 1, 2 or 5 times a power of ten.
  function see() {
    if (!mesh) return;
    const round = m => {
      if (!(m >= 2)) return 1;
      const power = 10 ** Math.floor(Math.log10(m)), first = m / power;
      return Math.min(1e6, power * (first >= 5 ? 5 : first >= 2 ? 2 : 1));
    };
    const moved = mesh.furthest();
    if (meta.static || !moved) return magnifyTo(moved ? round(0.03 * Math.max(...meta.size) / moved) : 1, false);
    mesh.hold();
    const strained = mesh.deformed(firstDisc), m = strained > 1e-7 ? round(0.04 / strained) : 1; // positions have seven digits
    magnifyTo(m, m > 1);
  }
  function magnifyTo(m, deform = mesh?.deform) {
    mesh?.enlarge(m, deform);
    $("magnify").value = Math.log10(m);
    $("magnified").textContent = "×" + digits(m, 3);
    $("magnification").textContent = deform ? `deformation ×${digits(m, 3)}, motion ×1` : `displacements ×${digits(m, 3)}`;
    $("magnification").hidden = Math.abs(m - 1) < 1e-9;
    dirty = true;
  }
  function magnify(m) {
    state.magnified = true; // by whoever looks
    magnifyTo(Math.min(1e6, Math.max(1, m)));
    if (mesh?.fitted && !mesh.inside(corner())) fit();
  }
  $("magnify").addEventListener("input", () => magnify(10 ** +$("magnify").value));
  $("edges").addEventListener("change", () => { if (mesh) mesh.edges = $("edges").checked; dirty = true; });
  const corner = () => [$("legend").offsetWidth + 16, $("legend").offsetHeight + 16];
  function fit(whole = false) {
    mesh?.fit(corner(), whole === true);
    dirty = true;
  }
  // fitNext fits to what moves, and to everything where that is in view already.
  const fitNext = () => fit(!!mesh?.fitted && mesh.close);
  $("fit").addEventListener("click", fitNext);
  canvas.addEventListener("dblclick", fitNext);
  $("play").addEventListener("click", () => play(!state.playing));
  $("back").addEventListener("click", () => go(state.frame - 1));
  $("next").addEventListener("click", () => go(state.frame + 1));
  $("time").addEventListener("input", () => go(+$("time").value));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colours = paint();
    dirty = true;
    for (const p of [...plots, profile?.plot, magnitudes?.plot]) p?.build(); // legends keep the colours that they are made with
    over?.draw();
  });

  // --- sections, values over time, files ---

  const marks = new Marks({
    $, state, get meta() { return meta; }, get mesh() { return mesh; }, get pictures() { return pictures; },
    peak: name => meta.ranges?.[name]?.peak, top: name => meta.ranges?.[name]?.top, unit: name => meta.fields.find(f => f.name === name)?.unit,
  });
  const before = new Before({
    $, get meta() { return meta; }, get mesh() { return mesh; }, redraw: () => { dirty = true; }, look: box => { mesh.look(box); dirty = true; },
  }, marks);
  const tools = new Tools({
    $, state, part, blob, marks, chooseOverlay, scaleTo, say, hold, show, instant: i => instant(i), goTo: t => goTo(t), draw: () => { mesh.draw(colours); marks.draw(); },
    get meta() { return meta; }, get mesh() { return mesh; }, get pictures() { return pictures; }, get nodeID() { return nodeID; }, get elementID() { return elementID; },
  });

  // --- plots ---

  const nearest = t => meta.times.reduce((best, v, i) => Math.abs(v - t) < Math.abs(meta.times[best] - t) ? i : best, 0);
  const goTo = t => go(nearest(t));

  let drawnRows = "", drawnLines = "";
  async function drawHistory() {
    const rows = [meta.rows, ...(meta.others || []).map(o => o.rows)].join();
    if (!meta.columns.length || rows === drawnRows) return;
    drawnRows = rows;
    const all = await blob("history", true), n = all.length / meta.columns.length;
    const column = i => all.subarray(i * n, (i + 1) * n), time = column(meta.columns.indexOf("time"));
    if (mesh) meta.bodies.forEach((b, i) => { // those that never move are not what is looked at
      const at = ["vx", "vy", "omega"].map(c => meta.columns.indexOf(`${b.name}.${c}`));
      mesh.still[i] = at[0] >= 0 && at.every(c => c < 0 || column(c).every(v => v === 0)) ? 1 : 0;
    });
    const peak = a => a.reduce((m, v) => Number.isFinite(v) ? Math.max(m, Math.abs(v)) : m, 0);
    const list = groups(meta, i => peak(column(i))), until = peak(time), unit = meta.pseudo ? "" : "s", name = meta.pseudo ? "pseudo-time" : "time";
    const none = list.filter(g => g.none).map(g => g.title.toLowerCase());
    $("none").textContent = none.length ? `Zero throughout: ${none.join(", ")}.` : "";
    for (let i = list.length; i--;) if (list[i].none) list.splice(i, 1);
    const others = await Promise.all((meta.others || []).map(async (o, k) => {
      const all = await blob(`other/${k}/history`, !report), n = all.length / o.columns.length;
      return { name: o.name, columns: o.columns, of: name => o.columns.includes(name) ? all.subarray(o.columns.indexOf(name) * n, (o.columns.indexOf(name) + 1) * n) : null };
    }));
    const together = beside(time, others.map(o => o.of("time")));
    const linesOf = g => g.columns.flatMap((c, i) => [{ label: c.label, values: together.own(column(c.index)), colour: i }, ...others.map((o, k) => ({
      label: `${c.label}, ${o.name}`, values: together.other(k, o.of(meta.columns[c.index])), colour: i, dash: k + 1 }))].filter(l => l.values));
    // names of lines and units: what changes when a plot must be made anew
    const key = JSON.stringify([prefixed(until, unit), ...list.map(g => [g.columns, prefixed(Math.max(...g.columns.map(c => peak(column(c.index)))), g.unit)])]);
    if (key === drawnLines) {
      list.forEach((g, i) => plots[i].update(together.time, linesOf(g).map(l => l.values)));
      over?.update(column, time, others);
      return;
    }
    drawnLines = key;
    for (const p of plots.splice(0)) { p.u.destroy(); p.box.remove(); }
    for (const g of list) {
      const lines = linesOf(g);
      const p = new Plot($("plots"), {
        title: g.title, x: { label: name, unit, size: until, values: together.time, sync: "time" },
        y: { label: g.columns.length === 1 ? lines[0].label : g.axis || g.title, unit: g.unit, size: Math.max(...lines.map(l => peak(l.values))) }, lines, pick: goTo,
      });
      plots.push(p);
      p.setMark(meta.times[state.frame] ?? null);
    }
    placeProfile();
    drawOver(column, time, others);
  }

  // drawOver draws one column over another after the other plots: the last curve of the
  // deck over the one before, or what there is.
  function drawOver(column, time, others) {
    const columns = meta.columns.map((name, i) => ({ name, label: name.replaceAll("_", " "), unit: meta.lines[i].unit, curve: meta.lines[i].plot === "Curves of the deck" }));
    const curves = columns.map((c, i) => c.curve ? i : -1).filter(i => i >= 0), stress = meta.columns.indexOf("stress"), strain = meta.columns.lastIndexOf("strain");
    let y = curves.at(-1) ?? Math.max(1, meta.columns.indexOf("kinetic")), x = curves.at(-2) ?? meta.columns.indexOf("time");
    if (curves.includes(stress) && curves.includes(strain)) [x, y] = [strain, stress];
    if (over) [y, x] = over.axis.map(s => +s.value);
    over?.box.remove();
    over = new Over($("plots"), columns, x, y, goTo);
    if (curves.length) $("plots").prepend(over.box);
    over.update(column, time, others);
    over.setMark(meta.times[state.frame] ?? null);
  }

  // drawMagnitudes draws how many events have a magnitude, as those of fdem plot.
  function drawMagnitudes() {
    const d = meta.magnitudes;
    if (magnitudes && magnitudes.of === d?.m.join()) return;
    magnitudes?.plot.u.destroy();
    magnitudes?.plot.box.remove();
    magnitudes = null;
    if (!d) return;
    const lines = [["this magnitude or more", d.at_least], ["this magnitude", d.own]].map(([label, n]) => ({ label, values: n.map(v => Math.log10(v)), points: true }));
    if (d.law) {
      const { a, b, error, completeness } = d.law, above = d.m.filter(m => m >= completeness - 1e-9 && a - b * m >= 0);
      lines.push({ label: `b = ${b.toFixed(2)} ± ${error.toFixed(2)} from ${completeness.toFixed(1)} on`, values: d.m.map(m => above.includes(m) ? a - b * m : NaN) });
    }
    magnitudes = { of: d.m.join(), plot: new Plot($("plots"), {
      title: `Magnitudes of ${d.at_least[0]} events`, x: { label: "moment magnitude", unit: "", size: 1, values: d.m }, y: { label: "log₁₀ of number", unit: "", size: 1 }, lines,
    }) };
    magnitudes.plot.box.id = "magnitudes";
  }

  // placeProfile puts the contact pressure after the contact forces.
  function placeProfile() {
    const before = plots.find(p => p.y.unit === "N") || plots.at(-1);
    if (profile?.plot && before) before.box.after(profile.plot.box);
  }

  async function addProfile() {
    if (profile || !meta.surfaces.length || !has("contact", "pressure")) return;
    const choice = element("select"), whole = element("input"), label = element("label", "whole surface ");
    choice.setAttribute("aria-label", "Contact surface");
    choice.append(...meta.surfaces.map((s, i) => new Option(s.name, i)));
    whole.type = "checkbox";
    label.append(whole);
    const extra = element("span");
    extra.append(choice, " ", label);
    extra.style.display = "inline-flex";
    extra.style.gap = "10px";
    profile = { surface: 0, whole, range: { x: [0, 1], y: [0, 1] } };
    const [order, along] = await surface(0);
    Object.assign(profile, { order, along });
    profile.plot = new Plot($("plots"), {
      title: "Contact pressure along a surface", extra, x: { label: "distance along the surface", unit: "m", size: along.at(-1) || 1, values: along },
      y: { label: "pressure", unit: "Pa", size: meta.ranges?.["contact/pressure"]?.peak || 1 }, lines: [{ label: "pressure", values: new Float32Array(along.length) }], range: profile.range,
    });
    profile.plot.box.id = "profile";
    placeProfile();
    choice.addEventListener("change", async () => {
      profile.surface = +choice.value;
      const [order, along] = await surface(profile.surface);
      Object.assign(profile, { order, along, sized: 0 });
      refresh();
    });
    whole.addEventListener("change", refresh);
    refresh();
  }

  const surface = i => Promise.all([blob(`surface/${i}/order`), blob(`surface/${i}/along`)]);

  function drawProfile(pressure) {
    const { plot, order, along } = profile;
    if (!plot) return;
    const loaded = meta.surfaces[profile.surface]?.loaded, peak = meta.ranges?.["contact/pressure"]?.peak || 0;
    const end = along.at(-1) || 1;
    let [a, b] = profile.whole.checked || !loaded ? [0, end] : loaded;
    const margin = Math.max(0.06 * (b - a), 0.002 * end);
    profile.range.x = [Math.max(0, a - margin), Math.min(end, b + margin)];
    profile.range.y = [0, 1.05 * peak || 1];
    let i = 0, j = along.length; // only what is in view
    while (i < j - 1 && along[i + 1] < profile.range.x[0]) i++;
    while (j > i + 1 && along[j - 2] > profile.range.x[1]) j--;
    plot.x.values = along.subarray(i, j);
    plot.lines[0].values = Float32Array.from(order.subarray(i, j), k => pressure ? pressure[k] : 0);
    const size = profile.range.x[1], was = plot.factors.join();
    plot.x.size = size;
    plot.y.size = peak || 1;
    if ([prefixed(size, "m")[0], prefixed(peak || 1, "Pa")[0]].join() !== was) plot.build();
    else plot.u.setData(plot.data());
  }

  // --- the run ---

  const token = report ? "" : new URLSearchParams(location.search).get("token") || "";
  $("control").addEventListener("click", async e => {
    const what = e.target.dataset?.asks;
    if (!what || what === "stop" && !confirm("Stop the run? It writes a checkpoint, from which fdem resume continues.")) return;
    e.target.disabled = true;
    try {
      const answer = await fetch("control/" + what, { method: "POST", headers: { "X-Fdem-Token": token } });
      if (!answer.ok) throw new Error(await answer.text());
    } catch (error) {
      say(error.message);
    }
    setTimeout(() => { e.target.disabled = false; }, 700);
  });

  // --- all together ---

  const counts = () => [[meta.triangles, "triangles"], [meta.beams, "beam elements"], [meta.particles, "particles"]].filter(([n]) => n).map(([n, of]) => `${n.toLocaleString("en")} ${of}`).join(" · ");

  function header() {
    $("title").textContent = document.title = meta.title;
    const n = meta.times.length;
    const status = { done: "done", running: meta.paused ? "paused" : "running", failed: "failed", interrupted: "stopped early" }[meta.status] || meta.status;
    before.show(meta.model);
    if (meta.model) say(meta.model.error);
    $("status").textContent = meta.model ? ["before the run", counts()].filter(Boolean).join(" · ") : [status, n ? `${n} frames to ${instant(n - 1)}` : "waiting for the first frame",
counts(), meta.version || "", mesh instanceof Flat ? "without WebGL 2, slower" : ""].filter(Boolean).join(" · ");
    $("notes").hidden = !meta.notes.length;
    $("notes").replaceChildren(...meta.notes.map(t => element("li", t + " ")));
    $("time").max = Math.max(0, n - 1);
    $("following").hidden = !meta.live;
    $("control").hidden = !token || !meta.live;
    const pause = $("control").firstElementChild;
    pause.textContent = meta.paused ? "Continue run" : "Pause run";
    pause.dataset.asks = meta.paused ? "continue" : "pause";
  }

  let ready = false;
  async function setUp() {
    if (ready || !meta.times.length || !meta.nodes) return;
    ready = true;
    $("overlay").replaceChildren(...overlays().map(([label, value]) => new Option(label, value)));
    $("field").replaceChildren(...meta.fields.map((f, i) => new Option(f.label, i)));
    const [points, triangles, body, outline, nodes, elements, contact, cracks, springs] = await Promise.all(
      ["points", "triangles", "body", "outline", "node_id", "element_id", meta.surfaces.length ? "contact" : "", meta.cracks.length ? "cracks" : "", meta.springs ? "springs" : ""].map(n => n ? blob(n) : null));
    nodeID = nodes;
    elementID = elements;
    firstDisc = triangles.length / 3 - 16 * meta.particles;
    mesh = drawing;
    if (mesh) {
      mesh.load({ points, triangles, body, outline, cracks, springs, contact, bodies: meta.bodies.length, discs: firstDisc });
      const map = meta.maps[2];
      for (let i = 0; i < 256; i++) crackColours.push([0, 2, 4].map(k => parseInt(map.substr(6 * i + k, 2), 16) / 255));
      if (mesh.crackMap) mesh.colours(map, mesh.crackMap);
      mesh.resize();
      fit();
      new ResizeObserver(() => { mesh.resize(); if (mesh.fitted) fit(); mesh.draw(colours); marks.draw(); placePin(); }).observe($("stage"));
    }
    const boxes = meta.bodies.map((b, i) => {
      const label = element("label"), input = element("input");
      input.type = "checkbox";
      input.checked = true;
      input.addEventListener("change", () => { mesh?.show(i, input.checked); dirty = true; });
      label.append(input, b.name);
      return label;
    });
    $("bodies").replaceChildren(...boxes);
    if (boxes.length > 4) for (const yes of [true, false]) {
      const b = element("button", yes ? "All" : "None");
      b.type = "button";
      b.addEventListener("click", () => boxes.forEach((l, i) => { l.firstChild.checked = yes; mesh?.show(i, yes); dirty = true; }));
      $("bodies").append(b);
    }
    $("cracks").replaceChildren(...meta.cracks.map((f, i) => new Option(f.label.split(/[,:;]/)[0], i)), new Option("not shown", ""));
    $("crackpart").hidden = !meta.cracks.length;
    const map = meta.maps[2], stops = [];
    for (let i = 0; i < 256; i += 15) stops.push("#" + map.substr(6 * i, 6));
    $("crackscale").querySelector(".bar").style.background = `linear-gradient(to right, ${stops.join(",")})`;
    if (!meta.live) wanted = meta.start || 0;
    if (meta.cracks.length) await chooseCracks();
    chooseField();
  }

  let growing = false; // the run went on when last asked
  async function update() {
    header();
    tables($("tables"), meta.summary, meta.deck, meta.units || {});
    await setUp();
    header();
    await drawHistory();
    drawMagnitudes();
    await addProfile();
    if ((meta.live || growing) && $("follow").checked && !state.playing && ready) show(meta.times.length - 1);
    if (ready && shown >= 0) {
      scale();
      most();
      label();
      dirty = true;
    }
    growing = meta.live;
  }

  // wish goes where the address says, with frames counted from 1 as beside the time: #frame=29&magnify=60&colour=plastic_strain
  function wish() {
    const said = new URLSearchParams(location.hash.slice(1));
    const set = (id, v) => {
      if (!Number.isFinite(v) || !ready) return;
      $(id).value = v;
      $(id).dispatchEvent(new Event("input"));
    };
    const field = meta.fields.findIndex((f) => f.name === said.get("colour"));
    if (field >= 0) {
      $("field").value = field;
      chooseField();
    }
    if (said.has("frame")) set("time", Math.max(1, +said.get("frame")) - 1);
    if (+said.get("magnify") > 0) {
      mesh?.enlarge(1, false);
      magnify(+said.get("magnify"));
    }
    tools.wish(said);
    dirty = true;
  }

  addEventListener("hashchange", wish);

  // Side by side with other runs, what one shows the others show.
  const framed = window.parent !== window;
  const tellOthers = () => { if (framed && shown >= 0) parent.postMessage({ fdem: { time: meta.times[wanted], colour: state.field?.name, part: state.component, magnify: mesh?.magnify, scale: $("scale").value === "fixed" ? state.top : $("scale").value } }, report ? "*" : location.origin); };
  if (framed) for (const kind of ["input", "change", "click", "keydown"]) document.addEventListener(kind, () => setTimeout(tellOthers));
  addEventListener("message", e => {
    const m = e.source === parent && framed && e.data?.fdem;
    if (!m || !ready) return;
    const field = meta.fields.findIndex(f => f.name === m.colour);
    if (field >= 0 && state.field?.name !== m.colour) {
      $("field").value = field;
      chooseField();
    }
    if (m.part && state.field?.components && state.component !== m.part) {
      $("component").value = state.component = m.part;
      refresh();
    }
    if (m.scale && m.scale !== ($("scale").value === "fixed" ? state.top : $("scale").value)) scaleTo(m.scale);
    if (m.magnify > 0 && m.magnify !== mesh?.magnify) magnify(m.magnify);
    play(false);
    show(nearest(m.time));
  });
  if (framed) document.body.classList.add("framed");

  window.fdem = { state, tools, marks, get pictures() { return pictures; }, get profile() { return profile; }, plots, get mesh() { return mesh; }, get shown() { return busy ? -1 : shown; } }; // for tests
  try {
    await readMeta();
    await update();
    wish();
  } catch (e) {
    say(e.message);
  }
  requestAnimationFrame(tick);
  let lost = 0;
  const poll = async () => {
    try {
      if (await readMeta()) await update();
      if (lost) say("");
      lost = 0;
    } catch (e) {
      if (++lost > 1) say(e instanceof TypeError ? "fdem view has ended: the page shows what it has." : e.message);
    }
    setTimeout(poll, lost > 3 ? 5000 : meta?.live === false ? 3000 : 1000);
  };
  if (!report) setTimeout(poll, 1000);
})();
