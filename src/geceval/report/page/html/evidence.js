// The evidence of a score: counts, edits and n-grams of each metric.

/** The row below the line of a system; report/page/explorer.py documents the layout of the evidence. */
function evidenceRow(data, evidence, sentence, system, columns) {
  const found = evidence.of(sentence.place, system);
  const blocks = data.metrics.map((metric, at) => metricEvidence(data, metric, sentence.outputs[system].scores[at], found[at]));
  const grid = make("div", { class: "metric-evidence" }, ...blocks);
  return make("tr", { class: "evidence" }, make("td", { colspan: columns }, grid));
}

function metricEvidence(data, metric, score, found) {
  const block = make("div", {}, make("h4", {}, `${metric.label} ${shownScore(metric, score)}`));
  const [against, chosen, averaged, counts, shared, longer, ...byOutcome] = found;
  const facts = make("dl");
  for (const [at, [name, own]] of [...rowsOf(against, 2)].entries()) {
    if (!name) continue;
    const told = averaged || at !== chosen ? "" : ", chosen";
    facts.append(make("dt", {}, `against ${name}${told}`), make("dd", {}, shownScore(metric, own)));
  }
  if (averaged) facts.append(make("dt", {}, "score"), make("dd", {}, "the mean over the references"));
  block.append(facts, countsLine(metric, counts), ...listsByOutcome(data, byOutcome));
  const unlisted = [shared && `${shared} that source and system share`, longer && `${longer} longer ones`].filter(Boolean);
  if (unlisted.length) block.append(make("p", { class: "note" }, `Not listed: ${unlisted.join(", ")}.`));
  return block;
}

function countsLine(metric, counts) {
  const said = [...rowsOf(counts, 2)].map(([column, count]) => `${metric.columns[column]} ${Number(count.toFixed(3))}`);
  return make("p", { class: "note" }, said.join(", ") || "all counts are 0");
}

/** Correct, wrong and missed edits or n-grams, in this order. */
function listsByOutcome(data, byOutcome) {
  return byOutcome.flatMap((listed, at) => {
    if (!listed.length) return [];
    const items = listed.flatMap((item, k) => [k ? " " : "", make("code", {}, weighted(data.strings, item))]);
    return [make("p", { class: "ngrams" }, make("strong", {}, `${SIGNS[OUTCOMES[at]]} ${OUTCOMES[at]}`), " ", ...items)];
  });
}

function weighted(strings, item) {
  if (!Array.isArray(item)) return strings[item];
  const [text, weight] = item;
  return `${strings[text]} × ${Number(weight.toFixed(3))}`;
}
