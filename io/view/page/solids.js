"use strict";
// Rigid bodies are outlines without triangles: a closed one that goes round anticlockwise is filled by
// triangles between its corners. A hollow goes the other way round, a line is open.

// ears cuts a simple polygon of nodes into triangles (Meisters' ear clipping), [a, b, c, ...].
function ears(points, loop) {
  const left = loop.slice(), out = [], X = i => points[2 * i], Y = i => points[2 * i + 1];
  const turn = (a, b, c) => (X(b) - X(a)) * (Y(c) - Y(a)) - (Y(b) - Y(a)) * (X(c) - X(a));
  while (left.length > 3) {
    const n = left.length;
    let ear = -1;
    for (let i = 0; i < n && ear < 0; i++) {
      const [a, b, c] = [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
      if (turn(a, b, c) > 0 && !left.some(p => p !== a && p !== b && p !== c && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0)) ear = i;
    }
    if (ear < 0) ear = left.findIndex((b, i) => turn(left[(i + n - 1) % n], b, left[(i + 1) % n]) === 0); // a corner on a straight side
    if (ear < 0) return []; // it crosses itself
    out.push(left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]);
    left.splice(ear, 1);
  }
  return left.length === 3 ? [...out, ...left] : out;
}

// solids returns the triangles of rigid bodies, and the body of each; meshed tells which bodies have
// triangles already. outline has two nodes and the body of each side.
function solids(points, outline, meshed) {
  const next = new Map(), tri = [], body = [];
  for (let i = 0; i < outline.length; i += 3) if (!meshed[outline[i + 2]]) next.set(outline[i], [outline[i + 1], outline[i + 2]]);
  for (const first of [...next.keys()]) {
    const loop = [];
    let at = first, of = -1, area = 0;
    while (next.has(at)) {
      const [to, b] = next.get(at);
      next.delete(at);
      loop.push(at);
      area += points[2 * at] * points[2 * to + 1] - points[2 * to] * points[2 * at + 1];
      [at, of] = [to, b];
    }
    if (at !== first || area <= 0 || loop.length > 2000) continue;
    const cut = ears(points, loop);
    tri.push(...cut);
    for (let k = 0; k < cut.length / 3; k++) body.push(of);
  }
  return { tri, body };
}
