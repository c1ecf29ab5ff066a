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
