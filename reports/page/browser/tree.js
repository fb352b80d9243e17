// Folding of trees: tables of role treegrid. Arrows move, open and close; Home and End go to
// the ends; Enter opens or closes. SPDX-License-Identifier: MIT
"use strict";

const pdTreeFolded = 2000; // rows: longer ones come folded

// The cards of the intervals in a tree: those that come next in its section.
function pdCardsBehind(table) {
  const section = table.closest("section") || document;
  return section.querySelector(".cards");
}

function pdOpenCard(card) {
  card.open = true;
  card.scrollIntoView({ block: "start" });
}

// A link to a card opens it, too.
window.addEventListener("hashchange", () => {
  const card = document.getElementById(location.hash.slice(1));
  if (card && card.classList.contains("card")) pdOpenCard(card);
});

class PdTree {
  constructor(table) {
    this.table = table;
    this.rows = [...table.tBodies[0].rows].map((tr) => ({ tr, level: Number(tr.getAttribute("aria-level")), children: [], open: true, parent: null }));
    const path = [];
    this.cards = pdCardsBehind(table);
    if (this.cards) table.classList.add("leads");
    this.rows.forEach((row, index) => {
      row.index = index;
      row.parent = path[row.level - 2] || null;
      if (row.parent) row.parent.children.push(row);
      path[row.level - 1] = row;
      path.length = row.level;
      row.tr.pdRow = row;
      row.tr.tabIndex = -1;
    });
    this.roots = this.rows.filter((row) => row.parent === null);
    this.rows.filter((row) => row.children.length > 0).forEach((row) => {
      row.tr.setAttribute("aria-expanded", "true");
      const button = pdElement("button", { type: "button", class: "fold", tabindex: "-1", "aria-label": "fold or unfold" });
      row.tr.cells[0].prepend(button);
    });
    if (this.rows.length > 0) this.rows[0].tr.tabIndex = 0;
    table.addEventListener("click", (event) => this.click(event));
    table.addEventListener("keydown", (event) => this.key(event));
    const open = Number(table.dataset.open || (this.rows.length > pdTreeFolded ? 1 : 0));
    if (this.rows.length > 5 && this.rows.some((row) => row.children.length > 0)) this.addTools();
    if (open > 0) this.openTo(open - (table.dataset.open ? 1 : 0));
  }

  addTools() {
    const tools = pdElement("div", { class: "tools" });
    [["Unfold all", 1e9], ["Fold all", this.table.dataset.open ? 0 : 1]].forEach(([label, level]) => {
      const button = pdElement("button", { type: "button" }, label);
      button.addEventListener("click", () => this.openTo(level));
      tools.append(button);
    });
    const filter = pdElement("input", { type: "search", placeholder: "Find", "aria-label": "Show only rows with these letters" });
    filter.addEventListener("input", () => this.filter(filter.value.toLowerCase()));
    tools.append(filter);
    this.table.closest(".scroll").before(tools);
  }

  // Rows are shown if all around them are open.
  refresh() {
    const show = (row, visible) => {
      row.tr.hidden = !visible;
      if (row.children.length > 0) row.tr.setAttribute("aria-expanded", String(row.open));
      row.children.forEach((child) => show(child, visible && row.open));
    };
    this.roots.forEach((row) => show(row, true));
  }

  openTo(level) {
    this.rows.forEach((row) => { row.open = row.level <= level; });
    this.refresh();
  }

  filter(text) {
    if (text === "") return this.refresh();
    const visit = (row) => {
      const below = row.children.map(visit).some((found) => found);
      const found = row.tr.cells[0].textContent.toLowerCase().includes(text);
      row.tr.hidden = !(found || below);
      return found || below;
    };
    this.roots.forEach(visit);
    return undefined;
  }

  toggle(row, open) {
    if (row.children.length === 0 || row.open === open) return;
    row.open = open;
    this.refresh();
  }

  focus(row) {
    this.rows.forEach((other) => { other.tr.tabIndex = -1; });
    row.tr.tabIndex = 0;
    row.tr.focus();
  }

  click(event) {
    const row = event.target.closest("tbody tr") && event.target.closest("tbody tr").pdRow;
    if (row && event.target.closest("button.fold")) this.toggle(row, !row.open);
    else if (row && this.cards && this.cards.children[row.index]) pdOpenCard(this.cards.children[row.index]);
  }

  key(event) {
    const row = event.target.pdRow;
    if (!row) return;
    const visible = [...this.table.tBodies[0].rows].filter((tr) => !tr.hidden).map((tr) => tr.pdRow);
    const at = visible.indexOf(row);
    const acts = {
      ArrowDown: () => visible[at + 1] && this.focus(visible[at + 1]),
      ArrowUp: () => visible[at - 1] && this.focus(visible[at - 1]),
      ArrowRight: () => (row.children.length > 0 && row.open ? this.focus(row.children[0]) : this.toggle(row, true)),
      ArrowLeft: () => (row.children.length > 0 && row.open ? this.toggle(row, false) : row.parent && this.focus(row.parent)),
      Home: () => this.focus(visible[0]),
      End: () => this.focus(visible[visible.length - 1]),
      Enter: () => this.toggle(row, !row.open),
      " ": () => this.toggle(row, !row.open),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  // Those inside an interval stay in it. compare: of two rows of the table
  sort(compare) {
    const body = this.table.tBodies[0], sorted = [];
    const add = (rows) => rows.slice().sort((a, b) => compare(a.tr, b.tr)).forEach((row) => { sorted.push(row.tr); add(row.children); });
    add(this.roots);
    body.append(...sorted);
  }
}
