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

// The state: the selection and order of sentences and systems. The address contains it, so that it can be shared.

// Number of systems that are shown initially, the best ones.
const FIRST = 3;
const ORDERS = ["loss", "score", "difference", "number", "length"];

/** The state of an address such as #s=17&system=A&type=R:DET; other values are initial. */
function stateOf(hash, data) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const place = (name, known, otherwise) => {
    const at = known.indexOf(asked.get(name));
    return at < 0 ? otherwise : at;
  };
  const systems = asked.getAll("system").map((name) => data.systems.indexOf(name));
  const known = data.ranked.filter((at) => systems.includes(at));
  const labels = data.metrics.map((metric) => metric.label);
  return {
    sentence: Number(asked.get("s")) || null,
    systems: known.length ? known : data.ranked.slice(0, FIRST),
    type: asked.get("type") ?? "",
    outcomes: asked.getAll("outcome").filter((name) => name && [...OUTCOMES, FALSE_ALARM].includes(name)),
    label: asked.get("group") ?? "",
    text: asked.get("text") ?? "",
    order: ORDERS.includes(asked.get("sort")) ? asked.get("sort") : ORDERS[0],
    metric: place("metric", labels, 0),
    system: place("a", data.systems, data.ranked[0]),
    other: place("b", data.systems, data.ranked[1] ?? data.ranked[0]),
    down: asked.get("down") === "1",
    aligned: asked.get("view") === "aligned",
  };
}

/** The address of a state; initial values are omitted. */
function hashOf(state, data) {
  const first = stateOf("", data);
  const entries = [];
  const say = (name, value, differs) => differs && entries.push([name, value]);
  say("s", state.sentence, state.sentence !== null);
  if (String(state.systems) !== String(first.systems)) {
    entries.push(...state.systems.map((at) => ["system", data.systems[at]]));
  }
  say("type", state.type, state.type !== "");
  entries.push(...state.outcomes.map((name) => ["outcome", name]));
  say("group", state.label, state.label !== "");
  say("text", state.text, state.text !== "");
  say("sort", state.order, state.order !== first.order);
  say("metric", data.metrics[state.metric].label, state.metric !== first.metric);
  say("a", data.systems[state.system], state.system !== first.system);
  say("b", data.systems[state.other], state.other !== first.other);
  say("down", "1", state.down);
  say("view", "aligned", state.aligned);
  return `#${new URLSearchParams(entries)}`;
}

/** A pattern, or its error, which is shown and not thrown. */
function patternOf(text) {
  if (text === "") return { pattern: null, error: "" };
  try {
    return { pattern: new RegExp(text, "iu"), error: "" };
  } catch (error) {
    return { pattern: null, error: `not a regular expression: ${error.message}` };
  }
}

/** The indices of the sentences of a state, in its order. */
function chosen(state, data, pattern) {
  const type = state.type === "" ? null : data.strings.indexOf(state.type);
  const places = Array.from({ length: data.length }, (_, place) => place).filter(
    (place) =>
      (state.label === "" || data.label(place) === state.label) &&
      ((type === null && !state.outcomes.length) || hasEdit(state, data, place, type)) &&
      (pattern === null || matches(state, data, place, pattern)),
  );
  const key = keyOf(state, data);
  const keys = new Map(places.map((place) => [place, key(place)]));
  const sign = state.down ? -1 : 1;
  // Sentences without a number are last in both orders.
  const compared = (a, b) => (a === null) - (b === null) || (a === null ? 0 : sign * (a - b));
  return places.sort((a, b) => compared(keys.get(a), keys.get(b)) || a - b);
}

/** Whether a system has an edit of the type with one of the outcomes; all edits of a false alarm have that outcome. */
function hasEdit(state, data, place, type) {
  return state.systems.some((system) => {
    const alarm = state.outcomes.includes(FALSE_ALARM) && data.isFalseAlarm(place, system);
    if (alarm && type === null) return true;
    for (const [own, outcome] of data.judged(place, system)) {
      const fits = alarm || !state.outcomes.length || state.outcomes.includes(OUTCOMES[outcome]);
      if ((type === null || own === type) && fits) return true;
    }
    return false;
  });
}

function matches(state, data, place, pattern) {
  return (
    pattern.test(data.source(place)) ||
    data.referenceTexts(place).some((text) => pattern.test(text)) ||
    state.systems.some((system) => pattern.test(data.get(place).outputs[system].text))
  );
}

function keyOf(state, data) {
  const sign = data.metrics[state.metric].higher ? 1 : -1;
  const score = (place, system) => {
    const own = data.score(place, system, state.metric);
    return own === null ? null : sign * own;
  };
  const difference = (place) => {
    const [a, b] = [score(place, state.system), score(place, state.other)];
    return a === null || b === null ? null : a - b;
  };
  return {
    loss: (place) => data.loss(place, state.system, state.metric),
    score: (place) => score(place, state.system),
    difference,
    number: (place) => data.number(place),
    length: (place) => data.source(place).split(" ").length,
  }[state.order];
}

/** The order of the sentences in words. */
function orderInWords(state, data) {
  const [a, b, metric] = [data.systems[state.system], data.systems[state.other], data.metrics[state.metric].label];
  const [first, last] = {
    loss: [`where ${a} is most behind the best other system by ${metric}`, `where ${a} is most ahead of the best other system by ${metric}`],
    score: [`where ${a} scores worst by ${metric}`, `where ${a} scores best by ${metric}`],
    difference: [`where ${a} is most behind ${b} by ${metric}`, `where ${a} is most ahead of ${b} by ${metric}`],
    number: ["with the lowest number", "with the highest number"],
    length: ["with the fewest tokens", "with the most tokens"],
  }[state.order];
  return `first those ${state.down ? last : first}`;
}
