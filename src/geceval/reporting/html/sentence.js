// Rendering of a sentence. Text of corpora is only set as text, never as HTML.

/** An element with attributes and children; null values are omitted. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function hidden(text) {
  return make("span", { class: "hidden-text" }, text);
}

/** The text of the tooltip of each edit, by element. */
const tips = new WeakMap();

function editMark(edit, judge) {
  const what = edit.outcome || "edit";
  const mark = make(
    "mark",
    { class: `edit ${edit.outcome}`, tabindex: "0" },
    edit.outcome ? make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[edit.outcome]) : null,
    hidden(`${what}${edit.type ? `, ${edit.type}` : ""}: `),
    edit.from ? make("del", {}, edit.from) : null,
    edit.from && edit.to ? " " : null,
    edit.to ? make("ins", {}, edit.to) : null,
  );
  tips.set(mark, tipOf(edit, judge));
  editsShown.set(mark, edit);
  return mark;
}

function tipOf(edit, judge) {
  const change = edit.from ? (edit.to ? `${edit.from} → ${edit.to}` : `${edit.from} deleted`) : `${edit.to} inserted`;
  const outcome = edit.outcome && judge ? `${SIGNS[edit.outcome]} ${edit.outcome} (${judge})` : edit.outcome;
  return [edit.type || "no type", outcome, change].filter(Boolean).join(" · ");
}

/** The source tokens from `from` up to `to`, with edits and missed edits inline. */
function inline(tokens, edits, missed, judge, from = 0, to = tokens.length) {
  const marks = [...edits, ...missed].sort((a, b) => a.start - b.start || a.end - b.end);
  const pieces = [];
  let done = from;
  for (const mark of marks) {
    if (mark.start > done) pieces.push(tokens.slice(done, mark.start).join(" "));
    pieces.push(editMark(mark, judge));
    done = Math.max(done, mark.end);
  }
  if (done < to) pieces.push(tokens.slice(done, to).join(" "));
  return pieces.flatMap((piece, at) => (at ? [" ", piece] : [piece]));
}

/** The spans [from, to, changed) of the source, in order, and whether a version changes them. */
function stretches(length, versions) {
  const spans = versions.flatMap((edits) => edits.map(({ start, end }) => [start, end]));
  spans.sort(([a, x], [b, y]) => a - b || x - y);
  const merged = [];
  for (const [start, end] of spans) {
    const last = merged.at(-1);
    if (last && (start < last[1] || start === last[0])) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  const all = [];
  let done = 0;
  for (const [start, end] of merged) {
    if (start > done) all.push([done, start, false]);
    all.push([start, end, true]);
    done = end;
  }
  if (done < length) all.push([done, length, false]);
  return all;
}

/** Whether an edit is in a changed span; an insertion between two spans belongs to the second. */
function within(edit, [from, to, changed]) {
  if (!changed) return false;
  return from === to ? edit.start === from && edit.end === to : from <= edit.start && edit.end <= to && edit.start < to;
}

function shownScore(metric, score) {
  if (score === null) return "–";
  return (metric.percent ? 100 * score : score).toFixed(2).replace("-", "−");
}

class Card {
  constructor(data, state, sentence) {
    Object.assign(this, { data, state, sentence });
  }

  element() {
    const { number, label, tokens } = this.sentence;
    const heading = make("h3", { id: `head-${number}` }, make("a", { href: this.address() }, hidden("Sentence "), `#${number}`));
    const facts = [label === null ? null : `group ${label}`, `${tokens.length} tokens`];
    const article = make(
      "article",
      { class: `sentence${this.state.sentence === number ? " target" : ""}`, id: `s-${number}`, tabindex: "-1", "aria-labelledby": `head-${number}` },
      make("header", {}, heading, ...facts.filter(Boolean).map((fact) => make("span", { class: "muted" }, fact))),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Sentence ${number} and its corrections` }, this.table()),
    );
    return make("li", {}, article);
  }

  address() {
    return hashOf({ ...this.state, sentence: this.sentence.number }, this.data);
  }

  /** Source, references and systems in rows, with scores; in the aligned view, in columns of changed and unchanged spans. */
  table() {
    const { sentence, data, state } = this;
    this.columns = state.aligned ? this.spans() : null;
    const metrics = data.metrics.map((metric, at) => make("th", { scope: "col", class: this.scoreClass(at) }, metric.label));
    const text = make("th", { scope: "col", colspan: this.columns?.length || 1 }, hidden("text"));
    const head = make("tr", {}, make("td"), ...this.ordered([text], [...metrics, make("td")]));
    const rows = [
      this.line([make("span", {}, "source")], "is-source", [], [], data.guard < 0 ? null : this.scores(data.guard)),
      ...sentence.references.map((reference) => this.referenceLine(reference)),
      ...this.distinct().map((systems) => this.systemLine(systems)),
    ];
    const kind = state.aligned ? "aligned rows" : "rows";
    return make("table", { class: kind }, make("thead", {}, head), make("tbody", {}, ...rows));
  }

  /** The cells of a row: text first, or in the aligned view scores first. */
  ordered(cells, scores) {
    return this.columns ? [...scores, ...cells] : [...cells, ...scores];
  }

  spans() {
    const versions = [...this.sentence.references.map(({ edits }) => edits || []), ...this.state.systems.map((system) => this.sentence.outputs[system].edits)];
    return stretches(this.sentence.tokens.length, versions);
  }

  /** The shown systems, those with the same output together. */
  distinct() {
    const found = new Map();
    for (const system of this.state.systems) {
      const first = this.data.first(this.sentence.place, system);
      found.set(first, [...(found.get(first) ?? []), system]);
    }
    return [...found.values()];
  }

  scoreClass(at) {
    return `num${at === this.state.metric ? " sorted" : ""}`;
  }

  scores(system) {
    const { metrics } = this.data;
    return this.sentence.outputs[system].scores.map((score, at) => make("td", { class: this.scoreClass(at) }, shownScore(metrics[at], score)));
  }

  referenceLine(reference) {
    const name = [make("span", {}, `reference ${reference.name}`)];
    if (reference.edits) return this.line(name, "is-reference", reference.edits, []);
    return this.row(name, "is-reference", [make("td", { class: "text", dir: "auto", colspan: this.columns?.length }, reference.text)]);
  }

  systemLine(systems) {
    const { data, sentence } = this;
    const [system] = systems;
    const output = sentence.outputs[system];
    const names = systems.map((at) => make("span", { class: "who" }, make("span", { class: `dot ${data.colours[at]}`, "aria-hidden": "true" }), data.systems[at]));
    const notes = [output.edits.length ? "" : "unchanged", output.isFalseAlarm ? "false alarm" : ""].filter(Boolean);
    const why = make("button", { type: "button", class: "why", "aria-expanded": "false", "data-place": sentence.place, "data-system": system }, "why", hidden(` does ${data.systems[system]} score so`));
    const missed = this.columns ? [] : output.missed;
    return this.line(names, "is-system", output.edits, missed, this.scores(system), make("td", { class: "do" }, why), notes);
  }

  /** A row of the source with edits: in one cell, or in a cell for each column. */
  line(names, kind, edits, missed, scores = null, action = null, notes = []) {
    const { sentence, data, columns } = this;
    const said = notes.flatMap((note) => [" ", make("small", { class: "muted" }, `(${note})`)]);
    if (columns) return this.row(names, kind, columns.map((column) => this.cell(edits, column)), scores, action, said);
    const text = make("td", { class: "text", dir: "auto" }, ...inline(sentence.tokens, edits, missed, data.judge), ...said);
    return this.row(names, kind, [text], scores, action);
  }

  row(names, kind, cells, scores = null, action = null, notes = []) {
    const empty = () => this.data.metrics.map((_, at) => make("td", { class: this.scoreClass(at) }));
    const title = names.map((name) => name.textContent).join(", ");
    const head = make("th", { scope: "row", title }, ...names.flatMap((name, at) => (at ? [" ", name] : [name])), ...notes);
    return make("tr", { class: kind }, head, ...this.ordered(cells, [...(scores ?? empty()), action ?? make("td", { class: "do" })]));
  }

  cell(edits, column) {
    const [from, to] = column;
    const own = edits.filter((edit) => within(edit, column));
    return make("td", { class: to - from > 6 ? "long" : null, dir: "auto" }, ...inline(this.sentence.tokens, own, [], this.data.judge, from, to));
  }
}

// The evidence of a score: its references in words, and edits or n-grams of each metric.

const ORDERS_OF_NGRAMS = ["", "s", " pairs", " triples"];

/** The row below the line of a system; reporting/explorer.py documents the layout of the evidence. */
function evidenceRow(data, evidence, sentence, system, columns) {
  const found = evidence.of(sentence, system);
  const blocks = data.metrics.map((metric, at) => metricEvidence(data, metric, sentence, system, sentence.outputs[system].scores[at], found[at]));
  const grid = make("div", { class: "metric-evidence" }, ...blocks);
  return make("tr", { class: "evidence" }, make("td", { colspan: columns }, grid));
}

function metricEvidence(data, metric, sentence, system, score, found) {
  const block = make("div", {}, make("h4", {}, `${metric.label} ${shownScore(metric, score)}`), againstLine(metric, found));
  const said = [...inWords(metric, found.counts)];
  block.append(make("ul", { class: "in-words" }, ...said.map((line) => make("li", {}, line))));
  const words = metric.unit === "edit" ? [] : wordsOf(sentence, system, metric.unit);
  found.pieces.forEach((listed, at) => {
    if (!listed.length) return;
    const items = listed.flatMap((piece, k) => [k ? " " : "", make("code", {}, shownPiece(data, metric, sentence, words, piece))]);
    block.append(make("p", { class: "ngrams" }, make("strong", {}, `${SIGNS[OUTCOMES[at]]} ${OUTCOMES[at]}`), " ", ...items));
  });
  const counts = metric.columns.map((column, at) => `${column} ${Number((found.counts[at] ?? 0).toFixed(3))}`);
  const note = metric.unit === "edit" ? "" : "Listed are the shortest n-grams that source and output do not share. ";
  block.append(make("details", {}, make("summary", {}, "Counts by column"), make("p", { class: "note" }, `${note}${counts.join(", ")}`)));
  return block;
}

/** The references that the output is compared with. */
function againstLine(metric, { names, scores, chosen }) {
  if (!names.some(Boolean)) return make("p", { class: "note" }, "Compared with no reference.");
  const shown = names.map((name, at) => `${name} (${shownScore(metric, scores[at])})`);
  if (names.length === 1) return make("p", { class: "note" }, `Compared with reference ${names[0]}.`);
  const how = metric.averages ? "mean over the references" : `the best reference is ${names[chosen]}; all`;
  return make("p", { class: "note" }, `${how[0].toUpperCase()}${how.slice(1)}: ${shown.join(", ")}.`);
}

/** The counts in words, one line for the edits, or for each order of n-grams. */
function* inWords(metric, counts) {
  const hasMissed = metric.outcomes.includes(OUTCOMES.indexOf("missed"));
  for (const order of [...new Set(metric.orders)].sort((a, b) => a - b)) {
    const [correct, wrong, missed] = ["correct", "wrong", "missed"].map((outcome) => countOf(metric, counts, order, OUTCOMES.indexOf(outcome)));
    const columns = metric.outcomes.filter((outcome, at) => metric.orders[at] === order && OUTCOMES[outcome]);
    if (!columns.length) continue;
    // The columns of proposed and gold edits repeat the correct ones.
    const repeated = metric.again ? correct : 0;
    const all = hasMissed ? ` of ${rounded(correct + missed - repeated)}` : "";
    yield `${rounded(correct)}${all} ${unitOf(metric, order)} right, ${rounded(wrong - repeated)} wrong`;
  }
}

function countOf(metric, counts, order, outcome) {
  return metric.columns.reduce((sum, _, at) => sum + (metric.orders[at] === order && metric.outcomes[at] === outcome ? (counts[at] ?? 0) : 0), 0);
}

function rounded(number) {
  return String(Number(number.toFixed(2)));
}

function unitOf(metric, order) {
  if (order === 0) return "edits";
  const ending = ORDERS_OF_NGRAMS[order];
  return order < ORDERS_OF_NGRAMS.length ? `${metric.unit}${ending}` : `${order}-${metric.unit} sequences`;
}

/** The words or characters to which the positions of n-grams refer. */
function wordsOf(sentence, system, unit) {
  const texts = [sentence.source, sentence.outputs[system].text, ...sentence.references.map(({ text }) => text)];
  return texts.flatMap((text) => (unit === "character" ? [...text] : text.split(" ").filter(Boolean)));
}

function shownPiece(data, metric, sentence, words, [piece, weight]) {
  let text;
  if (piece.startsWith("$")) text = data.strings[Number.parseInt(piece.slice(1), 36)];
  else if (metric.unit === "edit") text = editText(sentence.edits[Number.parseInt(piece, 36)]);
  else {
    const place = Number.parseInt(piece, 36);
    text = words.slice(place >> 1, (place >> 1) + (place & 1) + 1).join(" ");
  }
  return weight === undefined ? text : `${text} × ${Number(weight)}`;
}

/** An edit with its place: 3:4 → the (R:DET). */
function editText({ start, end, to, type }) {
  return `${start}:${end} → ${to || "∅"}${type ? ` (${type})` : ""}`;
}
