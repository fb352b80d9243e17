// What holds for every page. Each check returns "" or what is wrong. SPDX-License-Identifier: MIT
import { expected } from "./marks.mjs";

// ---- nothing is asked for, nothing complained of

export function checkQuiet(page) {
  const asked = page.requests.filter((url) => url !== page.url && !url.startsWith("data:"));
  return page.complaints.map((text) => "said: " + text).concat(asked.map((url) => "asked for " + url)).join("\n");
}

// ---- charts

const described = () => pdPage.charts.map((chart) => {
  const series = chart.instance.getOption().series;
  const nodes = (node) => 1 + (node.children || []).reduce((n, child) => n + nodes(child), 0);
  const box = chart.canvas.getBoundingClientRect();
  const shapes = chart.instance.getZr().storage.getDisplayList(true).filter((shape) => !shape.ignore && !shape.invisible), drawn = shapes.length;
  return {
    kind: chart.kind, key: chart.key, width: box.width, height: box.height, drawn, label: chart.canvas.getAttribute("aria-label") || "",
    series: series.map((s) => s.data.length), types: series.map((s) => s.type),
    cells: shapes.reduce((n, shape) => n + (shape.shape && shape.shape.cells ? shape.shape.cells.length : 0), 0),
    nodes: series[0].type === "tree" ? series[0].data.reduce((n, node) => n + nodes(node), 0) : 0,
  };
});

function wrongMarks(chart, data) {
  if (!expected[chart.kind]) return "what is the right number of marks of this kind?";
  const wanted = expected[chart.kind](data);
  const total = chart.series.reduce((a, b) => a + b, 0);
  if (wanted.series && wanted.series.join() !== chart.series.join()) return "marks of its series: " + chart.series + ", not " + wanted.series;
  if (wanted.marks !== undefined && wanted.marks !== total) return total + " marks, not " + wanted.marks;
  if (wanted.cells !== undefined && wanted.cells !== chart.cells) return chart.cells + " cells, not " + wanted.cells;
  if (wanted.nodes !== undefined && wanted.nodes !== chart.nodes) return chart.nodes + " nodes, not " + wanted.nodes;
  if (chart.drawn < 3 || chart.height < 50 || chart.width < 100) return chart.drawn + " shapes in " + chart.width + " x " + chart.height;
  return chart.label === "" ? "no description for those who do not see it" : "";
}

// kinds: those that must be on the page
export async function checkCharts(page, kinds) {
  await page.evaluate(() => pdPage.drawAll());
  await page.settle();
  const charts = await page.evaluate(described);
  const data = await page.evaluate(() => JSON.parse(document.getElementById("pd-data").textContent));
  const places = await page.evaluate(() => document.querySelectorAll("figure.pd-chart").length);
  const wrong = charts.map((chart) => [chart, wrongMarks(chart, data[chart.key])]).filter((w) => w[1] !== "").map(([chart, text]) => chart.kind + " " + chart.key + ": " + text);
  const missing = kinds.filter((kind) => !charts.some((chart) => chart.kind === kind)).map((kind) => "no chart " + kind);
  if (places !== charts.length) missing.push(charts.length + " charts in " + places + " places");
  return wrong.concat(missing).join("\n");
}

// ---- how it looks

export const wrongOverflow = () => {
  const root = document.documentElement, wide = [];
  if (root.scrollWidth <= root.clientWidth) return "";
  document.querySelectorAll("body *").forEach((element) => {
    const box = element.getBoundingClientRect();
    if (box.right > root.clientWidth + 1 && !element.closest(".scroll, pre.wide, .pd-canvas")) wide.push(element.tagName + "." + element.className + " to " + Math.round(box.right));
  });
  return root.scrollWidth + " pixels in " + root.clientWidth + ": " + wide.slice(0, 5).join(", ");
};

// Text upon what is behind it, by WCAG: at least 4.5 to 1, 3 for large text.
export const wrongContrast = () => {
  const channel = (v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  const light = (c) => .2126 * channel(c[0] / 255) + .7152 * channel(c[1] / 255) + .0722 * channel(c[2] / 255);
  const parse = (text) => {
    const n = text.match(/[\d.]+/g).map(Number);
    return [n[0], n[1], n[2], n.length > 3 ? n[3] : 1];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * under[i]).concat([1]);
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    const canvas = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
    return layers.reverse().reduce((under, layer) => over(layer, under), canvas);
  };
  const seen = new Set(), wrong = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(), n = 0; node && n < 4000; node = walk.nextNode()) {
    const element = node.parentElement;
    if (node.textContent.trim() === "" || element.closest("script, style, .pd-canvas, [hidden], :disabled") || element.getClientRects().length === 0) continue;
    n++;
    const style = getComputedStyle(element), back = behind(element), front = over(parse(style.color), back);
    const what = style.color + " upon " + back.slice(0, 3).map(Math.round);
    if (seen.has(what)) continue;
    seen.add(what);
    const [a, b] = [light(front), light(back)], ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) wrong.push(ratio.toFixed(2) + ": \"" + node.textContent.trim().slice(0, 30) + "\", " + what);
  }
  return seen.size < 3 ? "only " + seen.size + " colours of text found" : wrong.join("\n");
};

// Texts in charts, by the colours that they are drawn in.
export async function checkLooks(page) {
  const wrong = [];
  for (const width of [1280, 400])
    for (const dark of [false, true]) {
      await page.look({ width, dark });
      for (const check of [wrongOverflow, wrongContrast]) {
        const found = await page.evaluate(check);
        if (found !== "") wrong.push(width + (dark ? " dark: " : " light: ") + found);
      }
      const followed = await page.evaluate(() => (window.pdPage ? pdPage.charts : []).every((chart) => chart.figure.clientWidth === 0 || chart.width === chart.figure.clientWidth));
      if (!followed) wrong.push(width + ": charts have another width than their place");
    }
  await page.look({});
  return wrong.join("\n");
}

// All sections are there, charts as vectors, whatever is folded on the screen; and the PDF has pages.
export async function checkPrint(page) {
  await page.look({ print: true });
  const hidden = await page.evaluate(() => [...document.querySelectorAll("main section")].filter((section) => section.getBoundingClientRect().height < 20).map((section) => section.id));
  const controls = await page.evaluate(() => [...document.querySelectorAll(".tools")].filter((tools) => tools.getClientRects().length > 0).length);
  const { data } = await page.send("Page.printToPDF", { printBackground: true });
  const pdf = Buffer.from(data, "base64"), pages = (pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) || []).length;
  await page.look({});
  const after = await page.evaluate(() => document.documentElement.classList.contains("printing"));
  const wrong = hidden.map((id) => "section " + id + " is not printed");
  if (controls > 0) wrong.push(controls + " rows of buttons are printed");
  if (pages < 1) wrong.push("a PDF of " + pages + " pages, " + pdf.length + " bytes");
  if (after) wrong.push("looks printed afterwards");
  return wrong.join("\n");
}

// ---- the keyboard

// Remembers what had the focus, and whether one saw that.
const watchFocus = () => {
  const seen = new Set();
  window.pdSeen = seen;
  window.pdBlind = [];
  document.addEventListener("focusin", (event) => {
    if (seen.has(event.target)) return;
    seen.add(event.target);
    if (!window.pdIsMarked(event.target)) window.pdBlind.push(event.target);
  });
  window.pdIsMarked = (element) => {
    const style = getComputedStyle(element);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  };
  document.activeElement.blur();
};

// Of those that were not marked when the focus came, those that are not marked a frame later: a
// busy machine may be late.
const findBlind = async () => {
  const blind = [];
  for (const element of window.pdBlind) {
    element.focus({ focusVisible: true });
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (!window.pdIsMarked(element)) blind.push(element.outerHTML.slice(0, 80));
  }
  return blind;
};

// What one can do something with, as it is shown now.
const findControls = () => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
  .filter((element) => element.tabIndex >= 0 && !element.disabled && element.getClientRects().length > 0 && element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }));

export async function checkKeyboard(page) {
  await page.evaluate(watchFocus);
  const wanted = await page.evaluate(`() => (${findControls})().length`);
  for (let i = 0; i < wanted + 3; i++) await page.press("Tab");
  const missed = await page.evaluate(`() => (${findControls})().filter((element) => !window.pdSeen.has(element)).map((element) => element.outerHTML.slice(0, 100))`);
  const blind = await page.evaluate(findBlind);
  const wrong = missed.map((text) => "Tab does not reach " + text).concat(blind.map((text) => "one does not see that the focus is on " + text));
  return (wanted < 3 ? ["only " + wanted + " controls"] : []).concat(wrong).slice(0, 10).join("\n");
}

// ---- trees and sorting

const unfold = () => document.querySelectorAll("details").forEach((details) => { details.open = true; });

const treeState = (n) => {
  const table = document.querySelectorAll("table[role=treegrid]")[n], rows = [...table.tBodies[0].rows];
  const at = rows.findIndex((tr) => tr.hasAttribute("aria-expanded") && !tr.hidden);
  if (at < 0) return null;
  const level = Number(rows[at].getAttribute("aria-level"));
  const end = rows.findIndex((tr, i) => i > at && Number(tr.getAttribute("aria-level")) <= level);
  const inside = rows.slice(at + 1, end < 0 ? undefined : end);
  return { at, expanded: rows[at].getAttribute("aria-expanded"), inside: inside.length, shown: inside.filter((tr) => !tr.hidden).length, focused: rows.indexOf(document.activeElement) };
};

async function checkTree(page, n) {
  const fold = (k) => {
    const table = document.querySelectorAll("table[role=treegrid]")[k];
    return [...table.tBodies[0].rows].find((tr) => tr.hasAttribute("aria-expanded") && !tr.hidden).querySelector("button.fold");
  };
  const before = await page.evaluate(treeState, n), wrong = [];
  if (!before) return ["no row of tree " + n + " has rows inside"];
  const expect = async (what, expanded) => {
    const now = await page.evaluate(treeState, n);
    if (now.expanded !== String(expanded) || (expanded ? now.shown === 0 : now.shown > 0)) wrong.push("tree " + n + ", " + what + ": " + JSON.stringify(now));
    return now;
  };
  if (before.expanded === "false") await page.click(fold, n);
  await expect("at first", true);
  await page.click(fold, n);
  await expect("closed with the mouse", false);
  await page.click(fold, n);
  await expect("opened with the mouse", true);
  await page.evaluate((k, at) => {
    const tr = document.querySelectorAll("table[role=treegrid]")[k].tBodies[0].rows[at];
    tr.pdRow && tr.focus();
  }, n, before.at);
  await page.press("ArrowLeft");
  await expect("closed with the left arrow", false);
  await page.press("ArrowRight");
  await expect("opened with the right arrow", true);
  await page.press("ArrowRight");
  const now = await expect("the right arrow goes in", true);
  if (now.focused !== now.at + 1) wrong.push("tree " + n + ": the focus is on row " + now.focused + ", not " + (now.at + 1));
  await page.press("ArrowUp");
  await page.press("Enter");
  await expect("closed with Enter", false);
  await page.press("Enter");
  await expect("opened with Enter", true);
  return wrong;
}

export async function checkTrees(page) {
  await page.evaluate(unfold);
  await page.settle();
  const n = await page.evaluate(() => [...document.querySelectorAll("table[role=treegrid]")].map((table, i) => i)
    .filter((i) => document.querySelectorAll("table[role=treegrid]")[i].querySelector("tr[aria-expanded]")));
  const wrong = [];
  for (const i of n.slice(0, 4)) wrong.push(...await checkTree(page, i));
  return (n.length === 0 ? ["no tree"] : wrong).join("\n");
}

// In each column of each table that has buttons: falling, rising, as it was.
const wrongSorting = () => {
  const wrong = [];
  const value = (tr, column) => {
    const text = tr.cells[column].textContent.replace(/[\s\u00a0\u202f]/g, "");
    return /^[-+]?[.\d]/.test(text) ? parseFloat(text) : null;
  };
  const runs = (rows, tree) => {
    if (!tree) return [rows];
    const groups = new Map(), path = [];
    rows.forEach((tr) => {
      const level = Number(tr.getAttribute("aria-level")), parent = path[level - 1] || null;
      path[level] = tr;
      groups.set(parent, (groups.get(parent) || []).concat([tr]));
    });
    return [...groups.values()];
  };
  let sorted = 0;
  document.querySelectorAll("main table").forEach((table, t) => {
    const tree = table.getAttribute("role") === "treegrid", body = table.tBodies[0];
    const as = () => [...body.rows].map((tr) => tr.textContent).join("\n");
    const before = as(), n = body.rows.length;
    if (n > 3000) return;
    [...table.tHead.rows[0].cells].forEach((th, column) => {
      const button = th.querySelector("button");
      if (!button) return;
      for (const [order, sign] of [["descending", -1], ["ascending", 1]]) {
        button.click();
        const where = "table " + t + ", \"" + th.textContent + "\" " + order;
        if (th.getAttribute("aria-sort") !== order || table.querySelectorAll('th[aria-sort$="scending"]').length !== 1) wrong.push(where + ": aria-sort is " + th.getAttribute("aria-sort"));
        runs([...body.rows], tree).forEach((rows) => {
          const values = rows.map((tr) => value(tr, column)).filter((v) => v !== null);
          if (values.some((v, i) => i > 0 && sign * (v - values[i - 1]) < 0)) wrong.push(where + ": " + values.slice(0, 8).join(" "));
          if (values.length > 1) sorted++;
        });
      }
      button.click();
      if (as() !== before || body.rows.length !== n) wrong.push("table " + t + ", \"" + th.textContent + "\": not as it was");
    });
  });
  return sorted === 0 ? "nothing was sorted" : wrong.slice(0, 10).join("\n");
};

export async function checkSorting(page) {
  const heading = () => [...document.querySelectorAll("main th[aria-sort] button")].find((button) => button.getClientRects().length > 0);
  const order = `() => (${heading})().closest("th").getAttribute("aria-sort")`;
  await page.evaluate(unfold);
  await page.settle();
  const wrong = [await page.evaluate(wrongSorting)];
  await page.click(heading);
  if (await page.evaluate(order) !== "descending") wrong.push("a click does not sort");
  await page.press("Enter");
  if (await page.evaluate(order) !== "ascending") wrong.push("Enter does not sort");
  return wrong.filter((text) => text !== "").join("\n");
}
