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

/** The spans [from, to) of the source, in order: spans that a version changes, and unchanged ones. */
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
    if (start > done) all.push([done, start]);
    all.push([start, end]);
    done = end;
  }
  if (done < length) all.push([done, length]);
  return all;
}

/** Whether an edit is in a span; an insertion between two spans belongs to the second. */
function within(edit, [from, to]) {
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

  table() {
    return this.state.aligned ? this.aligned() : this.lines();
  }

  /** Source, references and systems in rows, with scores. */
  lines() {
    const { sentence, data } = this;
    const metrics = data.metrics.map((metric, at) =>
      make("th", { scope: "col", class: this.scoreClass(at) }, metric.label),
    );
    const head = make("tr", {}, make("td"), make("th", { scope: "col" }, hidden("text")), ...metrics, make("td"));
    const source = this.line("source", "is-source", [sentence.source]);
    const references = sentence.references.map((reference) =>
      this.line(`reference ${reference.name}`, "is-reference", this.referenceText(reference)),
    );
    const systems = this.state.systems.map((system) => this.systemLine(system));
    const body = make("tbody", {}, source, ...references, ...systems);
    return make("table", { class: "rows" }, make("thead", {}, head), body);
  }

  scoreClass(at) {
    return `num${at === this.state.metric ? " sorted" : ""}`;
  }

  referenceText(reference) {
    return reference.edits ? inline(this.sentence.tokens, reference.edits, [], this.data.judge) : [reference.text];
  }

  line(name, kind, text, cells = null) {
    const empty = [...this.data.metrics.map((_, at) => make("td", { class: this.scoreClass(at) })), make("td", { class: "do" })];
    return make("tr", { class: kind }, make("th", { scope: "row", title: name }, name), make("td", { class: "text", dir: "auto" }, ...text), ...(cells ?? empty));
  }

  systemLine(system) {
    const { data, sentence } = this;
    const output = sentence.outputs[system];
    const text = inline(sentence.tokens, output.edits, output.missed, data.judge);
    if (!output.edits.length) text.push(" ", make("small", { class: "muted" }, "(unchanged)"));
    if (output.isFalseAlarm) text.push(" ", make("small", { class: "muted" }, "(false alarm)"));
    const scores = output.scores.map((score, metric) =>
      make("td", { class: this.scoreClass(metric) }, shownScore(data.metrics[metric], score)),
    );
    const why = make("button", { type: "button", class: "why", "aria-expanded": "false", "data-place": sentence.place, "data-system": system }, "why", hidden(` does ${data.systems[system]} score so`));
    return this.line(data.systems[system], "is-system", text, [...scores, make("td", { class: "do" }, why)]);
  }

  /** The same versions in columns of changed and unchanged spans. */
  aligned() {
    const { sentence, data } = this;
    const references = sentence.references.filter((reference) => reference.edits);
    const systems = this.state.systems.map((system) => ({ name: data.systems[system], ...sentence.outputs[system] }));
    const columns = stretches(sentence.tokens.length, [...references, ...systems].map(({ edits }) => edits));
    const row = (name, kind, edits) =>
      make("tr", { class: kind }, make("th", { scope: "row", title: name }, name), ...columns.map((column) => this.cell(edits, column)));
    const rows = [
      row("source", "is-source", []),
      ...references.map(({ name, edits }) => row(`reference ${name}`, "is-reference", edits)),
      ...systems.map(({ name, edits }) => row(name, "is-system", edits)),
    ];
    return make("table", { class: "aligned rows" }, make("tbody", {}, ...rows));
  }

  cell(edits, [from, to]) {
    const own = edits.filter((edit) => within(edit, [from, to]));
    return make("td", { class: to - from > 6 ? "long" : null, dir: "auto" }, ...inline(this.sentence.tokens, own, [], this.data.judge, from, to));
  }
}
