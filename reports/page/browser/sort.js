// Sorting by columns: the heading is a button; falling, rising, then as it was.
// SPDX-License-Identifier: MIT
"use strict";

const pdSortNext = { none: "descending", descending: "ascending", ascending: "none" };

// Numbers before other texts; "-" is an unknown value.
function pdSortValue(tr, column) {
  const cell = tr.cells[column];
  const text = cell ? cell.textContent.trim() : "";
  const number = parseFloat(text.replace(/\s/g, ""));
  return isNaN(number) || !/^[-+.\d]/.test(text) ? text : number;
}

function pdCompareValues(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number" || typeof b === "number") return typeof a === "number" ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function pdSortBy(table, tree, column, order) {
  const body = table.tBodies[0];
  const compare = (a, b) => {
    if (order === "none") return a.pdPlace - b.pdPlace;
    const sign = order === "ascending" ? 1 : -1;
    return sign * pdCompareValues(pdSortValue(a, column), pdSortValue(b, column)) || a.pdPlace - b.pdPlace;
  };
  if (tree) tree.sort(compare);
  else body.append(...[...body.rows].sort(compare));
}

function pdMakeSortable(table, tree) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < 3 || rows.some((tr) => tr.cells.length !== rows[0].cells.length)) return;
  rows.forEach((tr, i) => { tr.pdPlace = i; });
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((th, column) => {
    if (rows[0].cells[column].classList.contains("b") || th.textContent === "") return;
    const button = pdElement("button", { type: "button" }, ...th.childNodes);
    th.append(button);
    th.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const order = pdSortNext[th.getAttribute("aria-sort")];
      headings.forEach((other) => { if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none"); });
      th.setAttribute("aria-sort", order);
      pdSortBy(table, tree, column, order);
    });
  });
}
