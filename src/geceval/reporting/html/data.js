// Data of the page, and the state: the selection and order of sentences and systems.
// reporting/explorer.py documents the data.

const OUTCOMES = ["correct", "wrong", "missed"];
// A sentence that only the system changes: an outcome of the sentence, not of an edit.
const FALSE_ALARM = "false-alarm";
const SIGNS = { correct: "✓", wrong: "✗", missed: "○", "": "·" };

/** The document of a script element: JSON that gzip compressed, in base64. Null without the element. */
async function readData(name) {
  const element = document.getElementById(`${name}-data`);
  if (element === null) return null;
  const bytes = Uint8Array.from(atob(element.textContent), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/** Add what follows from the rest: tokens, the output of each system, and the source tokens of each edit. */
function prepare(sentence, at) {
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

// Number of systems that are shown initially, the best ones.
const FIRST = 3;
const SORTS = ["loss", "score", "difference", "number", "length"];
// Fields of the form with one value, which have the same names in the state and in the address.
const FIELDS = ["type", "group", "text", "sort", "metric", "a", "b", "down", "view"];

/** The state of an address such as #s=17&system=A&type=R:DET; other values are initial. */
function stateOf(hash, data) {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const one = (name, known, initial) => (known.includes(values.get(name)) ? values.get(name) : initial);
  const place = (name, names, initial) => (names.includes(values.get(name)) ? names.indexOf(values.get(name)) : initial);
  const systems = values.getAll("system").map((name) => data.systems.indexOf(name));
  const known = data.ranked.filter((at) => systems.includes(at));
  return {
    sentence: Number(values.get("s")) || null,
    systems: known.length ? known : data.ranked.slice(0, FIRST),
    outcomes: values.getAll("outcome").filter((name) => [...OUTCOMES, FALSE_ALARM].includes(name)),
    type: values.get("type") ?? "",
    group: values.get("group") ?? "",
    text: values.get("text") ?? "",
    sort: one("sort", SORTS, SORTS[0]),
    metric: place("metric", data.metrics.map(({ label }) => label), 0),
    a: place("a", data.systems, data.ranked[0]),
    b: place("b", data.systems, data.ranked[1] ?? data.ranked[0]),
    down: one("down", ["1"], "0"),
    view: one("view", ["aligned"], "inline"),
  };
}

/** The address of a state; initial values are omitted. */
function hashOf(state, data) {
  const initial = stateOf("", data);
  const named = { metric: data.metrics[state.metric].label, a: data.systems[state.a], b: data.systems[state.b] };
  const changed = FIELDS.filter((name) => state[name] !== initial[name]);
  const systems = String(state.systems) === String(initial.systems) ? [] : state.systems;
  const entries = [
    ...(state.sentence === null ? [] : [["s", state.sentence]]),
    ...systems.map((at) => ["system", data.systems[at]]),
    ...state.outcomes.map((name) => ["outcome", name]),
    ...changed.map((name) => [name, named[name] ?? state[name]]),
  ];
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
  const sign = state.down === "1" ? -1 : 1;
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

/** The number by which sentences are sorted, null without one. */
function keyOf({ sort, metric, a, b }, { metrics, ranked }) {
  const sign = metrics[metric].higher ? 1 : -1;
  const score = ({ bySystem }, at) => (bySystem[at].scores[metric] === null ? null : sign * bySystem[at].scores[metric]);
  // Without another score, losses are below 0.
  const loss = (sentence, others) => {
    const known = others.map((at) => score(sentence, at)).filter((value) => value !== null);
    return score(sentence, a) === null ? null : score(sentence, a) - (known.length ? Math.max(...known) : 0);
  };
  const others = ranked.filter((at) => at !== a);
  return {
    loss: (sentence) => loss(sentence, others),
    score: (sentence) => score(sentence, a),
    difference: (sentence) => (score(sentence, b) === null ? null : loss(sentence, [b])),
    number: ({ number }) => number,
    length: ({ tokens }) => tokens.length,
  }[sort];
}

/** The order of the sentences in words. */
function orderInWords(state, data) {
  const [a, b, metric] = [data.systems[state.a], data.systems[state.b], data.metrics[state.metric].label];
  const [first, last] = {
    loss: [`largest losses of ${a} against the best other system`, `largest gains of ${a} against the best other system`],
    score: [`lowest scores of ${a}`, `highest scores of ${a}`],
    difference: [`largest losses of ${a} against ${b}`, `largest gains of ${a} against ${b}`],
    number: ["lowest numbers", "highest numbers"],
    length: ["fewest tokens", "most tokens"],
  }[state.sort];
  const by = ["number", "length"].includes(state.sort) ? "" : ` by ${metric}`;
  return `${state.down === "1" ? last : first}${by} first`;
}
