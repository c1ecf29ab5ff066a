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
    edit.from && edit.text ? " " : null,
    edit.text ? make("ins", {}, edit.text) : null,
  );
  tips.set(mark, tipOf(edit, judge));
  return mark;
}

function tipOf(edit, judge) {
  const change = edit.from ? (edit.text ? `${edit.from} → ${edit.text}` : `${edit.from} deleted`) : `${edit.text} inserted`;
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
    const { number, group, tokens } = this.sentence;
    const heading = make("h3", { id: `head-${number}` }, make("a", { href: this.address() }, hidden("Sentence "), `#${number}`));
    const facts = [group === null ? null : `group ${group}`, `${tokens.length} tokens`];
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
    this.columns = state.view === "aligned" ? this.spans() : null;
    const metrics = data.metrics.map((metric, at) => make("th", { scope: "col", class: this.scoreClass(at) }, metric.label));
    const text = make("th", { scope: "col", colspan: this.columns?.length || 1 }, hidden("text"));
    const head = make("tr", {}, make("td"), ...this.ordered([text], [...metrics, make("td")]));
    const rows = [
      this.line([make("span", {}, "source")], "is-source", [], [], data.guard === null ? null : this.scores(data.guard)),
      ...sentence.references.map((reference) => this.referenceLine(reference)),
      ...this.distinct().map((systems) => this.systemLine(systems)),
    ];
    const kind = this.columns ? "aligned rows" : "rows";
    return make("table", { class: kind }, make("thead", {}, head), make("tbody", {}, ...rows));
  }

  /** The cells of a row: text first, or in the aligned view scores first. */
  ordered(cells, scores) {
    return this.columns ? [...scores, ...cells] : [...cells, ...scores];
  }

  spans() {
    const versions = [...this.sentence.references.map(({ edits }) => edits || []), ...this.state.systems.map((system) => this.sentence.bySystem[system].edits)];
    return stretches(this.sentence.tokens.length, versions);
  }

  /** The shown systems, those with the same output together. */
  distinct() {
    return [...Map.groupBy(this.state.systems, (system) => this.sentence.bySystem[system]).values()];
  }

  scoreClass(at) {
    return `num${at === this.state.metric ? " sorted" : ""}`;
  }

  scores(system) {
    const { metrics } = this.data;
    return this.sentence.bySystem[system].scores.map((score, at) => make("td", { class: this.scoreClass(at) }, shownScore(metrics[at], score)));
  }

  referenceLine(reference) {
    const name = [make("span", {}, `reference ${reference.name}`)];
    if (reference.edits) return this.line(name, "is-reference", reference.edits, []);
    return this.row(name, "is-reference", [make("td", { class: "text", dir: "auto", colspan: this.columns?.length }, reference.text)]);
  }

  systemLine(systems) {
    const { data, sentence } = this;
    const [system] = systems;
    const output = sentence.bySystem[system];
    const names = systems.map((at) => make("span", { class: "who" }, make("span", { class: `dot ${data.colours[at]}`, "aria-hidden": "true" }), data.systems[at]));
    const notes = [output.edits.length ? "" : "unchanged", output.falseAlarm ? "false alarm" : ""].filter(Boolean);
    const why = make("button", { type: "button", class: "why", "aria-expanded": "false", "data-at": sentence.at, "data-system": system }, "why", hidden(` does ${data.systems[system]} score so`));
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

/** The row below the line of a system. */
function evidenceRow(metrics, output, evidence, columns) {
  const blocks = metrics.map((metric, at) => metricEvidence(metric, output.scores[at], evidence[at]));
  const grid = make("div", { class: "metric-evidence" }, ...blocks);
  return make("tr", { class: "evidence" }, make("td", { colspan: columns }, grid));
}

function metricEvidence(metric, score, evidence) {
  const lines = [...inWords(metric, evidence.counts)].map((line) => make("li", {}, line));
  const pieces = OUTCOMES.filter((outcome) => evidence[outcome]).map((outcome) => {
    const items = evidence[outcome].flatMap((piece) => [" ", make("code", {}, piece)]);
    return make("p", { class: "ngrams" }, make("strong", {}, `${SIGNS[outcome]} ${outcome}`), ...items);
  });
  const counts = metric.columns.map(({ name }, at) => `${name} ${evidence.counts[at]}`).join(", ");
  const note = metric.unit === "edit" ? "" : "Listed are the shortest n-grams that source and output do not share. ";
  return make(
    "div",
    {},
    make("h4", {}, `${metric.label} ${shownScore(metric, score)}`),
    make("p", { class: "note" }, againstText(metric, evidence)),
    make("ul", { class: "in-words" }, ...lines),
    ...pieces,
    make("details", {}, make("summary", {}, "Counts by column"), make("p", { class: "note" }, note, counts)),
  );
}

/** The references that the output is compared with. */
function againstText(metric, { against, best }) {
  const names = Object.keys(against);
  if (!names.some(Boolean)) return "Compared with no reference.";
  if (names.length === 1) return `Compared with reference ${best}.`;
  const scores = names.map((name) => `${name} (${shownScore(metric, against[name])})`).join(", ");
  return metric.averages ? `Mean over the references: ${scores}.` : `Best reference: ${best}, of ${scores}.`;
}

/** The counts in words, one line for the edits, or for each order of n-grams. */
function* inWords(metric, counts) {
  const hasMissed = metric.columns.some(({ outcome }) => outcome === "missed");
  const orders = new Set(metric.columns.filter(({ outcome }) => outcome).map(({ order }) => order));
  for (const order of [...orders].sort((a, b) => a - b)) {
    const [correct, wrong, missed] = OUTCOMES.map((outcome) =>
      counts
        .filter((_, at) => metric.columns[at].order === order && metric.columns[at].outcome === outcome)
        .reduce((sum, count) => sum + count, 0),
    );
    // The columns of proposed and gold edits repeat the correct ones.
    const repeated = metric.again ? correct : 0;
    const all = hasMissed ? ` of ${rounded(correct + missed - repeated)}` : "";
    yield `${rounded(correct)}${all} ${unitOf(metric, order)} right, ${rounded(wrong - repeated)} wrong`;
  }
}

function rounded(number) {
  return String(Number(number.toFixed(2)));
}

function unitOf(metric, order) {
  if (order === 0) return "edits";
  const ending = ORDERS_OF_NGRAMS[order];
  return order < ORDERS_OF_NGRAMS.length ? `${metric.unit}${ending}` : `${order}-${metric.unit} sequences`;
}
