// Data of the page, and the state: the selection and order of sentences and systems.
// reporting/explorer.py documents the data.

const OUTCOMES = ["correct", "wrong", "missed"];
// A sentence that only the system changes: an outcome of the sentence, not of an edit.
const FALSE_ALARM = "false-alarm";
const SIGNS = { correct: "✓", wrong: "✗", missed: "○", "": "·" };

/** The document of a script element: JSON that gzip compressed, in base64 or in a file. Null without the element. */
async function readData(name) {
  const element = document.getElementById(`${name}-data`);
  if (element === null) return null;
  const { file } = element.dataset;
  const bytes = file ? await readFile(file) : Uint8Array.from(atob(element.textContent), (sign) => sign.charCodeAt(0));
  // Some servers send the file uncompressed.
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const stream = new Blob([bytes]).stream();
  return new Response(isCompressed ? stream.pipeThrough(new DecompressionStream("gzip")) : stream).json();
}

async function readFile(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

class Sentences {
  constructor(data) {
    Object.assign(this, data);
    this.sentences.forEach((sentence, at) => this.prepare(sentence, at));
  }

  /** Add what follows from the rest: tokens, the output of each system, and the source tokens of each edit. */
  prepare(sentence, at) {
    sentence.at = at;
    sentence.tokens = sentence.source.split(" ").filter(Boolean);
    sentence.bySystem = [];
    for (const output of sentence.outputs) {
      for (const system of output.systems) sentence.bySystem[system] = output;
    }
    for (const { edits, missed } of [...sentence.outputs, ...sentence.references]) {
      for (const edit of [...(edits ?? []), ...(missed ?? [])]) {
        edit.from = sentence.tokens.slice(edit.start, edit.end).join(" ");
        edit.outcome ??= "";
      }
    }
  }

  /** By how much a system scores below the best other system; without one, below 0. Losses are negative. */
  loss({ bySystem }, system, metric) {
    const sign = this.metrics[metric].higher ? 1 : -1;
    const scores = this.ranked.filter((other) => other !== system).map((other) => bySystem[other].scores[metric]);
    const known = scores.filter((score) => score !== null).map((score) => sign * score);
    const score = bySystem[system].scores[metric];
    return score === null ? null : sign * score - (known.length ? Math.max(...known) : 0);
  }
}

// Number of systems that are shown initially, the best ones.
const FIRST = 3;
const ORDERS = ["loss", "score", "difference", "number", "length"];

/** The state of an address such as #s=17&system=A&type=R:DET; other values are initial. */
function stateOf(hash, data) {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const place = (name, known, otherwise) => {
    const at = known.indexOf(values.get(name));
    return at < 0 ? otherwise : at;
  };
  const systems = values.getAll("system").map((name) => data.systems.indexOf(name));
  const known = data.ranked.filter((at) => systems.includes(at));
  const labels = data.metrics.map((metric) => metric.label);
  return {
    sentence: Number(values.get("s")) || null,
    systems: known.length ? known : data.ranked.slice(0, FIRST),
    type: values.get("type") ?? "",
    outcomes: values.getAll("outcome").filter((name) => [...OUTCOMES, FALSE_ALARM].includes(name)),
    group: values.get("group") ?? "",
    text: values.get("text") ?? "",
    order: ORDERS.includes(values.get("sort")) ? values.get("sort") : ORDERS[0],
    metric: place("metric", labels, 0),
    system: place("a", data.systems, data.ranked[0]),
    other: place("b", data.systems, data.ranked[1] ?? data.ranked[0]),
    down: values.get("down") === "1",
    aligned: values.get("view") === "aligned",
  };
}

/** The address of a state; initial values are omitted. */
function hashOf(state, data) {
  const first = stateOf("", data);
  const values = {
    s: [state.sentence],
    system: String(state.systems) === String(first.systems) ? [] : state.systems.map((at) => data.systems[at]),
    type: [state.type],
    outcome: state.outcomes,
    group: [state.group],
    text: [state.text],
    sort: [state.order !== first.order && state.order],
    metric: [state.metric !== first.metric && data.metrics[state.metric].label],
    a: [state.system !== first.system && data.systems[state.system]],
    b: [state.other !== first.other && data.systems[state.other]],
    down: [state.down && "1"],
    view: [state.aligned && "aligned"],
  };
  const entries = Object.entries(values).flatMap(([name, listed]) => listed.filter(Boolean).map((value) => [name, value]));
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

/** The sentences of a state, in its order. */
function chosen(state, data, pattern) {
  const key = keyOf(state, data);
  const keyed = data.sentences
    .filter(
      (sentence) =>
        (state.group === "" || sentence.group === state.group) &&
        ((state.type === "" && !state.outcomes.length) || hasEdit(state, sentence)) &&
        (pattern === null || matches(state, sentence, pattern)),
    )
    .map((sentence) => ({ sentence, key: key(sentence) }));
  const sign = state.down ? -1 : 1;
  // Sentences without a number are last in both orders.
  const compared = (a, b) => (a === null) - (b === null) || (a === null ? 0 : sign * (a - b));
  return keyed.sort((a, b) => compared(a.key, b.key)).map(({ sentence }) => sentence);
}

/** Whether a system has an edit of the type with one of the outcomes; all edits of a false alarm have that outcome. */
function hasEdit({ type, outcomes, systems }, { bySystem }) {
  return systems.some((system) => {
    const { edits, missed, falseAlarm } = bySystem[system];
    const isAlarm = falseAlarm && outcomes.includes(FALSE_ALARM);
    if (isAlarm && type === "") return true;
    const fits = (edit) => isAlarm || !outcomes.length || outcomes.includes(edit.outcome);
    return [...edits, ...missed].some((edit) => (type === "" || edit.type === type) && fits(edit));
  });
}

function matches(state, { source, references, bySystem }, pattern) {
  const texts = [source, ...references.map(({ text }) => text), ...state.systems.map((system) => bySystem[system].text)];
  return texts.some((text) => pattern.test(text));
}

function keyOf({ order, metric, system, other }, data) {
  const sign = data.metrics[metric].higher ? 1 : -1;
  const score = ({ bySystem }, at) => (bySystem[at].scores[metric] === null ? null : sign * bySystem[at].scores[metric]);
  const difference = (sentence) => {
    const [a, b] = [score(sentence, system), score(sentence, other)];
    return a === null || b === null ? null : a - b;
  };
  return {
    loss: (sentence) => data.loss(sentence, system, metric),
    score: (sentence) => score(sentence, system),
    difference,
    number: ({ number }) => number,
    length: ({ tokens }) => tokens.length,
  }[order];
}

/** The order of the sentences in words. */
function orderInWords(state, data) {
  const [a, b, metric] = [data.systems[state.system], data.systems[state.other], data.metrics[state.metric].label];
  const [first, last] = {
    loss: [`largest losses of ${a} against the best other system`, `largest gains of ${a} against the best other system`],
    score: [`lowest scores of ${a}`, `highest scores of ${a}`],
    difference: [`largest losses of ${a} against ${b}`, `largest gains of ${a} against ${b}`],
    number: ["lowest numbers", "highest numbers"],
    length: ["fewest tokens", "most tokens"],
  }[state.order];
  const by = ["number", "length"].includes(state.order) ? "" : ` by ${metric}`;
  return `${state.down ? last : first}${by} first`;
}
