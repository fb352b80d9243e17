// A run on other machines: curves of exact predictions, and sliders that choose among them.
// SPDX-License-Identifier: MIT
"use strict";

const pdScanStyles = [
  { style: "c", type: "solid", symbol: "circle" }, { style: "c", type: "dashed", symbol: "rect" }, { style: "w", type: "solid", symbol: "triangle" },
];

// The time at a point, steps of each parameter; null: not predicted, or the program does not end.
function pdScanTime(data, at) {
  const most = (data.factor.length - 1) / 2, moved = at.map((s, k) => k).filter((k) => at[k] !== 0);
  if (moved.length === 0) return data.today;
  if (moved.length === 1) return data.parameters[moved[0]].seconds[at[moved[0]] + most];
  const third = data.parameters[3 - moved[0] - moved[1]];
  if (moved.length > 2 || !third.others || moved.some((k) => at[k] % data.grid !== 0)) return null;
  const index = (k) => (at[k] + most) / data.grid;
  return third.others[index(moved[0]) * (2 * most / data.grid + 1) + index(moved[1])];
}

// The state when a slider is moved: two at most are away from the description, then at powers of two.
function pdScanMove(data, state, k, step) {
  const at = state.at.slice(), order = state.order.filter((other) => other !== k && at[other] !== 0);
  const keep = data.parameters[0].others ? 1 : 0;
  order.splice(0, order.length - keep).forEach((other) => { at[other] = 0; });
  at[k] = step;
  if (step !== 0 && order.length > 0) {
    const whole = (s) => Math.round(s / data.grid) * data.grid;
    at[k] = whole(step);
    at[order[0]] = whole(at[order[0]]);
  }
  return { at, order: order.concat([k]), eager: null };
}

// Points of the curve of a parameter, the others as they are: [factor, seconds].
function pdScanCurve(data, at, k) {
  const most = (data.factor.length - 1) / 2;
  return data.factor.map((factor, i) => [factor, pdScanTime(data, at.map((s, other) => (other === k ? i - most : s)))]).filter((p) => p[1] !== null);
}

// Where along a curve another parameter becomes the limit: [factor, seconds, parameter, limit].
function pdScanChanges(data) {
  const found = [];
  data.parameters.forEach((p, k) => (p.limit || []).forEach((limit, i, all) => {
    const before = all[i + (k === 0 ? 1 : -1)];
    if (limit >= 0 && before >= 0 && limit !== before) found.push([data.factor[i * data.grid], p.seconds[i * data.grid], k, limit]);
  }));
  return found;
}

function pdScanFactor(factor) {
  return factor < 1 ? "1/" + pdNumber(1 / factor) : pdNumber(factor);
}

function pdScanValue(data, k, factor) {
  const value = data.parameters[k].value * factor;
  return value > 0 ? (k === 0 ? pdSeconds(value) : pdRate(value)) : "";
}

function pdScanPosition(data, k, step) {
  const factor = data.factor[step + (data.factor.length - 1) / 2], value = pdScanValue(data, k, factor);
  return "× " + pdScanFactor(factor) + (value ? " = " + value : "");
}

function pdScanAgainst(data, seconds) {
  if (seconds === null) return "the program does not end";
  const share = seconds / data.today - 1;
  return pdSeconds(seconds) + (share === 0 ? ", as described" : ", " + pdPercent(Math.abs(share)) + (share < 0 ? " less" : " more") + " than " + pdSeconds(data.today));
}

function pdScanLimit(bytes) {
  return bytes < 0 ? "none" : pdBytes(bytes);
}

// The prediction at the position of the sliders, and the options that repeat it.
function pdScanNote(data, state) {
  if (state.eager !== null) {
    const bytes = data.eager.bytes[state.eager];
    return "Messages up to " + pdScanLimit(bytes) + " are eager: " + pdScanAgainst(data, data.eager.seconds[state.eager]) + ".";
  }
  const moved = data.parameters.map((p, k) => k).filter((k) => state.at[k] !== 0);
  if (moved.length === 0) return "As described: " + pdSeconds(data.today) + ".";
  const most = (data.factor.length - 1) / 2;
  return moved.map((k) => data.parameters[k].name + " " + pdScanPosition(data, k, state.at[k])).join(", ") + ": "
    + pdScanAgainst(data, pdScanTime(data, state.at)) + ". Predicted, as by "
    + moved.map((k) => "--set " + data.parameters[k].setting + "=" + data.factor[state.at[k] + most]).join(" ") + ".";
}

function pdScanSliders(data, view, state) {
  const most = (data.factor.length - 1) / 2, name = (text) => text[0].toUpperCase() + text.slice(1);
  const sliders = data.parameters.map((p, k) => ({
    label: name(p.name), min: -most, max: most, step: state.at.some((s, other) => other !== k && s !== 0) && p.others ? data.grid : data.step,
    value: state.at[k], text: pdScanPosition(data, k, state.at[k]), act: (step) => view.set(pdScanMove(data, state, k, step)),
  }));
  if (data.eager)
    sliders.push({ label: "Eager limit", min: -1, max: data.eager.bytes.length - 1, step: 1, value: state.eager === null ? -1 : state.eager,
      text: state.eager === null ? "as described" : pdScanLimit(data.eager.bytes[state.eager]),
      act: (i) => view.set({ at: [0, 0, 0], order: [], eager: i < 0 ? null : i }) });
  return sliders;
}

// Logarithmic where times span more than a factor of four.
function pdScanTimeAxis(view, seconds, scale) {
  const most = pdMax(seconds), least = Math.min(...seconds), log = most > 4 * least;
  return pdAxis(view, { type: log ? "log" : "value", logBase: 2, scale: true, name: "run time, " + scale.unit, axisLabel: { formatter: pdNumber },
    min: log ? 2 ** Math.floor(Math.log2(least * scale.factor)) : null, max: log ? 2 ** Math.ceil(Math.log2(most * scale.factor)) : null });
}

function pdScanEagerOption(data, view, state) {
  const known = data.eager.seconds.map((s, i) => i).filter((i) => data.eager.seconds[i] !== null);
  const scale = pdTimeScale(pdMax(data.eager.seconds)), names = data.eager.bytes.map(pdScanLimit);
  return pdFrame(view, {
    grid: pdGrid({ top: 14 }),
    tooltip: { formatter: (mark) => pdTip("Messages up to " + names[mark.data[0]] + " are eager", [["Run time", pdSeconds(mark.data[1] / scale.factor)]]) },
    xAxis: pdAxis(view, { type: "category", data: names, name: "largest eager message", splitLine: { show: false } }),
    yAxis: pdScanTimeAxis(view, known.map((i) => data.eager.seconds[i]), scale),
    series: [
      { type: "line", name: "eager limit", step: "end", data: known.map((i) => [i, data.eager.seconds[i] * scale.factor]), symbolSize: 7,
        itemStyle: { color: view.colours.c }, lineStyle: { color: view.colours.c, width: 2 } },
      { type: "scatter", name: "chosen", data: known.includes(state.eager) ? [[state.eager, data.eager.seconds[state.eager] * scale.factor]] : [], symbolSize: 16,
        itemStyle: { color: view.colours.fg } },
    ],
  });
}

function pdScanOption(data, view, state) {
  const curves = data.parameters.map((p, k) => pdScanCurve(data, state.at, k)), colours = view.colours;
  const all = curves.flat().map((p) => p[1]), scale = pdTimeScale(data.today);
  const alone = state.at.every((s) => s === 0), changes = alone ? pdScanChanges(data).filter((c) => c[1] !== null) : [];
  const now = pdScanTime(data, state.at), most = (data.factor.length - 1) / 2, names = data.parameters.map((p) => p.name);
  const place = (p) => [p[0], p[1] * scale.factor].concat(p.slice(2));
  const marks = [["as described", [[1, data.today]], "circle", 13], ["limit changes", changes, "diamond", 15],
    ["chosen", now === null ? [] : state.at.map((s, k) => k).filter((k) => state.at[k] !== 0).map((k) => [data.factor[state.at[k] + most], now]), "pin", 26]];
  const legend = names.concat(marks.filter((m) => m[1].length > 0).map((m) => m[0]));
  const tip = (mark) => {
    const [factor, time, k, limit] = mark.data;
    if (mark.seriesName === "limit changes")
      return pdTip(names[k] + " × " + pdScanFactor(factor), [["Run time", pdSeconds(time / scale.factor)], ["Limits from here on", names[limit]]]);
    const own = names.indexOf(mark.seriesName), value = own < 0 ? "" : pdScanValue(data, own, factor);
    return pdTip(mark.seriesName + (own < 0 ? "" : " × " + pdScanFactor(factor)), (value ? [[names[own], value]] : []).concat([["Run time", pdSeconds(time / scale.factor)]]));
  };
  return pdFrame(view, {
    animation: false, grid: pdGrid({ top: pdLegendHeight(view, legend) }), legend: { show: true, data: legend.map((name) => ({ name, icon: (marks.find((m) => m[0] === name) || ["", [], "inherit"])[2] })), itemWidth: 25 },
    tooltip: { formatter: tip },
    xAxis: pdAxis(view, { type: "log", logBase: 2, min: data.factor[0], max: data.factor[data.factor.length - 1], name: "times what is described", axisLabel: { formatter: pdScanFactor } }),
    yAxis: pdScanTimeAxis(view, all, scale),
    series: names.map((name, k) => ({
      type: "line", name, data: curves[k].map(place), symbol: pdScanStyles[k].symbol, symbolSize: 5, itemStyle: { color: colours[pdScanStyles[k].style] },
      lineStyle: { width: 2, type: pdScanStyles[k].type, color: colours[pdScanStyles[k].style] },
    })).concat(marks.map(([name, points, symbol, symbolSize]) => ({
      type: "scatter", name, symbol, symbolSize, z: 5, itemStyle: { opacity: 1, color: symbol === "circle" ? colours.card : colours.fg, borderColor: colours.fg, borderWidth: symbol === "circle" ? 2 : 0 },
      data: points.map((p) => ({ value: place(p), itemStyle: name === "limit changes" ? { color: colours[pdScanStyles[p[3]].style] } : {} })),
    }))),
  });
}

pdPage.kinds.scan = function (data, view) {
  const state = view.state.at ? view.state : { at: [0, 0, 0], order: [], eager: null };
  const option = state.eager !== null ? pdScanEagerOption(data, view, state) : pdScanOption(data, view, state);
  const away = state.eager !== null || state.at.some((s) => s !== 0);
  option.pd = {
    height: 380, note: pdScanNote(data, state), sliders: pdScanSliders(data, view, state),
    tools: [{ label: "As described", disabled: !away, act: () => view.set({}) }],
  };
  return option;
};
