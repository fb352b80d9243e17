// Charts of what ranks do over time, and of who sends to whom. SPDX-License-Identifier: MIT
"use strict";

// ---- the part of the time that is seen: by buttons and keys; wheel and mouse, ECharts itself

const pdZoomMoves = {
  in: (a, b) => [a + (b - a) / 4, b - (b - a) / 4], out: (a, b) => [a - (b - a) / 2, b + (b - a) / 2],
  left: (a, b) => [a - Math.min(a, (b - a) / 4), b - Math.min(a, (b - a) / 4)],
  right: (a, b) => [a + Math.min(100 - b, (b - a) / 4), b + Math.min(100 - b, (b - a) / 4)],
  all: () => [0, 100],
};

const pdZoomKeys = { "+": "in", "=": "in", "-": "out", ArrowLeft: "left", ArrowRight: "right", Home: "all", 0: "all" };

function pdZoom(view, move) {
  const now = view.instance().getOption().dataZoom[0];
  const [start, end] = pdZoomMoves[move](now.start, now.end);
  view.instance().dispatchAction({ type: "dataZoom", dataZoomIndex: 0, start: Math.max(0, start), end: Math.min(100, end) });
}

function pdZoomSliders(view, rows) {
  const c = view.colours;
  const common = { filterMode: "none", backgroundColor: c.head, borderColor: c.line, fillerColor: c.accent + "33", showDataShadow: false, brushSelect: false,
    handleStyle: { color: c.card, borderColor: c.accent }, moveHandleStyle: { color: c.dim }, textStyle: { color: c.dim }, labelFormatter: "" };
  // The wheel alone scrolls the page.
  const inside = { type: "inside", xAxisIndex: 0, filterMode: "weakFilter", minSpan: 1e-4, zoomOnMouseWheel: "ctrl", moveOnMouseMove: true, moveOnMouseWheel: false, preventDefaultMouseMove: false };
  const sliders = [inside, Object.assign({}, common, { type: "slider", xAxisIndex: 0, filterMode: "weakFilter", minSpan: 1e-4, height: 16, bottom: 8, left: 60, right: 28 })];
  if (rows > 16)
    sliders.push(Object.assign({}, common, { type: "slider", yAxisIndex: 0, width: 12, right: 2, top: 40, bottom: 70 }));
  return sliders;
}

// ---- the timeline: slices as they are, or bins of time

// Of a bin, states lie upon each other: [group, begin, end, state, from, to], heights in shares of the row.
function pdTimelineBins(data) {
  const bins = data.bins, cells = [];
  let group = -1, bin = -1, from = 0;
  bins.group.forEach((g, i) => {
    if (g !== group || bins.bin[i] !== bin) {
      group = g;
      bin = bins.bin[i];
      from = 0;
    }
    const begin = bin * bins.width, end = Math.min(data.end, begin + bins.width);
    const ranks = Math.min(bins.size, data.ranks - g * bins.size);
    const share = end > begin ? bins.seconds[i] / (ranks * data.cpus * (end - begin)) : 0;
    cells.push([g, begin, end, bins.state[i], from, Math.min(1, from + share)]);
    from = Math.min(1, from + share);
  });
  return cells;
}

function pdTimelineSlices(data) {
  const s = data.slices;
  return s.rank.map((rank, i) => [rank, s.begin[i], s.end[i], s.state[i], 0, 1]);
}

function pdTimelineRow(data, row) {
  const size = data.bins ? data.bins.size : 1, first = row * size, last = Math.min(data.ranks, first + size) - 1;
  return last > first ? first + "–" + last : String(first);
}

function pdTimelineTip(data, cells, colours) {
  return (mark) => {
    const k = mark.dataIndex, cell = cells.all[cells.shown[mark.seriesIndex][k]];
    const when = [["From", pdSeconds(cell[1])], ["to", pdSeconds(cell[2])]];
    if (data.slices) {
      const i = cells.shown[mark.seriesIndex][k], name = (n) => (n < 0 ? null : data.slices.regions[n]);
      const region = name(data.slices.region[i]), interval = name(data.slices.interval[i]);
      return pdTip(data.unit + " " + cell[0] + ": " + data.states[cell[3]], [["For", pdSeconds(cell[2] - cell[1])]].concat(when,
        region ? [["Function", pdShorten(region, 60)]] : [], interval && interval !== region ? [["Interval", pdShorten(interval, 60)]] : []));
    }
    const same = [];
    for (let i = cells.shown[mark.seriesIndex][k]; i >= 0 && cells.all[i][0] === cell[0] && cells.all[i][1] === cell[1]; i--) same.unshift(cells.all[i]);
    for (let i = cells.shown[mark.seriesIndex][k] + 1; i < cells.all.length && cells.all[i][0] === cell[0] && cells.all[i][1] === cell[1]; i++) same.push(cells.all[i]);
    return pdTip(data.unit + (data.bins.size > 1 ? "s " : " ") + pdTimelineRow(data, cell[0]),
      when.concat(same.map((c) => [data.states[c[3]], pdPercent(c[5] - c[4]), colours[c[3]]])));
  };
}

function pdTimelineNote(data) {
  const keys = " Drag to move; Ctrl and the wheel, or the keys + − ← → Home, zoom.";
  if (data.slices)
    return data.slices.rank.length + " slices: every moment of every " + data.unit.toLowerCase() + "." + keys;
  const size = data.bins.size;
  return "Each column is " + pdSeconds(data.bins.width) + (size > 1 ? " of " + size + " " + data.unit.toLowerCase() + "s" : "")
    + "; the height of a colour is its share of that time. Everything: --timeline FILE.json." + keys;
}

pdPage.kinds.timeline = function (data, view) {
  const rows = data.bins ? data.bins.groups : data.ranks;
  const all = data.bins ? pdTimelineBins(data) : pdTimelineSlices(data);
  const states = data.states.map((name, i) => i).filter((i) => all.some((cell) => cell[3] === i));
  const shown = states.map((state) => all.map((cell, i) => i).filter((i) => all[i][3] === state));
  const scale = pdTimeScale(data.end), f = scale.factor;
  const top = pdLegendHeight(view, states.map((i) => data.states[i]));
  const plot = Math.max(90, Math.min(560, rows * Math.max(2, Math.min(26, 420 / rows))));
  const gap = plot / rows > 8 ? 1 : 0;
  const option = pdFrame(view, {
    animation: false, legend: { show: states.length > 1 },
    grid: pdGrid({ top, bottom: 30, right: rows > 16 ? 24 : 16 }), dataZoom: pdZoomSliders(view, rows),
    tooltip: { formatter: pdTimelineTip(data, { all, shown }, view.colours.states) },
    xAxis: pdAxis(view, { name: "time, " + scale.unit, min: 0, max: data.end * f, splitLine: { show: false }, axisLabel: { formatter: pdNumber } }),
    yAxis: pdAxis(view, { type: "category", inverse: true, name: data.unit.toLowerCase() + (data.bins && data.bins.size > 1 ? "s, in groups" : ""),
      data: Array.from({ length: rows }, (none, row) => pdTimelineRow(data, row)), splitLine: { show: false } }),
    series: states.map((state, k) => ({
      type: "custom", name: data.states[state], itemStyle: { color: view.colours.states[state] }, progressive: 0,
      encode: { x: [1, 2], y: 0 }, dimensions: ["row", "begin", "end", "from", "to"],
      data: shown[k].map((i) => [all[i][0], all[i][1] * f, all[i][2] * f, all[i][4], all[i][5]]),
      renderItem: (params, api) => {
        const from = api.coord([api.value(1), api.value(0)]), to = api.coord([api.value(2), api.value(0)]);
        const area = params.coordSys, height = api.size([0, 1])[1], low = from[1] + height / 2 - gap / 2, tall = height - gap;
        const left = Math.max(from[0], area.x), right = Math.min(Math.max(to[0], from[0] + .7), area.x + area.width);
        if (right <= left || low < area.y || low - tall > area.y + area.height) return undefined;
        const bottom = Math.min(low - tall * api.value(3), area.y + area.height), above = Math.max(low - tall * api.value(4), area.y);
        if (bottom <= above) return undefined;
        return { type: "rect", shape: { x: left, y: above, width: right - left, height: bottom - above }, style: { fill: view.colours.states[state] }, silent: false };
      },
    })),
  });
  const zoom = (label, move) => ({ label, act: () => pdZoom(view, move) });
  option.pd = {
    height: plot + top + 84, renderer: "canvas", note: pdTimelineNote(data),
    tools: [zoom("Zoom in", "in"), zoom("Zoom out", "out"), zoom("◂ Earlier", "left"), zoom("Later ▸", "right"), zoom("All", "all")],
    key: (key) => pdZoomKeys[key] !== undefined && (pdZoom(view, pdZoomKeys[key]), true),
  };
  return option;
};

// ---- who sends to whom

pdPage.kinds.matrix = function (data, view) {
  const what = view.state.what || "bytes", values = data[what], most = pdMax(values);
  const least = values.reduce((a, b) => (b > 0 && b < a ? b : a), most);
  const log = most > 100 * least, shade = (v) => (log ? (v > 0 ? Math.log10(v) : Math.log10(least)) : v);
  const number = (v) => (what === "bytes" ? pdBytes(v) : pdNumber(v) + (v === 1 ? " message" : " messages"));
  const label = (group) => pdTimelineRow({ ranks: data.ranks, bins: data }, group);
  const names = Array.from({ length: data.groups }, (none, group) => label(group));
  const side = Math.max(160, Math.min(520, view.width - 110, 26 * data.groups));
  const axis = (name, own) => pdAxis(view, Object.assign({ type: "category", data: names, name, splitLine: { show: false } }, own));
  const of = data.size > 1 ? ", in groups of " + data.size : "";
  const option = pdFrame(view, {
    grid: pdGrid({ top: 6, bottom: 58, right: Math.max(16, view.width - 110 - Math.max(side, Math.min(view.width - 126, 2 * side))) }),
    tooltip: {
      formatter: (mark) => {
        const i = mark.data[3];
        return pdTip(label(data.from[i]) + " → " + label(data.to[i]), [["Messages", pdNumber(data.messages[i])], ["Bytes", pdBytes(data.bytes[i])],
          ["Mean message", pdBytes(data.bytes[i] / data.messages[i])]]);
      },
    },
    xAxis: axis("receiver" + of), yAxis: axis("sender" + of, { inverse: true }),
    visualMap: {
      min: log ? Math.log10(least) : 0, max: shade(most), calculable: true, orient: "horizontal", left: "center", bottom: 0, itemHeight: Math.min(160, view.width / 3), itemWidth: 12,
      dimension: 2, precision: 6, inRange: { color: view.colours.heat.slice(1) }, textStyle: { color: view.colours.dim }, formatter: (v) => number(log ? 10 ** v : v),
    },
    series: [{ type: "heatmap", name: what, progressive: 0, animation: false, data: values.map((v, i) => [data.to[i], data.from[i], shade(v), i]),
      itemStyle: { borderWidth: data.groups > 40 ? 0 : 1, borderColor: view.colours.card } }],
  });
  const tool = (text, key) => ({ label: text, pressed: what === key, act: () => view.set({ what: key }) });
  option.pd = {
    height: side + 96, renderer: "canvas", tools: [tool("Bytes", "bytes"), tool("Messages", "messages")],
    note: values.length + " of " + data.groups * data.groups + (data.size > 1 ? " pairs of groups" : " pairs") + " have messages." + (log ? " Colours by the logarithm." : ""),
  };
  return option;
};
