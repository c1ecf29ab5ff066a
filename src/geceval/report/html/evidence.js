// Why an output scores what it does: what each metric counted.

/** The row under a system's line; report/explorer.py says what stands where in the evidence. */
function evidenceRow(data, evidence, sentence, system, columns) {
  const found = evidence.of(sentence.place, system);
  const blocks = data.metrics.map((metric, at) => metricEvidence(data, metric, sentence.outputs[system].scores[at], found[at]));
  const grid = make("div", { class: "metric-evidence" }, ...blocks);
  return make("tr", { class: "evidence" }, make("td", { colspan: columns }, grid));
}

function metricEvidence(data, metric, score, found) {
  const block = make("div", {}, make("h4", {}, `${metric.label} ${shownScore(metric, score)}`));
  if (!found) {
    block.append(make("p", { class: "note" }, "It says nothing of single sentences but the score."));
    return block;
  }
  const [against, chosen, averaged, counts, rows, unlisted] = found;
  const facts = make("dl");
  for (const [at, [name, own]] of against.entries()) {
    if (!name) continue;
    const told = averaged ? "" : at === chosen ? ", chosen" : "";
    facts.append(make("dt", {}, `against ${name}${told}`), make("dd", {}, shownScore(metric, own)));
  }
  if (averaged) facts.append(make("dt", {}, "score"), make("dd", {}, "the mean over the references"));
  block.append(facts, countsLine(metric, counts), ...rowsByOutcome(data, metric, rows));
  if (unlisted) block.append(make("p", { class: "note" }, `${unlisted} more that the source has, too, are not listed.`));
  return block;
}

function countsLine(metric, counts) {
  const said = metric.columns.map((name, at) => [name, counts[at]]).filter(([, count]) => count);
  const text = said.map(([name, count]) => `${name} ${Number(count.toFixed(3))}`).join(", ");
  return make("p", { class: "note" }, text || "all counts are 0");
}

/** What was counted as correct, wrong and missed, in this order. */
function rowsByOutcome(data, metric, rows) {
  const lists = [];
  for (const [at, outcome] of OUTCOMES.entries()) {
    const own = [...rowsOf(rows, 3)].filter(([became]) => became === at);
    if (!own.length) continue;
    const items = own.flatMap(([, text, weight], k) => [k ? " " : "", make("code", {}, weighted(data.strings[text], weight))]);
    lists.push(make("p", { class: "ngrams" }, make("strong", {}, `${SIGNS[outcome]} ${outcome || "counted"}`), " ", ...items));
  }
  return lists;
}

function weighted(text, weight) {
  return weight === 1 ? text : `${text} × ${Number(weight.toFixed(3))}`;
}
