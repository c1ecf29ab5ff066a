// The sentences of the file: short arrays, converted to objects on demand.
// reporting/explorer.py writes them and documents their layout.

const OUTCOMES = ["correct", "wrong", "missed", ""];
// A sentence that only the system changes: an outcome of the sentence, not of an edit.
const FALSE_ALARM = "false-alarm";
// Scores are whole numbers of this fraction.
const SCALE = 10_000;
const SIGNS = { correct: "✓", wrong: "✗", missed: "○", "": "·" };

function readJson(id) {
  const element = document.getElementById(id);
  return element && JSON.parse(element.textContent);
}

/** The rows of a flat array, `width` numbers each. */
function* rowsOf(flat, width) {
  for (let at = 0; at < flat.length; at += width) yield flat.slice(at, at + width);
}

class Sentences {
  constructor(document_) {
    Object.assign(this, document_);
    this.decoded = new Map();
  }

  get length() {
    return this.sentences.length;
  }

  number(place) {
    return this.sentences[place][0];
  }

  source(place) {
    return this.sentences[place][1];
  }

  label(place) {
    const label = this.sentences[place][2];
    return label < 0 ? null : this.labels[label];
  }

  referenceTexts(place) {
    return this.get(place).references.map(({ text }) => text);
  }

  /** The index of the first system with the same output; the file contains equal records of a sentence once. */
  first(place, system) {
    const record = this.sentences[place][5][system];
    return typeof record === "number" ? record : system;
  }

  record(place, system) {
    return this.sentences[place][5][this.first(place, system)];
  }

  /** A score on the metric's scale, or null. */
  score(place, system, metric) {
    const score = this.record(place, system)[3][metric];
    return score === null ? null : score / SCALE;
  }

  /** By how much a system scores below the best other system; without one, below 0. Losses are negative. */
  loss(place, system, metric) {
    const sign = this.metrics[metric].higher ? 1 : -1;
    const scores = this.ranked.filter((other) => other !== system).map((other) => this.score(place, other, metric));
    const known = scores.filter((score) => score !== null).map((score) => sign * score);
    const own = this.score(place, system, metric);
    return own === null ? null : sign * own - (known.length ? Math.max(...known) : 0);
  }

  isFalseAlarm(place, system) {
    return this.record(place, system)[4] === 1;
  }

  /** [type, outcome] of the edits of a system and of the edits that it missed. */
  *judged(place, system) {
    const [edits, , missed] = this.record(place, system);
    const flat = this.sentences[place][3];
    for (const edit of edits) yield [flat[4 * (edit >> 2) + 3], edit & 3];
    for (const at of missed) yield [flat[4 * at + 3], OUTCOMES.indexOf("missed")];
  }

  get(place) {
    if (!this.decoded.has(place)) this.decoded.set(place, this.decode(place));
    return this.decoded.get(place);
  }

  decode(place) {
    const [number, source, , flat, references] = this.sentences[place];
    const tokens = source.split(" ").filter(Boolean);
    const edits = [...rowsOf(flat, 4)].map((row) => this.edit(row, tokens));
    const decoded = references.map(([name, text, places]) => {
      const own = places && places.map((at) => edits[at]);
      return { name, text: text === 0 ? corrected(tokens, own) : text, edits: own };
    });
    const outputs = this.systems.map((_, system) => this.output(place, system, tokens, edits, decoded));
    return { place, number, source, tokens, label: this.label(place), edits, references: decoded, outputs };
  }

  output(place, system, tokens, edits, references) {
    const [own, reference, missed, , alarm] = this.record(place, system);
    const done = own.map((edit) => ({ ...edits[edit >> 2], outcome: OUTCOMES[edit & 3] }));
    return {
      edits: done,
      reference: reference < 0 ? null : references[reference],
      missed: missed.map((at) => ({ ...edits[at], outcome: "missed" })),
      scores: this.metrics.map((_, metric) => this.score(place, system, metric)),
      isFalseAlarm: alarm === 1,
      text: corrected(tokens, done),
    };
  }

  edit([start, length, text, type], tokens) {
    const end = start + length;
    return { start, end, from: tokens.slice(start, end).join(" "), to: this.strings[text], type: this.strings[type], outcome: "" };
  }
}

/** The sentence after its edits, which are in order. */
function corrected(tokens, edits) {
  const parts = [];
  let done = 0;
  for (const edit of edits) {
    parts.push(...tokens.slice(done, edit.start), edit.to);
    done = edit.end;
  }
  return [...parts, ...tokens.slice(done)].filter(Boolean).join(" ");
}

/** The evidence, which is parsed on the first request. */
class Evidence {
  constructor(data) {
    this.data = data;
    this.texts = null;
  }

  /** The evidence of the scores of an output, by metric. */
  of(sentence, system) {
    this.texts ??= readJson("evidence-data");
    const [names, ...texts] = this.texts[sentence.place];
    const first = this.data.first(sentence.place, system);
    const distinct = this.data.systems.map((_, at) => at).filter((at) => this.data.first(sentence.place, at) === at);
    const own = sentence.references.map(({ name }) => name);
    return texts[distinct.indexOf(first)].split("/").map((text, metric) => this.decoded(text, names[metric] || own));
  }

  decoded(text, names) {
    const [against = "", chosen = "0", counts = "", ...byOutcome] = text.split(";");
    const scores = against.split(" ").map((score) => (score === "" ? null : Number.parseInt(score, 36) / SCALE));
    const digits = counts.endsWith(" ") ? counts.trim().split(" ").map(Number) : [...counts].map((digit) => Number.parseInt(digit, 36));
    const pieces = byOutcome.map((listed) => listed.split(" ").filter(Boolean).map((piece) => piece.split("*")));
    return { names, scores, chosen: Number.parseInt(chosen, 36), counts: digits, pieces };
  }
}
