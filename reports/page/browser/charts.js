// Drawing that is common to all charts. SPDX-License-Identifier: MIT
//
// pdPage.kinds has a function for each kind of chart:
//   (data, view) → option of ECharts, with `pd: { height, renderer, click, key, tools, note }` besides:
//   height in pixels; renderer "svg" or "canvas"; click (event) of marks; tools, buttons
//   { label, pressed, disabled, act }; sliders { label, min, max, step, value, text, act (value) }; key (name): whether that key did something to the
//   chart, which then can have the focus; note: a line below the chart.
// view: { width, colours, state, set (state), instance (), pointer () }; set() draws the chart again with that state;
// pointer: where the mouse was last, in pixels of the chart.
"use strict";

// Axis, tooltip and text as everywhere; `option` wins.
function pdFrame(view, option) {
  const c = view.colours;
  const base = {
    textStyle: { color: c.fg, fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 12 },
    animation: view.animated, animationDuration: 300,
    tooltip: {
      backgroundColor: c.card, borderColor: c.line, textStyle: { color: c.fg, fontSize: 12 }, confine: true,
      extraCssText: "max-width:30em;white-space:normal;overflow-wrap:anywhere;box-shadow:0 4px 16px #0003",
    },
    legend: { show: false },
    grid: pdGrid({}),
  };
  const merged = Object.assign({}, base, option);
  merged.tooltip = Object.assign({}, base.tooltip, option.tooltip);
  merged.legend = Object.assign({
    top: 0, left: 0, itemWidth: 12, itemHeight: 12, icon: "roundRect", itemGap: 14,
    textStyle: { color: c.dim }, inactiveColor: c.line,
  }, base.legend, option.legend);
  return merged;
}

// How high a legend of these names is, in pixels: it wraps.
function pdLegendHeight(view, names) {
  let rows = 1, used = 0;
  names.forEach((name) => {
    const width = 36 + 6.6 * name.length;
    if (used > 0 && used + width > view.width) {
      rows++;
      used = 0;
    }
    used += width;
  });
  return names.length > 1 ? 14 + 20 * rows : 8;
}

// Names and labels of axes are inside.
function pdGrid(own) {
  return Object.assign({ left: 8, right: 16, top: 34, bottom: 8, outerBoundsMode: "same", outerBoundsContain: "all" }, own);
}

function pdAxis(view, own) {
  const c = view.colours;
  const base = {
    type: "value", nameLocation: "middle", nameGap: 8,
    nameTextStyle: { color: c.dim }, axisLabel: { color: c.dim, hideOverlap: true },
    axisLine: { lineStyle: { color: c.line } }, axisTick: { show: false },
    splitLine: { lineStyle: { color: c.line } },
  };
  const axis = Object.assign({}, base, own);
  axis.axisLabel = Object.assign({}, base.axisLabel, own.axisLabel);
  axis.splitLine = Object.assign({}, base.splitLine, own.splitLine);
  return axis;
}

// The axis of speed-ups beside one of processors from "from" to "to": both are alike, so that the linear
// one goes from corner to corner, unless a speed-up lies outside.
function pdSpeedUpAxis(view, type, values, from, to) {
  const least = values.reduce((a, b) => (b < a ? b : a), 1);
  return pdAxis(view, { type, logBase: 2, name: "speed-up", min: type === "log" ? least : 0, max: Math.max(to / from, pdMax(values)) });
}

// The speed-up that as many processors could give.
function pdLinear(view, from, to) {
  return { type: "line", name: "linear", symbol: "none", data: [[from, 1], [to, to / from]],
    lineStyle: { type: "dashed", width: 1.5, color: view.colours.dim }, itemStyle: { color: view.colours.dim } };
}

// Colours of values: by their logarithms, four decades at most, where they span more than a factor of 50.
// "of" gives the number that a value is drawn by, "back" the value that is meant.
function pdHeat(values) {
  const most = pdMax(values), least = values.reduce((a, b) => (b > 0 && b < a ? b : a), most);
  if (!(most > 50 * least)) return { min: Math.min(0, most), max: most, of: (v) => v, back: (c) => c };
  const decades = Math.min(4, Math.ceil(Math.log10(most / least)));
  return {
    min: -decades, max: 0, of: (v) => (v > 0 ? Math.max(-decades, Math.log10(v / most)) : -decades), back: (c) => most * 10 ** c,
  };
}

// Rows of a tooltip.
function pdTip(title, rows) {
  const lines = rows.map((r) => (r[2] ? '<span style="color:' + r[2] + '">■</span> ' : "")
    + pdEscape(r[0]) + ": <b>" + pdEscape(r[1]) + "</b>");
  return "<b>" + pdEscape(title) + "</b><br/>" + lines.join("<br/>");
}

// How many characters names may have beside bars.
function pdNameLength(view) {
  return view.width < 520 ? 18 : view.width < 800 ? 30 : 46;
}

// Bars to the right, the first one on top.
// names; series: [{ name, values, colour }], stacked; axis: { name, format } of values
function pdBars(view, names, series, axis) {
  const length = pdNameLength(view), top = pdLegendHeight(view, series.map((s) => s.name));
  const option = pdFrame(view, {
    grid: pdGrid({ top }),
    legend: { show: series.length > 1 },
    tooltip: {
      trigger: "axis", axisPointer: { type: "shadow" },
      formatter: (marks) => pdTip(names[marks[0].dataIndex],
        series.map((s) => [s.name, axis.format(s.values[marks[0].dataIndex]), s.colour])),
    },
    xAxis: pdAxis(view, { name: axis.name, max: axis.max }),
    yAxis: pdAxis(view, {
      type: "category", inverse: true, data: names, splitLine: { show: false },
      axisLabel: { interval: 0, hideOverlap: false, color: view.colours.fg, formatter: (name) => pdShorten(name, length) },
    }),
    series: series.map((s) => ({
      type: "bar", name: s.name, stack: "all", data: s.values.map((v) => v * (axis.factor || 1)),
      itemStyle: { color: s.colour }, barMaxWidth: 22, cursor: axis.click ? "pointer" : "default",
    })),
  });
  option.pd = { height: 24 * names.length + top + 66 };
  return option;
}
