// Blocks of which one is shown: the one that is chosen in a list, or by a row of the tree of
// intervals before them. SPDX-License-Identifier: MIT
"use strict";

function pdStartChoice(box) {
  const blocks = [...box.querySelectorAll(":scope > div")]; // before the list is added
  const list = pdElement("select", { "aria-label": "Interval" }, ...blocks.map((block, i) => pdElement("option", { value: String(i) }, block.querySelector("h4").textContent)));
  const show = (i) => {
    list.value = String(i);
    blocks.forEach((block, k) => { block.hidden = k !== i; });
  };
  const tree = [...document.querySelectorAll("table.tree")].filter((table) => table.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING).pop();
  const ofRow = new Map(blocks.map((block, i) => [Number(block.dataset.position), i]));
  list.addEventListener("change", () => show(Number(list.value)));
  [...(tree ? tree.tBodies[0].rows : [])].forEach((tr, position) => {
    if (ofRow.has(position)) tr.addEventListener("click", () => show(ofRow.get(position)));
  });
  box.prepend(pdElement("div", { class: "tools" }, list));
  show(0);
}
