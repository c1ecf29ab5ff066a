// Marks of wrong edits as valid or not: kept in the browser, written and read as M2, with a preview of the score.

const REJECTED = "rejected ";

/** The edits that elements show, by element. */
const editsShown = new WeakMap();

/** An edit without equal tokens at its ends; edits are equal if these are. */
function minimal({ start, end, text }, tokens) {
  let words = text.split(" ").filter(Boolean);
  while (start < end && words.length && tokens[start] === words[0]) {
    start += 1;
    words = words.slice(1);
  }
  while (start < end && words.length && tokens[end - 1] === words.at(-1)) {
    end -= 1;
    words = words.slice(0, -1);
  }
  return JSON.stringify([start, end, words.join(" ")]);
}

/** Marks by sentence and edit: {verdict, note, edit}; the verdict is valid, rejected, proposed or empty. */
class Marks {
  constructor(name) {
    this.name = name;
    this.steps = [];
    this.sentences = new Map();
    this.load();
  }

  // Storage can be unavailable for local files; the marks last as long as the page then.
  load() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.name) ?? "[]");
      this.sentences = new Map(kept.map(([source, own]) => [source, new Map(own)]));
    } catch {
      this.sentences = new Map();
    }
  }

  save() {
    try {
      localStorage.setItem(this.name, JSON.stringify([...this.sentences].map(([source, own]) => [source, [...own]])));
    } catch {
      /* see above */
    }
  }

  of(source, key) {
    return this.sentences.get(source)?.get(key);
  }

  /** Set a mark, or remove it (null), and remember the one before. */
  set(source, key, mark) {
    this.steps.push([source, key, this.of(source, key) ?? null]);
    this.put(source, key, mark);
    this.save();
  }

  put(source, key, mark) {
    const own = this.sentences.get(source) ?? new Map();
    if (mark) own.set(key, mark);
    else own.delete(key);
    if (own.size) this.sentences.set(source, own);
    else this.sentences.delete(source);
  }

  undo() {
    const step = this.steps.pop();
    if (step) this.put(...step);
    this.save();
    return step;
  }

  /** The marks as M2: valid edits as edits; others, which no scorer reads, in the comment of a noop. */
  text() {
    const blocks = [];
    for (const [source, own] of this.sentences) {
      const marks = [...own.values()].sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
      const valid = marks.filter(({ verdict }) => verdict === "valid");
      const rejected = marks.filter(({ verdict }) => verdict === "rejected");
      const annotators = withoutOverlaps(valid);
      const lines = annotators.flatMap((accepted, annotator) =>
        accepted.map(({ edit, note }) => editLine(edit.start, edit.end, edit.type || "UNK", edit.text || "-NONE-", fieldOf(note), annotator)),
      );
      if (rejected.length) {
        const said = JSON.stringify(rejected.map(({ edit, note }) => [edit.start, edit.end, edit.text, edit.type, note])).replaceAll("|", "\\u007c");
        lines.push(editLine(-1, -1, "noop", "-NONE-", REJECTED + said, Math.max(annotators.length, 1)));
      }
      if (lines.length) blocks.push(`S ${source}\n${lines.map((line) => `${line}\n`).join("")}\n`);
    }
    return blocks.join("");
  }

  /** Take over the edits of an M2 file; proposals of a judge do not replace marks, and do not count. Returns their number. */
  read(text) {
    let source = null;
    let number = 0;
    const take = (edit, verdict, note) => {
      const key = minimal(edit, source.split(" "));
      if (verdict === "proposed" && this.of(source, key)) return;
      this.set(source, key, { verdict, note, edit: { ...edit, from: source.split(" ").slice(edit.start, edit.end).join(" ") } });
      number += 1;
    };
    for (const line of text.split(/\r?\n/)) {
      if (line.startsWith("S ")) source = line.slice(2).split(/\s+/).filter(Boolean).join(" ");
      if (!line.startsWith("A ") || source === null) continue;
      const [span, type, corrections, required, comment] = line.slice(2).split("|||");
      const [start, end] = span.split(" ").map(Number);
      if (type === "noop" && comment?.startsWith(REJECTED)) {
        for (const [from, to, words, kind, note] of rejectedOf(comment)) take({ start: from, end: to, text: words, type: kind }, "rejected", note);
      } else if (start >= 0 && corrections !== undefined) {
        const note = comment === "-NONE-" || comment === undefined ? "" : comment;
        const words = corrections.split("||")[0].trim();
        take({ start, end, text: words === "-NONE-" ? "" : words, type }, required === "PROPOSED" ? "proposed" : "valid", note);
      }
    }
    return number;
  }
}

/** Sorted marks in groups without overlap: corrections of one place are those of several annotators. */
function withoutOverlaps(marks) {
  const groups = [];
  for (const mark of marks) {
    const { start, end } = mark.edit;
    const group = groups.find((accepted) => {
      const last = accepted.at(-1).edit;
      return last.end <= start && !(last.start === start && last.end === end);
    });
    if (group) group.push(mark);
    else groups.push([mark]);
  }
  return groups;
}

function editLine(start, end, type, correction, comment, annotator) {
  return `A ${start} ${end}|||${type}|||${correction}|||REQUIRED|||${comment}|||${annotator}`;
}

function fieldOf(note) {
  return note.replace(/\|{2,}/g, " ").replace(/\s+/g, " ").trim() || "-NONE-";
}

function rejectedOf(comment) {
  try {
    return JSON.parse(comment.slice(REJECTED.length));
  } catch {
    return [];
  }
}

/** F of true positives, false positives and false negatives. */
function fScore([tp, fp, fn], beta) {
  const precision = fp === 0 ? 1 : tp / (tp + fp);
  const recall = fn === 0 ? 1 : tp / (tp + fn);
  const below = beta ** 2 * precision + recall;
  return below === 0 ? 0 : ((1 + beta ** 2) * precision * recall) / below;
}

/** Whether the first numbers are larger in the first place where they differ. */
function isBetter(one, other) {
  const at = one.findIndex((value, place) => value !== other[place]);
  return at >= 0 && one[at] > other[at];
}

/** The score of a system, whose references are chosen as ERRANT does, in the order of the sentences. */
function previewOf(data, system, accepts) {
  let totals = [0, 0, 0];
  for (const sentence of data.sentences) {
    const { edits, preview } = sentence.bySystem[system];
    const accepted = preview.wrongAgainst.filter((bits, at) => bits && accepts(sentence, edits[at]));
    let best = null;
    preview.counts.forEach(([tp, fp, fn], r) => {
      const more = accepted.filter((bits) => bits & (1 << r)).length;
      const sums = [totals[0] + tp + more, totals[1] + fp - more, totals[2] + fn];
      const key = [Number(fScore(sums, data.beta).toFixed(4)), sums[0], -sums[1], -sums[2]];
      if (best === null || isBetter(key, best.key)) best = { key, sums };
    });
    totals = best.sums;
  }
  return fScore(totals, data.beta);
}

class Marking {
  constructor(explorer) {
    this.explorer = explorer;
    this.data = explorer.data;
    this.box = document.getElementById("marking");
    this.panel = document.getElementById("marker");
    this.note = document.getElementById("marks-note");
    this.marks = new Marks(`geceval-marks-${fingerprint(this.data)}`);
    this.selected = null;
  }

  start() {
    const { list } = this.explorer;
    this.box.hidden = this.data.judge === null;
    if (this.box.hidden) return;
    new MutationObserver(() => this.decorate()).observe(list, { childList: true });
    list.addEventListener("click", (event) => this.select(event.target.closest("mark.edit.wrong")));
    list.addEventListener("keydown", (event) => this.pressed(event));
    this.box.addEventListener("toggle", () => this.update());
    this.note.addEventListener("change", () => this.judge(this.markOf(this.selected)?.verdict ?? "", this.note.value));
    this.note.addEventListener("keydown", (event) => event.key === "Enter" && this.selected.focus());
    for (const element of [this.box, this.panel]) {
      element.addEventListener("click", (event) => {
        const { mark, verdict } = event.target.closest("button")?.dataset ?? {};
        if (verdict !== undefined) this.judge(verdict, verdict && this.note.value);
        if (mark) this[mark]();
      });
    }
    document.getElementById("marks-file").addEventListener("change", (event) => this.import(event.target));
    this.decorate();
  }

  pressed(event) {
    const mark = event.target.closest("mark.edit.wrong");
    if (!mark || event.ctrlKey || event.metaKey || event.altKey) return;
    const verdicts = { v: "valid", x: "rejected", c: "" };
    if (!(event.key in verdicts) && !["n", "u", "Enter"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "u") this.undo();
    else this.select(mark);
    const verdict = verdicts[event.key];
    if (verdict !== undefined) this.judge(verdict, verdict && this.note.value);
    if (event.key === "n") this.note.focus();
  }

  /** The sentence and the key of the edit that an element shows. */
  placeOf(element) {
    const number = Number(element.closest("article").id.slice(2));
    const { tokens } = this.data.sentences.find((sentence) => sentence.number === number);
    const edit = editsShown.get(element);
    return { source: tokens.join(" "), key: minimal(edit, tokens), edit };
  }

  markOf(element) {
    const { source, key } = this.placeOf(element);
    return this.marks.of(source, key);
  }

  select(element) {
    if (!element) return;
    this.selected = element;
    const { edit } = this.placeOf(element);
    const mark = this.markOf(element);
    this.panel.querySelector("[data-said]").textContent = tipOf(edit, this.data.judge);
    this.note.value = mark?.note ?? "";
    for (const button of this.panel.querySelectorAll("[data-verdict=valid], [data-verdict=rejected]")) {
      button.setAttribute("aria-pressed", String(button.dataset.verdict === mark?.verdict));
    }
    this.panel.hidden = false;
  }

  judge(verdict, note) {
    if (!this.selected) return;
    const { source, key, edit } = this.placeOf(this.selected);
    const { start, end, from, text, type } = edit;
    this.marks.set(source, key, verdict || note ? { verdict, note, edit: { start, end, from, text, type } } : null);
    this.changed();
  }

  changed() {
    this.decorate();
    this.update();
    if (this.selected?.isConnected) this.select(this.selected);
  }

  decorate() {
    for (const element of this.explorer.list.querySelectorAll("mark.edit.wrong")) {
      const mark = this.markOf(element);
      if (mark?.verdict) element.dataset.verdict = mark.verdict;
      else delete element.dataset.verdict;
    }
  }

  // --- numbers ---

  update() {
    if (!this.box.open) return;
    const counted = { valid: 0, rejected: 0, proposed: 0, "": 0 };
    for (const [source, keys] of this.wrongEdits()) {
      for (const key of keys) counted[this.marks.of(source, key)?.verdict ?? ""] += 1;
    }
    const proposed = counted.proposed ? `, ${counted.proposed} proposed by a judge` : "";
    const left = counted[""] + counted.proposed;
    document.getElementById("marks-found").textContent =
      `${counted.valid} valid, ${counted.rejected} not valid${proposed}; ${left} of ${left + counted.valid + counted.rejected} wrong edits left`;
    this.preview();
  }

  /** The distinct wrong edits of all systems, by sentence. */
  wrongEdits() {
    if (this.wrong) return this.wrong;
    this.wrong = new Map();
    for (const { tokens, outputs } of this.data.sentences) {
      const source = tokens.join(" ");
      const keys = this.wrong.get(source) ?? new Set();
      for (const edit of outputs.flatMap(({ edits }) => edits)) {
        if (edit.outcome === "wrong") keys.add(minimal(edit, tokens));
      }
      this.wrong.set(source, keys);
    }
    return this.wrong;
  }

  preview() {
    const table = document.getElementById("marks-preview");
    table.hidden = this.data.beta === null;
    if (table.hidden) return;
    const accepted = ({ tokens }, edit) => this.marks.of(tokens.join(" "), minimal(edit, tokens))?.verdict === "valid";
    const rows = this.data.ranked.map((system) => {
      const scores = [() => false, accepted].map((accepts) => (100 * previewOf(this.data, system, accepts)).toFixed(2));
      const cells = scores.map((score) => make("td", { class: "num" }, score));
      return make("tr", {}, make("th", { scope: "row" }, this.data.systems[system]), ...cells);
    });
    table.tBodies[0].replaceChildren(...rows);
  }

  // --- actions ---

  undo() {
    const step = this.marks.undo();
    if (step) this.changed();
  }

  close() {
    this.panel.hidden = true;
    this.selected?.focus();
  }

  /** Move to the next wrong edit of the list without a mark, on this page or the next one. */
  next() {
    const marks = [...this.explorer.list.querySelectorAll("mark.edit.wrong")];
    const isLeft = (element) => !["valid", "rejected"].includes(element.dataset.verdict);
    const after = marks.slice(marks.indexOf(this.selected) + 1);
    const found = after.find(isLeft) ?? marks.find(isLeft);
    if (found) {
      found.focus();
      found.scrollIntoView({ block: "center" });
      this.select(found);
      return;
    }
    const turn = document.querySelector("[data-turn=next]");
    if (turn.closest("nav").hidden || turn.disabled) return;
    turn.click();
    this.decorate();
    this.next();
  }

  export() {
    download("accepted.m2", this.marks.text(), "text/plain");
  }

  async import(input) {
    const [file] = input.files;
    if (!file) return;
    const number = this.marks.read(await file.text());
    input.value = "";
    this.changed();
    document.getElementById("marks-found").textContent += `; ${number} taken from ${file.name}`;
  }
}

/** A number that differs between corpora. */
function fingerprint({ sentences }) {
  let hash = 0x811c9dc5;
  for (const { source } of sentences) {
    for (const sign of source) hash = Math.imul(hash ^ sign.codePointAt(0), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}
