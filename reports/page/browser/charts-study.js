// Charts of studies. SPDX-License-Identifier: MIT
"use strict";

const pdStudyParts = [0, 2, 3, 4]; // of pdPage.data.parts: what studies know of time

function pdStudyFormat(data) {
  const cost = (v) => pdNumber(v) + " " + data.cost_unit;
  return { efficiency: pdPercent, time: pdSeconds, cost }[data.id] || pdNumber;
}

function pdAxisName(axis) {
  return axis.unit ? axis.name + ", " + axis.unit : axis.name;
}

// Numbers over more than a factor of 20 are better seen by their logarithms.
function pdStudyAxis(view, axis) {
  if (axis.kind === "word") return pdAxis(view, { type: "category", data: axis.text, name: pdAxisName(axis), axisLabel: { rotate: axis.text.length * 70 > view.width ? 35 : 0 } });
  const most = pdMax(axis.number), least = axis.number.reduce((a, b) => (b < a ? b : a), most);
  const log = least > 0 && most > 20 * least;
  const powers = axis.kind === "grid";
  return pdAxis(view, {
    type: log ? "log" : "value", logBase: powers ? 2 : 10, name: pdAxisName(axis), splitLine: { show: false },
    min: log ? least : "dataMin", max: log ? most : "dataMax", axisLabel: { formatter: (v) => v.toPrecision(4).replace(/\.?0+($|e)/, "$1") },
  });
}

// Of speed-ups against processors both axes are alike, and the linear one is shown.
function pdStudyScale(view, data) {
  if (data.id !== "speed-up" || data.x.kind === "word" || data.x.name !== "procs") return {
    xAxis: pdStudyAxis(view, data.x), linear: [],
    yAxis: pdAxis(view, { name: data.id === "cost" ? data.metric + ", " + data.cost_unit : data.metric, scale: data.id === "time", axisLabel: { formatter: pdNumber } }),
  };
  const last = pdMax(data.x.number), first = data.x.number.reduce((a, b) => (b < a ? b : a), last), type = last >= 8 * first ? "log" : "value";
  return {
    xAxis: pdAxis(view, { type, logBase: 2, name: pdAxisName(data.x), min: type === "log" ? first : 0, max: last, splitLine: { show: false } }),
    yAxis: pdSpeedUpAxis(view, type, data.value, first, last), linear: [pdLinear(view, first, last)],
  };
}

pdPage.kinds["study-curves"] = function (data, view) {
  const format = pdStudyFormat(data), factor = data.id === "efficiency" ? 100 : 1;
  const curves = data.by ? data.by.text : [""];
  const x = (i) => (data.x.kind === "word" ? data.at_x[i] : data.x.number[data.at_x[i]]);
  const scale = pdStudyScale(view, data), top = pdLegendHeight(view, curves.concat(scale.linear.map((line) => line.name)));
  const colour = (k) => view.colours.curves[k % view.colours.curves.length];
  const option = pdFrame(view, {
    legend: { show: curves.length > 1 || scale.linear.length > 0 }, grid: pdGrid({ top }),
    tooltip: { formatter: (mark) => mark.seriesName === "linear" ? "linear" : pdTip((data.by ? data.by.name + " = " + mark.seriesName + ", " : "") + data.x.name + " = " + data.x.text[mark.data.place], [[data.metric, format(mark.data.value[1] / factor)]]) },
    xAxis: scale.xAxis, yAxis: scale.yAxis,
    series: curves.map((name, k) => ({
      type: "line", name, symbol: ["circle", "rect", "triangle", "diamond"][k % 4], symbolSize: 8, itemStyle: { color: colour(k) }, lineStyle: { color: colour(k), width: 2.2 },
      data: data.at_by.map((by, i) => i).filter((i) => !data.by || data.at_by[i] === k).map((i) => ({ value: [x(i), data.value[i] * factor], place: data.at_x[i] })),
    })).concat(scale.linear),
  });
  option.pd = { height: 300 + top };
  return option;
};

pdPage.kinds["study-parts"] = function (data, view) {
  const names = data.at_x.map((place) => data.x.text[place]);
  const top = pdLegendHeight(view, pdStudyParts.map((part) => pdPage.data.parts[part]));
  const option = pdFrame(view, {
    legend: { show: true }, grid: pdGrid({ top }),
    tooltip: {
      trigger: "axis", axisPointer: { type: "shadow" },
      formatter: (marks) => pdTip(data.x.name + " = " + names[marks[0].dataIndex],
        pdStudyParts.map((part, k) => [pdPage.data.parts[part], pdPercent(data.shares[k][marks[0].dataIndex]), view.colours.parts[part]])),
    },
    xAxis: pdAxis(view, { type: "category", data: names, name: data.x.name, splitLine: { show: false }, axisLabel: { rotate: names.length * 60 > view.width ? 45 : 0 } }),
    yAxis: pdAxis(view, { name: "share of the total time, %", max: 100 }),
    series: pdStudyParts.map((part, k) => ({
      type: "bar", name: pdPage.data.parts[part], stack: "all", barCategoryGap: "30%", barMaxWidth: 60, data: data.shares[k].map((v) => 100 * v), itemStyle: { color: view.colours.parts[part] },
    })),
  });
  option.pd = { height: 280 + top };
  return option;
};

pdPage.kinds["study-heat"] = function (data, view) {
  const format = pdStudyFormat(data);
  const least = data.value.reduce((a, b) => (b < a ? b : a), Infinity), colours = pdHeat(data.value);
  // from the least to the most; a difference below 5 % is not the whole scale
  const low = colours.back(colours.min) < least ? colours.of(least) : colours.min, spare = Math.max(0, .05 * colours.max - (colours.max - low)) / 2;
  const category = (axis) => pdAxis(view, { type: "category", data: axis.text, name: axis.name, splitLine: { show: false } });
  const option = pdFrame(view, {
    grid: pdGrid({ top: 8, bottom: 60 }),
    tooltip: { formatter: (mark) => pdTip(data.x.name + " = " + data.x.text[mark.data[0]], [[data.by.name, data.by.text[mark.data[1]]], [data.metric, format(mark.data[3])]]) },
    xAxis: category(data.x), yAxis: category(data.by),
    visualMap: { min: low - spare, max: colours.max + spare, dimension: 2, calculable: true, orient: "horizontal", left: "center", bottom: 0, itemHeight: Math.min(160, view.width / 3), itemWidth: 12, inRange: { color: view.colours.heat },
      textStyle: { color: view.colours.dim }, formatter: (c) => format(colours.back(c)) },
    series: [{ type: "heatmap", data: data.value.map((v, i) => [data.at_x[i], data.at_by[i], colours.of(v), v]), progressive: 0, animation: false, itemStyle: { borderWidth: 1, borderColor: view.colours.card } }],
  });
  option.pd = { height: 130 + Math.min(600, 30 * data.by.text.length), renderer: "canvas" };
  return option;
};

pdPage.kinds["study-front"] = function (data, view) {
  const points = data.time.map((t, i) => ({ value: [data.cost[i], t], row: i }));
  const front = points.filter((p) => data.front[p.row] === 1), others = points.filter((p) => data.front[p.row] !== 1);
  const wide = (values) => values.every((v) => v > 0) && pdMax(values) > 20 * Math.min(...values.slice(0, 20000));
  const axis = (name, values) => pdAxis(view, { type: wide(values) ? "log" : "value", name, scale: true, axisLabel: { formatter: pdNumber } });
  const option = pdFrame(view, {
    legend: { show: true },
    tooltip: { formatter: (mark) => pdTip(data.name[mark.data.row], [["Time", pdSeconds(data.time[mark.data.row])], ["Cost", pdNumber(data.cost[mark.data.row]) + " " + data.cost_unit]]) },
    xAxis: axis("cost, " + data.cost_unit, data.cost), yAxis: axis("time, s", data.time),
    series: [
      { type: "scatter", name: "all points", data: others, symbolSize: 6, itemStyle: { color: view.colours.curves[7], opacity: .6 }, large: others.length > 5000 },
      { type: "line", name: "front", data: front, symbol: "circle", symbolSize: 9, itemStyle: { color: view.colours.curves[0] }, lineStyle: { color: view.colours.curves[0], width: 2 } },
    ],
  });
  option.pd = { height: 340, renderer: points.length > 2000 ? "canvas" : "svg" };
  return option;
};
