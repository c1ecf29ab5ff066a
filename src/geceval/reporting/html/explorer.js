// The explorer: a form, a list that is rendered page by page, and the details of a sentence.

const PAGE = 20;

class Explorer {
  constructor(data) {
    this.data = data;
    this.evidence = null;
    this.form = document.getElementById("filters");
    this.list = document.getElementById("list");
    this.found = document.getElementById("found");
    this.error = document.getElementById("text-error");
    this.page = 0;
    this.sentences = [];
  }

  start() {
    this.form.addEventListener("input", () => this.changed());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("reset", (event) => {
      event.preventDefault();
      this.go(stateOf("", this.data));
    });
    this.form.querySelector("[data-do=all]").addEventListener("click", () => this.take(this.data.ranked));
    this.form.querySelector("[data-do=first]").addEventListener("click", () => this.take(this.data.ranked.slice(0, FIRST)));
    this.form.querySelector("[data-do=export]").addEventListener("click", () => this.export());
    for (const pager of document.querySelectorAll(".pager")) {
      pager.addEventListener("click", (event) => this.turn(event.target.closest("button")?.dataset.turn));
    }
    this.list.addEventListener("click", (event) => this.why(event.target.closest("button.why")));
    window.addEventListener("hashchange", () => this.read());
    this.form.hidden = false;
    document.getElementById("unavailable").hidden = true;
    this.form.closest("details").open = matchMedia("(min-width: 44rem)").matches;
    this.read(location.hash.includes("=") ? location.hash : "");
  }

  // --- the state, in the address and in the form ---

  /** Handle a change of the address; anchors of the page are ignored. */
  read(hash = location.hash) {
    if (hash && !hash.includes("=")) return;
    this.go(stateOf(hash, this.data), { address: false });
    if (this.state.sentence !== null) this.reveal();
  }

  /** Handle a change of the form. */
  changed() {
    const { elements } = this.form;
    const checked = (name) => [...this.form.querySelectorAll(`input[name=${name}]:checked`)].map(({ value }) => value);
    const systems = checked("system").map(Number);
    const fields = Object.fromEntries(FIELDS.map((name) => [name, elements[name]?.value ?? ""]));
    for (const name of ["metric", "a", "b"]) fields[name] = Number(fields[name]);
    const state = {
      ...fields,
      sentence: null,
      systems: this.data.ranked.filter((at) => systems.includes(at)),
      outcomes: checked("outcome"),
    };
    this.go(state, { form: false });
  }

  take(systems) {
    this.go({ ...this.state, systems, sentence: null });
  }

  go(state, { address = true, form = true } = {}) {
    this.state = state;
    // Replace the entry, so that the back button does not step through every typed letter.
    if (address) history.replaceState(null, "", hashOf(state, this.data));
    if (form) this.fill();
    this.update();
  }

  fill() {
    const { state, form } = this;
    for (const [name, values] of [["system", state.systems.map(String)], ["outcome", state.outcomes]]) {
      for (const box of form.querySelectorAll(`input[name=${name}]`)) box.checked = values.includes(box.value);
    }
    for (const name of FIELDS) if (form.elements[name]) form.elements[name].value = state[name];
  }

  // --- the list ---

  update() {
    const { pattern, error } = patternOf(this.state.text);
    this.error.textContent = error;
    this.form.elements.text.setAttribute("aria-invalid", String(error !== ""));
    for (const [name, orders] of [["a", ["loss", "score", "difference"]], ["b", ["difference"]]]) {
      this.form.elements[name].disabled = !orders.includes(this.state.sort);
    }
    this.sentences = error ? [] : chosen(this.state, this.data, pattern);
    const at = this.sentences.findIndex(({ number }) => number === this.state.sentence);
    this.page = Math.max(0, Math.floor(at / PAGE));
    this.show();
  }

  show() {
    const { sentences, data, state, page } = this;
    const pages = Math.max(1, Math.ceil(sentences.length / PAGE));
    const here = sentences.slice(page * PAGE, (page + 1) * PAGE);
    this.list.replaceChildren(...here.map((sentence) => new Card(data, state, sentence).element()));
    const [number, total] = [sentences, data.sentences].map(({ length }) => length.toLocaleString("en"));
    this.found.textContent = `${number} of ${total} sentences, ${orderInWords(state, data)}`;
    for (const pager of document.querySelectorAll(".pager")) {
      pager.hidden = pages === 1;
      pager.querySelector("[data-page]").textContent = `page ${page + 1} of ${pages}`;
      pager.querySelector("[data-turn=back]").disabled = page === 0;
      pager.querySelector("[data-turn=next]").disabled = page === pages - 1;
    }
  }

  turn(way) {
    if (!way) return;
    this.page += way === "next" ? 1 : -1;
    this.show();
    this.list.scrollIntoView({ block: "start" });
    this.list.querySelector("article")?.focus({ preventScroll: true });
  }

  /** Show the sentence that the address names, or report that the filters exclude it. */
  reveal() {
    const card = document.getElementById(`s-${this.state.sentence}`);
    if (card === null) {
      this.found.textContent += `; sentence ${this.state.sentence} is not among them`;
      this.found.scrollIntoView({ block: "center" });
      return;
    }
    card.scrollIntoView({ block: "start" });
    card.focus({ preventScroll: true });
  }

  /** Show or hide the evidence of a score, which is read on the first request. */
  async why(button) {
    if (!button) return;
    const open = button.getAttribute("aria-expanded") === "true";
    const row = button.closest("tr");
    button.setAttribute("aria-expanded", String(!open));
    if (open) {
      row.nextElementSibling.remove();
      return;
    }
    this.evidence ??= readData("evidence");
    const sentence = this.data.sentences[button.dataset.at];
    const output = sentence.bySystem[button.dataset.system];
    const evidence = (await this.evidence)[sentence.at][sentence.outputs.indexOf(output)];
    row.after(evidenceRow(this.data.metrics, output, evidence, row.children.length));
  }

  // --- export ---

  export() {
    download("sentences.tsv", tsvOf(this.sentences, this.state, this.data), "text/tab-separated-values");
  }
}

/** Offer text as a file. */
function download(name, text, type) {
  const file = new Blob([text], { type: `${type};charset=utf-8` });
  const link = make("a", { href: URL.createObjectURL(file), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A line for each sentence and system, with a head. */
function tsvOf(sentences, state, data) {
  const labels = data.metrics.map((metric) => metric.label);
  const head = ["sentence", "group", "system", ...labels, ...OUTCOMES, "source", "output", "edits", FALSE_ALARM];
  const rows = sentences.flatMap((sentence) => state.systems.map((system) => exported(sentence, system, data)));
  return [head, ...rows].map((cells) => `${cells.map(cellText).join("\t")}\n`).join("");
}

function exported({ number, group, source, bySystem }, system, data) {
  const { edits, missed, scores, text, falseAlarm } = bySystem[system];
  const all = [...edits, ...missed];
  const counts = OUTCOMES.map((outcome) => all.filter((edit) => edit.outcome === outcome).length);
  const listed = all.map((edit) => `${edit.outcome || "-"} ${edit.start}:${edit.end} ${edit.type || "-"} [${edit.from} -> ${edit.text}]`);
  const numbers = [...scores.map((score) => score ?? ""), ...counts];
  return [number, group ?? "", data.systems[system], ...numbers, source, text, listed.join("; "), Number(falseAlarm)];
}

/** Cells contain no tabs and no line ends. */
function cellText(value) {
  return String(value).replace(/[\t\r\n]+/g, " ");
}
