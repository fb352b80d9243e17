// Charts of predicted and analysed runs. SPDX-License-Identifier: MIT
"use strict";

const pdMaxBars = 16;

// ---- where the time goes: an interval and those inside it; a click goes into one

function pdPartsRows(data, at) {
  const total = (i) => data.values.reduce((sum, part) => sum + part[i], 0);
  const children = data.parent.map((p, i) => i).filter((i) => data.parent[i] === at);
  children.sort((a, b) => total(b) - total(a) || a - b);
  return [at].concat(children.slice(0, pdMaxBars));
}

pdPage.kinds.parts = function (data, view) {
  const at = view.state.at || 0;
  const rows = pdPartsRows(data, at);
  const shares = !!view.state.shares;
  const total = rows.map((i) => data.values.reduce((sum, part) => sum + part[i], 0));
  const scale = pdTimeScale(pdMax(total));
  const has = data.parent.map(() => false);
  data.parent.forEach((p) => { if (p >= 0) has[p] = true; });
  const names = rows.map((i, k) => (k > 0 && has[i] ? "▸ " : "") + data.name[i]);
  const used = pdPage.data.parts.map((name, part) => part).filter((part) => rows.some((i) => data.values[part][i] > 0));
  const series = used.map((part) => ({
    name: pdPage.data.parts[part], colour: view.colours.parts[part],
    values: rows.map((i, k) => (shares ? (total[k] > 0 ? data.values[part][i] / total[k] : 0) : data.values[part][i])),
  }));
  const option = pdBars(view, names, series, shares
    ? { name: "share of the interval's time, %", factor: 100, max: 100, format: pdPercent, click: true }
    : { name: "time of all processors, " + scale.unit, factor: scale.factor, format: pdSeconds, click: true });
  const enter = (i) => view.set({ at: i, shares });
  option.pd.click = (event) => {
    const i = rows[event.dataIndex];
    if (i !== at && has[i]) enter(i);
    else if (i === at && data.parent[at] >= 0) enter(data.parent[at]);
  };
  option.pd.tools = [
    { label: "◂ Outwards", disabled: at === 0, act: () => enter(data.parent[at]) },
    { label: "Seconds", pressed: !shares, act: () => view.set({ at, shares: false }) },
    { label: "Shares", pressed: shares, act: () => view.set({ at, shares: true }) },
  ].concat(rows.slice(1).filter((i) => has[i]).slice(0, 6)
    .map((i) => ({ label: "▸ " + pdShorten(data.name[i], 24), act: () => enter(i) })));
  return option;
};

// ---- runs compared

// Of several grids of as many processors the fastest is on the curve.
function pdBest(data) {
  const best = new Map();
  data.processors.forEach((n, i) => {
    if (!best.has(n) || data.seconds[i] < data.seconds[best.get(n)]) best.set(n, i);
  });
  return [...best.entries()].sort((a, b) => a[0] - b[0]).map((e) => e[1]);
}

pdPage.kinds.curves = function (data, view) {
  const best = pdBest(data);
  const wide = view.width >= 640;
  const counts = data.processors;
  const type = pdMax(counts) >= 8 * data.base ? "log" : "value";
  const from = data.base, to = pdMax(counts);
  const x = (i) => pdAxis(view, { type, logBase: 2, gridIndex: i, name: "processors", min: type === "log" ? from : 0, max: to, splitLine: { show: false } });
  const line = (name, values, colour, i) => ({
    type: "line", name, xAxisIndex: i, yAxisIndex: i, data: best.map((k) => [counts[k], values[k]]),
    symbol: "circle", symbolSize: 7, lineStyle: { width: 2.5, color: colour }, itemStyle: { color: colour },
  });
  const others = (values, colour, i) => ({
    type: "scatter", name: "other grids", xAxisIndex: i, yAxisIndex: i, symbolSize: 5, itemStyle: { color: colour, opacity: .45 },
    data: counts.map((n, k) => k).filter((k) => !best.includes(k)).map((k) => ({ value: [counts[k], values[k]], row: k })),
  });
  const speedUp = data.speed_up, efficiency = data.efficiency.map((e) => 100 * e);
  const grids = wide ? [pdGrid({ right: "52%" }), pdGrid({ left: "52%" })] : [pdGrid({ bottom: "53%" }), pdGrid({ top: "56%" })];
  const option = pdFrame(view, {
    grid: grids, xAxis: [x(0), x(1)],
    yAxis: [Object.assign(pdSpeedUpAxis(view, type, speedUp, from, to), { gridIndex: 0 }), pdAxis(view, { gridIndex: 1, name: "efficiency, %", min: 0, max: pdMax(efficiency) > 100 ? null : 100 })],
    legend: { show: true, data: ["speed-up", "linear", "efficiency"] },
    tooltip: {
      trigger: "item",
      formatter: (mark) => {
        const k = mark.seriesName === "linear" ? -1 : mark.data.row !== undefined ? mark.data.row : best[mark.dataIndex];
        return k < 0 ? "linear" : pdTip(counts[k] + " processors (" + data.grid[k] + ")", [
          ["Execution time", pdSeconds(data.seconds[k])], ["Speed-up", pdNumber(data.speed_up[k])], ["Efficiency", pdPercent(data.efficiency[k])]]);
      },
    },
    series: [
      line("speed-up", speedUp, view.colours.curves[0], 0), line("efficiency", efficiency, view.colours.w, 1),
      pdLinear(view, from, to),
      others(speedUp, view.colours.curves[0], 0), others(efficiency, view.colours.w, 1),
    ],
  });
  option.pd = { height: wide ? 320 : 560 };
  return option;
};

pdPage.kinds.scaling = function (data, view) {
  const counts = data.processors, first = counts[0], last = counts[counts.length - 1];
  const type = last >= 8 * first ? "log" : "value", colours = view.colours.curves;
  const option = pdFrame(view, {
    grid: pdGrid({ top: pdLegendHeight(view, data.name.concat("linear")) }), legend: { show: true },
    tooltip: { formatter: (mark) => pdTip(mark.seriesName, [[mark.data[0] + " processors", pdNumber(mark.data[1]) + " times as fast"]]) },
    xAxis: pdAxis(view, { type, logBase: 2, name: "processors", min: type === "log" ? first : 0, max: last, splitLine: { show: false } }),
    yAxis: pdSpeedUpAxis(view, type, data.speed_up.flat(), first, last),
    series: data.name.map((name, k) => ({
      type: "line", name, symbolSize: 7, itemStyle: { color: colours[k % 8] }, lineStyle: { color: colours[k % 8], width: 2 },
      data: counts.map((n, i) => [n, data.speed_up[k][i]]),
    })).concat([pdLinear(view, first, last)]),
  });
  option.pd = { height: 380 };
  return option;
};

// ---- time against ranks, of a model

pdPage.kinds.ranks = function (data, view) {
  const counts = data.processors.concat(data.recorded_processors).sort((a, b) => a - b);
  const type = pdMax(counts) >= 8 * counts[0] ? "log" : "value", colours = view.colours.curves;
  const all = data.low.concat(data.high, data.seconds, data.recorded_seconds);
  const scale = pdTimeScale(pdMax(all)), least = Math.min(...all);
  const point = (n, s) => [n, s * scale.factor];
  const steep = type === "log" && least > 0 && pdMax(all) >= 8 * least;
  const bar = (params, api) => {
    const low = api.coord([api.value(0), api.value(1)]), high = api.coord([api.value(0), api.value(2)]);
    const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: colours[0], lineWidth: 2 } });
    return { type: "group", children: [line(low[0], low[1], high[0], high[1]), line(low[0] - 5, low[1], low[0] + 5, low[1]),
      line(high[0] - 5, high[1], high[0] + 5, high[1])] };
  };
  const names = ["predicted", "90 % range", "recorded run"].filter((name, k) => k < 2 || data.recorded_processors.length > 0);
  const option = pdFrame(view, {
    grid: pdGrid({ top: pdLegendHeight(view, names) }), legend: { show: true, data: names },
    tooltip: {
      formatter: (mark) => (mark.seriesName === "recorded run"
        ? pdTip(data.recorded_name[mark.dataIndex], [[mark.data[0] + " ranks", pdSeconds(data.recorded_seconds[mark.dataIndex])]])
        : pdTip(data.processors[mark.dataIndex] + " ranks", [["Predicted", pdSeconds(data.seconds[mark.dataIndex])],
          ["90 % range", pdSeconds(data.low[mark.dataIndex]) + " to " + pdSeconds(data.high[mark.dataIndex])]])),
    },
    xAxis: pdAxis(view, { type, logBase: 2, name: "ranks", min: type === "log" ? counts[0] : 0, splitLine: { show: false } }),
    yAxis: pdAxis(view, { type: steep ? "log" : "value", name: "execution time, " + scale.unit }),
    series: [
      { type: "line", name: "predicted", symbol: "circle", symbolSize: 7, data: data.processors.map((n, i) => point(n, data.seconds[i])),
        lineStyle: { width: 2.5, color: colours[0] }, itemStyle: { color: colours[0] } },
      { type: "custom", name: "90 % range", renderItem: bar, itemStyle: { color: colours[0] },
        data: data.processors.map((n, i) => [n, data.low[i] * scale.factor, data.high[i] * scale.factor]), encode: { x: 0, y: [1, 2] } },
      { type: "scatter", name: "recorded run", symbol: "diamond", symbolSize: 11, itemStyle: { color: colours[2] },
        data: data.recorded_processors.map((n, i) => point(n, data.recorded_seconds[i])) },
    ],
  });
  option.pd = { height: 360 };
  return option;
};

pdPage.kinds.shares = function (data, view) {
  const names = data.processors.map((n, i) => (data.grid[i] === String(n) ? String(n) : n + " (" + data.grid[i] + ")"));
  const used = pdPage.data.parts.map((name, part) => part).filter((part) => pdMax(data.shares[part]) > 0);
  const top = pdLegendHeight(view, used.map((part) => pdPage.data.parts[part]));
  const option = pdFrame(view, {
    legend: { show: true }, grid: pdGrid({ top }),
    tooltip: {
      trigger: "axis", axisPointer: { type: "shadow" },
      formatter: (marks) => pdTip(names[marks[0].dataIndex] + " processors",
        used.map((p) => [pdPage.data.parts[p], pdPercent(data.shares[p][marks[0].dataIndex]), view.colours.parts[p]])),
    },
    xAxis: pdAxis(view, { type: "category", data: names, name: "processors (grid)", splitLine: { show: false }, axisLabel: { rotate: names.length * 60 > view.width ? 45 : 0 } }),
    yAxis: pdAxis(view, { name: "share of the total time, %", max: 100 }),
    series: used.map((p) => ({
      type: "bar", name: pdPage.data.parts[p], stack: "all", barCategoryGap: "30%", barMaxWidth: 60,
      data: data.shares[p].map((v) => 100 * v), itemStyle: { color: view.colours.parts[p] },
    })),
  });
  option.pd = { height: 260 + top };
  return option;
};

// ---- processors

pdPage.kinds.processors = function (data, view) {
  const what = view.state.what || "mean", common = view.state.common !== false;
  const grouped = data.last.some((p, i) => p > data.first[i]);
  const used = pdPage.data.parts.map((name, part) => part).filter((part) => pdMax(data.max[part]) > 0);
  const label = (i) => (data.last[i] > data.first[i] ? data.first[i] + "–" + data.last[i] : String(data.first[i]));
  const most = used.map((part) => pdMax(data.max[part]));
  const scale = pdTimeScale(pdMax(most));
  const colours = common ? pdHeat(used.flatMap((part) => data[what][part])) : { min: 0, max: 1, of: (v) => v, back: (c) => c };
  const cells = [];
  used.forEach((part, y) => data[what][part].forEach((v, x) => cells.push([x, y, colours.of(common ? v : v / Math.max(most[y], pdMax(most) / 100))])));
  const option = pdFrame(view, {
    grid: pdGrid({ top: 4, bottom: 52 }),
    tooltip: {
      formatter: (mark) => {
        const [x, y] = mark.data, part = used[y];
        const rows = [["mean", pdSeconds(data.mean[part][x])], ["least", pdSeconds(data.min[part][x])], ["most", pdSeconds(data.max[part][x])]];
        return pdTip(data.unit + " " + label(x) + ", " + pdPage.data.parts[part], data.last[x] > data.first[x] ? rows : [["time", rows[0][1]]]);
      },
    },
    xAxis: pdAxis(view, { type: "category", data: data.first.map((p, i) => label(i)), name: data.unit.toLowerCase() + (grouped ? "s, in groups" : ""), splitLine: { show: false }, nameGap: 4 }),
    yAxis: pdAxis(view, { type: "category", inverse: true, data: used.map((part) => pdPage.data.parts[part]), splitLine: { show: false }, axisLabel: { color: view.colours.fg, formatter: (name) => (view.width < 520 ? name.replace(" ", "\n") : name) } }),
    visualMap: {
      min: colours.min, max: colours.max, calculable: true, orient: "horizontal", left: "center", bottom: 0, itemHeight: Math.min(160, view.width / 3), itemWidth: 12,
      inRange: { color: view.colours.heat }, textStyle: { color: view.colours.dim }, precision: 2,
      text: common ? undefined : ["of the most in its row, or of 1 % of the most", ""], formatter: (v) => (common ? pdNumber(colours.back(v) * scale.factor) + " " + scale.unit : pdPercent(v)),
    },
    series: [{ type: "heatmap", data: cells, progressive: 0, animation: false, itemStyle: { borderWidth: data.first.length * 10 > view.width ? 0 : 1, borderColor: view.colours.card } }],
  });
  const tool = (text, key, value, now) => ({ label: text, pressed: now, act: () => view.set(Object.assign({}, view.state, { [key]: value })) });
  option.pd = { height: 110 + 34 * used.length, renderer: "canvas", tools: [tool("All in seconds", "common", true, common), tool("Each row by itself", "common", false, !common)] };
  if (grouped)
    option.pd.tools.push(tool("Mean", "what", "mean", what === "mean"), tool("Least", "what", "min", what === "min"), tool("Most", "what", "max", what === "max"));
  return option;
};

// ---- efficiencies

const pdPopParents = {
  parallel_efficiency: "global_efficiency", computation_scaling: "global_efficiency", load_balance: "parallel_efficiency",
  communication_efficiency: "parallel_efficiency", serialisation_efficiency: "communication_efficiency", transfer_efficiency: "communication_efficiency",
};

function pdPopNode(data, id, view) {
  const i = data.id.indexOf(id), value = data.value[i], c = view.colours;
  const colour = value === null ? c.dim : value >= .85 ? c.good : value >= .7 ? c.fair : c.bad;
  const children = data.id.filter((other) => pdPopParents[other] === id).map((other) => pdPopNode(data, other, view));
  return {
    name: data.name[i], value, children,
    label: {
      formatter: "{v|" + (value === null ? "–" : pdPercent(value)) + "}\n{n|" + data.name[i].replace(/ (efficiency|scaling|balance)$/, view.width < 640 ? "\n$1" : " $1") + "}",
      borderColor: colour, backgroundColor: c.card,
      rich: { v: { color: c.fg, fontWeight: 700, fontSize: 15, lineHeight: 22, align: "center" }, n: { color: c.dim, fontSize: view.width < 640 ? 10 : 12, lineHeight: 14, align: "center" } },
    },
  };
}

pdPage.kinds.pop = function (data, view) {
  const root = data.id.includes("global_efficiency") ? "global_efficiency" : "parallel_efficiency";
  const margin = view.width < 640 ? -8 : 0;
  const option = pdFrame(view, {
    tooltip: { formatter: (mark) => pdTip(mark.name, [["", mark.value === null || mark.value === undefined ? "not known" : pdPercent(mark.value)]]) },
    series: [{
      type: "tree", orient: "TB", data: [pdPopNode(data, root, view)], symbol: "none", roam: false, expandAndCollapse: false, initialTreeDepth: -1,
      left: margin, right: margin, top: 34, bottom: 38, edgeShape: "polyline", lineStyle: { color: view.colours.line, width: 2 },
      label: { position: "inside", borderWidth: 2, borderRadius: 8, padding: [6, view.width < 640 ? 5 : 10], align: "center", verticalAlign: "middle" },
    }],
  });
  option.pd = { height: root === "global_efficiency" ? 380 : 300 };
  return option;
};

// ---- predicted against recorded

pdPage.kinds.recorded = function (data, view) {
  const sets = [["intervals", data.intervals], ["ranks' ends", data.ranks]].filter((s) => s[1].name.length > 0);
  const all = sets.flatMap((s) => s[1].recorded.concat(s[1].predicted)).filter((v) => v > 0);
  const most = pdMax(all), least = all.reduce((a, b) => (b < a ? b : a), most);
  const log = most > 50 * least, scale = pdTimeScale(most);
  const ends = log ? [least * scale.factor, most * scale.factor] : [0, most * scale.factor];
  const axis = (name) => pdAxis(view, { type: log ? "log" : "value", name: name + ", " + scale.unit, scale: !log, axisLabel: { formatter: pdNumber } });
  const option = pdFrame(view, {
    legend: { show: true },
    tooltip: {
      formatter: (mark) => (mark.data.row === undefined ? "" : pdTip(mark.data.row[0], [["Recorded", pdSeconds(mark.data.row[1])], ["Predicted", pdSeconds(mark.data.row[2])],
        ["Error", mark.data.row[1] > 0 ? pdPercent(mark.data.row[2] / mark.data.row[1] - 1) : "–"]])),
    },
    xAxis: axis("recorded"), yAxis: axis("predicted"),
    series: sets.map((s, k) => ({
      type: "scatter", name: s[0], symbolSize: 9, symbol: ["circle", "diamond"][k], itemStyle: { color: view.colours.curves[k], opacity: .8 },
      data: s[1].name.map((name, i) => ({ value: [s[1].recorded[i] * scale.factor, s[1].predicted[i] * scale.factor], row: [name, s[1].recorded[i], s[1].predicted[i]] }))
        .filter((d) => !log || (d.value[0] > 0 && d.value[1] > 0)),
    })).concat([{ type: "line", name: "as recorded", data: ends.map((v) => [v, v]), symbol: "none", silent: true, lineStyle: { type: "dashed", color: view.colours.dim }, itemStyle: { color: view.colours.dim } }]),
  });
  option.pd = { height: Math.min(440, Math.max(300, view.width * .6)) };
  return option;
};

// ---- samples

pdPage.kinds.histogram = function (data, view) {
  const scale = pdTimeScale(pdMax(data.to)), f = scale.factor, c = view.colours;
  const lines = data.share.map((s, i) => [s, data.quantile[i] * f]).filter((q) => [.05, .5, .95].includes(q[0]));
  const option = pdFrame(view, {
    grid: pdGrid({ top: 30 }),
    tooltip: { formatter: (m) => (m.componentType === "series" ? pdTip(pdSeconds(data.from[m.dataIndex]) + " to " + pdSeconds(data.to[m.dataIndex]), [["Samples", String(data.count[m.dataIndex])]]) : "") },
    xAxis: pdAxis(view, { name: "execution time, " + scale.unit, min: data.from[0] * f, max: data.to[data.to.length - 1] * f, splitLine: { show: false }, axisLabel: { formatter: pdNumber } }),
    yAxis: pdAxis(view, { name: "samples", minInterval: 1 }),
    series: [{
      type: "custom", name: "samples", data: data.count.map((n, i) => [data.from[i] * f, data.to[i] * f, n]), encode: { x: [0, 1], y: 2 },
      renderItem: (params, api) => {
        const from = api.coord([api.value(0), api.value(2)]), to = api.coord([api.value(1), 0]);
        return { type: "rect", shape: { x: from[0], y: from[1], width: Math.max(2, to[0] - from[0] - 1), height: to[1] - from[1], r: [2, 2, 0, 0] }, style: { fill: c.curves[0] } };
      },
      markLine: {
        symbol: "none", silent: true, lineStyle: { color: c.fg, type: "dashed" }, label: { color: c.fg, formatter: (m) => m.name },
        data: lines.map((q) => ({ xAxis: q[1], name: q[0] === .5 ? "median" : 100 * q[0] + " %" })),
      },
    }],
  });
  option.pd = { height: 280 };
  return option;
};

// ---- what the run time depends on

pdPage.kinds.sensitivity = function (data, view) {
  const rows = data.parameters.name.map((name, i) => [name, data.parameters.elasticity[i], 0])
    .concat(data.intervals.name.map((name, i) => [name, data.intervals.elasticity[i], 1]));
  rows.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const shown = rows.slice(0, 2 * pdMaxBars);
  const series = ["machine", "computation of intervals"].map((name, k) => ({
    name, colour: [view.colours.c, view.colours.w][k], values: shown.map((r) => (r[2] === k ? r[1] : 0)),
  }));
  return pdBars(view, shown.map((r) => r[0]), series, { name: "growth of the run time, % for 1 %", format: (v) => pdNumber(v) + " %" });
};

pdPage.kinds.path = function (data, view) {
  const order = data.part.map((name, i) => i).filter((i) => data.seconds[i] > 0).sort((a, b) => data.seconds[b] - data.seconds[a]);
  const scale = pdTimeScale(pdMax(data.seconds));
  const kinds = [["computation", view.colours.w, ["computation"]], ["input and output", view.colours.o, ["input-output"]]];
  const rest = (part) => !kinds.some((kind) => kind[2].includes(part));
  kinds.push(["communication and software", view.colours.c, data.part.filter(rest)]);
  const series = kinds.map(([name, colour, parts]) => ({ name, colour, values: order.map((i) => (parts.includes(data.part[i]) ? data.seconds[i] : 0)) }));
  return pdBars(view, order.map((i) => data.part[i]), series.filter((s) => pdMax(s.values) > 0), { name: "on the critical path, " + scale.unit, factor: scale.factor, format: pdSeconds });
};

pdPage.kinds.tolerance = function (data, view) {
  const t = data.tolerance, names = [...new Set(t.name)], scale = pdTimeScale(pdMax(t.growth));
  const option = pdFrame(view, {
    legend: { show: names.length > 1 }, grid: pdGrid({ top: pdLegendHeight(view, names) }),
    tooltip: { formatter: (mark) => pdTip(mark.seriesName, [["Grows by", pdSeconds(mark.data[0] / scale.factor)], ["Slowdown", pdNumber(mark.data[1]) + " %"]]) },
    xAxis: pdAxis(view, { name: "latency grows by, " + scale.unit, axisLabel: { formatter: pdNumber } }), yAxis: pdAxis(view, { name: "slowdown, %" }),
    series: names.map((name, k) => ({
      type: "line", name, symbolSize: 7, itemStyle: { color: view.colours.curves[k % 8] }, lineStyle: { color: view.colours.curves[k % 8], width: 2 },
      data: [[0, 0]].concat(t.name.map((n, i) => i).filter((i) => t.name[i] === name).map((i) => [t.growth[i] * scale.factor, 100 * t.slowdown[i]])),
    })),
  });
  option.pd = { height: 280 };
  return option;
};

// ---- analysed runs

pdPage.kinds.waits = function (data, view) {
  const order = data.name.map((name, i) => i).sort((a, b) => data.seconds[b] - data.seconds[a]);
  const scale = pdTimeScale(pdMax(data.seconds));
  return pdBars(view, order.map((i) => data.name[i]), [{ name: "waiting", colour: view.colours.wait, values: order.map((i) => data.seconds[i]) }],
    { name: "waiting of all ranks, " + scale.unit, factor: scale.factor, format: pdSeconds });
};

pdPage.kinds.sites = function (data, view) {
  const scale = pdTimeScale(pdMax(data.time));
  const rest = data.time.map((t, i) => Math.max(0, t - data.waiting[i]));
  return pdBars(view, data.name, [{ name: "waiting for others", colour: view.colours.wait, values: data.waiting.map((v, i) => Math.min(v, data.time[i])) },
    { name: "the rest of the call", colour: view.colours.c, values: rest }],
  { name: "time of all ranks, " + scale.unit, factor: scale.factor, format: pdSeconds });
};

// ---- two runs

pdPage.kinds.differences = function (data, view) {
  const scale = pdTimeScale(pdMax(data.seconds.map(Math.abs)));
  const series = [["more in B", 1, view.colours.bad], ["less in B", -1, view.colours.good]].map(([name, sign, colour]) => ({
    name, colour, values: data.seconds.map((v) => (sign * v > 0 ? v : 0)),
  }));
  return pdBars(view, data.name, series, { name: "B less A, " + scale.unit, factor: scale.factor, format: pdSeconds });
};

// ---- the machine

pdPage.kinds.machine = function (data, view) {
  const c = view.colours, narrow = view.width < 640, stack = [];
  const top = { children: [] };
  const wrap = (text, n) => text.split(/, /).reduce((lines, word) => {
    const last = lines[lines.length - 1];
    if (last && (last + ", " + word).length <= n) lines[lines.length - 1] = last + ", " + word;
    else lines.push(word);
    return lines;
  }, []).map((line) => pdShorten(line, n + 8));
  data.title.forEach((title, i) => {
    const lines = wrap(data.detail[i], narrow ? 26 : 34).slice(0, 6);
    const node = { name: title, value: data.detail[i], children: [], lines: lines.length, label: {
      formatter: "{t|" + pdShorten(title, narrow ? 24 : 36).replace(/[{}|]/g, "") + "}" + lines.map((l) => "\n{d|" + l.replace(/[{}|]/g, "") + "}").join(""),
      borderColor: c.curves[[0, 3, 4][Math.min(2, data.depth[i])]],
      rich: { t: { color: c.fg, fontWeight: 700, fontSize: 12, lineHeight: 19 }, d: { color: c.dim, fontSize: narrow ? 10 : 11, lineHeight: 14 } },
    } };
    (data.depth[i] > 0 ? stack[data.depth[i] - 1] : top).children.push(node);
    stack[data.depth[i]] = node;
  });
  const levels = pdMax(data.depth) + 1, leaves = data.depth.filter((d, i) => !(data.depth[i + 1] > d)).length;
  const option = pdFrame(view, {
    tooltip: { formatter: (mark) => pdTip(mark.name, [["parameters", String(mark.value || "")]]) },
    series: [{
      type: "tree", orient: narrow ? "TB" : "LR", data: top.children, symbol: "none", roam: false, expandAndCollapse: false, initialTreeDepth: -1,
      left: narrow ? "center" : 125, right: narrow ? "center" : 125, top: 56, bottom: 56, edgeShape: "polyline", lineStyle: { color: c.line, width: 2 },
      label: { position: "inside", backgroundColor: c.card, borderWidth: 2, borderRadius: 8, padding: [7, 10], align: "center", verticalAlign: "middle" },
    }],
  });
  option.pd = { height: narrow ? 130 * levels + 20 : Math.max(150, 130 * leaves) };
  return option;
};
