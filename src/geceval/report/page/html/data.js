// The sentences of the file: short arrays, converted to objects on demand.
// report/page/explorer.py writes them and documents their layout.

const OUTCOMES = ["correct", "wrong", "missed", ""];
// A sentence that only the system changes: an outcome of the sentence, not of an edit.
const FALSE_ALARM = "false-alarm";
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
    return this.sentences[place][3].map(([, text]) => text);
  }

  /** The record of a system; the file contains equal records of a sentence once. */
  record(place, system) {
    const outputs = this.sentences[place][4];
    const record = outputs[system];
    return typeof record === "number" ? outputs[record] : record;
  }

  score(place, system, metric) {
    return this.record(place, system)[3][metric];
  }

  isFalseAlarm(place, system) {
    return this.record(place, system)[4] === 1;
  }

  /** [type, outcome] of the edits of a system and of the edits that it missed. */
  *judged(place, system) {
    const [edits, reference, missed] = this.record(place, system);
    for (const [, , , type, outcome] of rowsOf(edits, 5)) yield [type, outcome];
    if (!missed.length) return;
    const gold = this.sentences[place][3][reference][2];
    for (const at of missed) yield [gold[4 * at + 3], OUTCOMES.indexOf("missed")];
  }

  get(place) {
    if (!this.decoded.has(place)) this.decoded.set(place, this.decode(place));
    return this.decoded.get(place);
  }

  decode(place) {
    const [number, source, , references] = this.sentences[place];
    const tokens = source.split(" ").filter(Boolean);
    const decodedReferences = references.map(([name, text, edits]) => ({
      name,
      text,
      edits: edits && [...rowsOf(edits, 4)].map((row) => this.edit([...row, OUTCOMES.indexOf("")], tokens)),
    }));
    const outputs = this.systems.map((_, system) => this.output(place, system, tokens, decodedReferences));
    return { place, number, source, tokens, label: this.label(place), references: decodedReferences, outputs };
  }

  output(place, system, tokens, references) {
    const [edits, reference, missed, scores, alarm] = this.record(place, system);
    const done = [...rowsOf(edits, 5)].map((row) => this.edit(row, tokens));
    const gold = reference < 0 ? [] : references[reference].edits;
    return {
      edits: done,
      reference: reference < 0 ? null : references[reference],
      missed: missed.map((at) => ({ ...gold[at], outcome: "missed" })),
      scores,
      isFalseAlarm: alarm === 1,
      text: corrected(tokens, done),
    };
  }

  edit([start, length, text, type, outcome], tokens) {
    return {
      start,
      end: start + length,
      from: tokens.slice(start, start + length).join(" "),
      to: this.strings[text],
      type: this.strings[type],
      outcome: OUTCOMES[outcome],
    };
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
  constructor(strings) {
    this.strings = strings;
    this.columns = null;
  }

  /** The evidence of the scores of an output, by metric. */
  of(place, system) {
    this.columns ??= readJson("evidence-data");
    const outputs = this.columns[place];
    const found = outputs[system];
    return typeof found === "number" ? outputs[found] : found;
  }
}
