// Functions that all scripts of a page use. SPDX-License-Identifier: MIT
"use strict";

// data: of the charts; kinds: the functions that make ECharts options of them;
// charts: those that are drawn, { kind, key, figure, instance }, in the order of the page.
const pdPage = { data: {}, kinds: {}, charts: [] };
window.pdPage = pdPage;

const pdUnits = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"], [1e-12, "ps"]];

// The unit in which times up to `most` seconds are shown: { unit, factor }.
function pdTimeScale(most) {
  const found = pdUnits.find((u) => most >= u[0]) || (most > 0 ? pdUnits[4] : pdUnits[0]);
  return { unit: found[1], factor: 1 / found[0] };
}

// Six digits at most, without an exponent where one can do without.
function pdNumber(value) {
  if (value === null || value === undefined || !isFinite(value)) return "–";
  return String(Number(value.toPrecision(4)));
}

function pdSeconds(value) {
  if (value === null || value === undefined || !isFinite(value)) return "–";
  const scale = pdTimeScale(Math.abs(value));
  return pdNumber(value * scale.factor) + " " + scale.unit;
}

const pdBinaryUnits = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

function pdBytes(value) {
  const power = value > 0 ? Math.min(6, Math.max(0, Math.floor(Math.log2(value) / 10))) : 0;
  return pdNumber(value / 1024 ** power) + " " + (value === 1 ? "byte" : pdBinaryUnits[power]);
}

// Bandwidths have decimal prefixes.
function pdRate(value) {
  const power = value > 0 ? Math.min(4, Math.max(0, Math.floor(Math.log10(value) / 3))) : 0;
  return pdNumber(value / 1000 ** power) + " " + ["B", "kB", "MB", "GB", "TB"][power] + "/s";
}

function pdPercent(share) {
  return pdNumber(Math.round(1000 * share) / 10) + " %";
}

function pdMax(values) {
  return values.reduce((most, v) => (v > most ? v : most), 0);
}

// The end of a long name says more than its beginning; both are kept.
function pdShorten(text, length) {
  if (text.length <= length) return text;
  const head = Math.ceil((length - 1) / 3);
  return text.slice(0, head) + "…" + text.slice(text.length - (length - 1 - head));
}

// Names come from traces: they are text, never markup.
function pdEscape(text) {
  return String(text).replace(/[<>&"']/g, (c) => "&#" + c.charCodeAt(0) + ";");
}

function pdElement(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// The colours of the style sheet, as they are now.
function pdColours() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue("--" + name).trim();
  return {
    fg: get("fg"), dim: get("dim"), line: get("line"), card: get("card"), head: get("head"), accent: get("accent"),
    parts: ["w", "o", "i", "c", "d"].map(get),
    states: ["w", "i", "o", "send", "receive", "wait", "c", "one-sided", "other"].map(get), // of timelines
    heat: ["heat-0", "heat-1", "heat-2"].map(get),
    w: get("w"), o: get("o"), c: get("c"), wait: get("wait"), good: get("good"), fair: get("fair"), bad: get("bad"),
    // of curves that are no part of time: apart in lightness, too
    curves: Array.from({ length: 8 }, (none, k) => get("curve-" + k)),
  };
}
