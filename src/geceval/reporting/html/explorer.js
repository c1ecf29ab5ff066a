// The explorer: a form, a list that is rendered page by page, and the details of a sentence.

const PAGE = 20;

class Explorer {
  constructor(data) {
    this.data = data;
    this.evidence = new Evidence(data);
    this.form = document.getElementById("filters");
    this.list = document.getElementById("list");
    this.found = document.getElementById("found");
    this.error = document.getElementById("text-error");
    this.page = 0;
    this.places = [];
  }

  start() {
    this.form.addEventListener("input", () => this.asked());
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
    window.addEventListener("hashchange", () => this.followed());
    this.form.hidden = false;
    this.form.closest("details").open = matchMedia("(min-width: 44rem)").matches;
    this.read();
    if (this.state.sentence !== null) this.reveal();
  }

  // --- the state, in the address and in the form ---

  /** Handle a change of the address; anchors of the page are ignored. */
  followed() {
    if (location.hash && !location.hash.includes("=")) return;
    this.read();
    if (this.state.sentence !== null) this.reveal();
  }

  read() {
    const hash = location.hash.includes("=") ? location.hash : "";
    this.state = stateOf(hash, this.data);
    this.fill();
    this.update();
  }

  /** Handle a change of the form. */
  asked() {
    const said = new FormData(this.form);
    const number = (name) => Number(this.form.elements[name].value); // includes disabled elements
    const checked = said.getAll("system").map(Number);
    const systems = this.data.ranked.filter((at) => checked.includes(at));
    this.state = {
      sentence: null,
      systems,
      type: said.get("type"),
      outcomes: said.getAll("outcome"),
      label: said.get("group") ?? "",
      text: said.get("text"),
      order: said.get("sort"),
      metric: number("metric"),
      system: number("a"),
      other: number("b"),
      down: said.get("down") === "1",
      aligned: said.get("view") === "aligned",
    };
    this.go(this.state, { fill: false });
  }

  take(systems) {
    this.go({ ...this.state, systems, sentence: null });
  }

  go(state, { fill = true } = {}) {
    this.state = state;
    // Replace the entry, so that the back button does not step through every typed letter.
    history.replaceState(null, "", hashOf(state, this.data));
    if (fill) this.fill();
    this.update();
  }

  fill() {
    const { state, form } = this;
    const set = (name, value) => {
      if (form.elements[name]) form.elements[name].value = value;
    };
    for (const [name, values] of [["system", state.systems.map(String)], ["outcome", state.outcomes]]) {
      for (const box of form.querySelectorAll(`input[name=${name}]`)) box.checked = values.includes(box.value);
    }
    set("type", state.type);
    set("group", state.label);
    set("text", state.text);
    set("sort", state.order);
    set("metric", String(state.metric));
    set("a", String(state.system));
    set("b", String(state.other));
    set("down", state.down ? "1" : "0");
    set("view", state.aligned ? "aligned" : "inline");
  }

  // --- the list ---

  update() {
    const { pattern, error } = patternOf(this.state.text);
    this.error.textContent = error;
    this.form.elements.text.setAttribute("aria-invalid", String(error !== ""));
    for (const [name, orders] of [["a", ["loss", "score", "difference"]], ["b", ["difference"]]]) {
      this.form.elements[name].disabled = !orders.includes(this.state.order);
    }
    this.places = error ? [] : chosen(this.state, this.data, pattern);
    this.page = Math.max(0, Math.floor(this.places.findIndex((place) => this.data.number(place) === this.state.sentence) / PAGE));
    this.show();
  }

  show() {
    const { places, page } = this;
    const pages = Math.max(1, Math.ceil(places.length / PAGE));
    const here = places.slice(page * PAGE, (page + 1) * PAGE);
    this.list.replaceChildren(...here.map((place) => new Card(this.data, this.state, this.data.get(place)).element()));
    this.found.textContent = `${places.length.toLocaleString("en")} of ${this.data.length.toLocaleString("en")} sentences, ${orderInWords(this.state, this.data)}`;
    for (const pager of document.querySelectorAll(".pager")) {
      pager.hidden = pages === 1;
      pager.querySelector("[data-page]").textContent = `page ${page + 1} of ${pages}`;
      pager.querySelector("[data-turn=back]").disabled = page === 0;
      pager.querySelector("[data-turn=on]").disabled = page === pages - 1;
    }
  }

  turn(way) {
    if (!way) return;
    this.page += way === "on" ? 1 : -1;
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

  why(button) {
    if (!button) return;
    const open = button.getAttribute("aria-expanded") === "true";
    const row = button.closest("tr");
    button.setAttribute("aria-expanded", String(!open));
    if (open) {
      row.nextElementSibling.remove();
      return;
    }
    const sentence = this.data.get(Number(button.dataset.place));
    row.after(evidenceRow(this.data, this.evidence, sentence, Number(button.dataset.system), row.children.length));
  }

  // --- export ---

  export() {
    const file = new Blob([tsvOf(this.places, this.state, this.data)], { type: "text/tab-separated-values;charset=utf-8" });
    const link = make("a", { href: URL.createObjectURL(file), download: "sentences.tsv" });
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

/** A line for each sentence and system, with a head. */
function tsvOf(places, state, data) {
  const head = ["sentence", "group", "system", ...data.metrics.map((metric) => metric.label), "correct", "wrong", "missed", "source", "output", "edits", FALSE_ALARM];
  const lines = [head];
  for (const place of places) {
    const sentence = data.get(place);
    for (const system of state.systems) lines.push(exported(sentence, system, data));
  }
  return lines.map((cells) => `${cells.map(cellText).join("\t")}\n`).join("");
}

function exported(sentence, system, data) {
  const output = sentence.outputs[system];
  const edits = [...output.edits, ...output.missed];
  const many = (outcome) => edits.filter((edit) => edit.outcome === outcome).length;
  const said = edits.map((edit) => `${edit.outcome || "-"} ${edit.start}:${edit.end} ${edit.type || "-"} [${edit.from} -> ${edit.to}]`);
  const counts = ["correct", "wrong", "missed"].map(many);
  return [sentence.number, sentence.label ?? "", data.systems[system], ...output.scores.map((score) => score ?? ""), ...counts, sentence.source, output.text, said.join("; "), Number(output.isFalseAlarm)];
}

/** Cells contain no tabs and no line ends. */
function cellText(value) {
  return String(value).replace(/[\t\r\n]+/g, " ");
}
