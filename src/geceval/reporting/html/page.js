// The page without the explorer: theme, sorting of tables, selection of charts, tooltips of edits.

const THEMES = ["auto", "light", "dark"];

function themeSwitch(button) {
  let theme = THEMES.includes(remembered()) ? remembered() : "auto";
  const apply = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    remember(theme);
    apply();
  });
  button.hidden = false;
  apply();
}

// Storage can be unavailable for local files; the theme is not saved then.
function remembered() {
  try {
    return localStorage.getItem("geceval-theme");
  } catch {
    return null;
  }
}

function remember(theme) {
  try {
    localStorage.setItem("geceval-theme", theme);
  } catch {
    /* see above */
  }
}

/** Replace heads by buttons that sort by their column; the row of the source remains last. */
function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = make("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending" && column > 0;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sign = down ? -1 : 1;
      const rows = [...table.tBodies[0].rows].sort(
        (a, b) => a.classList.contains("apart") - b.classList.contains("apart") || sign * comparedCells(a.cells[column], b.cells[column]),
      );
      table.tBodies[0].append(...rows);
    });
  });
}

/** Cells that start with a number, such as 84 of 136, in the order of these; cells without are first. */
function comparedCells(a, b) {
  if (a.tagName === "TH" || a.classList.contains("text")) return a.textContent.localeCompare(b.textContent);
  const [first, second] = [a, b].map((cell) => Number.parseFloat(cell.textContent.replace("−", "-").replace("[", "")));
  return (Number.isNaN(second) - Number.isNaN(first)) || first - second || 0;
}

/** The charts of types, of one metric and two systems. */
function typePicker(element) {
  const { metric, first, second } = element.elements;
  const shown = document.getElementById("types-shown");
  const charts = readData("charts");
  element.addEventListener("input", async () => {
    const ofMetric = (await charts)[metric.value];
    shown.replaceChildren(...[...new Set([first.value, second.value])].map((system) => figureOf(ofMetric[system])));
  });
  element.addEventListener("submit", (event) => event.preventDefault());
  element.hidden = false;
}

/** A chart that the file contains as text, because the page cannot have all of them as elements. */
function figureOf([title, svg]) {
  if (svg === null) return make("p", { class: "note" }, `${title}: no correct, wrong or missed edits by type.`);
  const chart = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return make("figure", {}, make("figcaption", {}, title), document.adoptNode(chart));
}

/** The tooltip of an edit, on hover and focus; Escape hides it. */
function tooltips() {
  const tip = make("div", { class: "tip", role: "tooltip", id: "tip", hidden: "" });
  document.body.append(tip);
  const hide = () => {
    tip.hidden = true;
  };
  const show = (event) => {
    const mark = event.target.closest?.("mark.edit");
    if (!mark || !tips.has(mark)) return;
    tip.textContent = tips.get(mark);
    tip.hidden = false;
    const box = mark.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8));
    const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
    tip.style.left = `${left}px`;
    tip.style.top = `${below ? box.bottom + 6 : box.top - tip.offsetHeight - 6}px`;
    mark.setAttribute("aria-describedby", "tip");
  };
  for (const name of ["mouseover", "focusin"]) document.addEventListener(name, show);
  for (const name of ["mouseout", "focusout"]) {
    document.addEventListener(name, (event) => event.target.closest?.("mark.edit") && hide());
  }
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  // The element of the tooltip may have been removed.
  for (const name of ["input", "click"]) document.addEventListener(name, hide);
  window.addEventListener("hashchange", hide);
  document.addEventListener("scroll", hide, { passive: true, capture: true });
}

async function explore() {
  const data = await readData("sentences");
  if (data === null) return;
  data.sentences.forEach(prepare);
  new Explorer(data).start();
}

themeSwitch(document.getElementById("theme"));
document.querySelectorAll("table[data-sortable]").forEach(sortable);
document.querySelectorAll("#types-picker").forEach(typePicker);
tooltips();
explore().catch((error) => {
  document.getElementById("unavailable").textContent = `The sentences cannot be read: ${error.message}`;
});
