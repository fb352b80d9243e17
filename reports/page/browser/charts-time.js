// Timelines of ranks, and the communication matrix. SPDX-License-Identifier: MIT
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
  const inside = { type: "inside", xAxisIndex: 0, filterMode: "none", minSpan: 1e-4, zoomOnMouseWheel: "ctrl", moveOnMouseMove: true, moveOnMouseWheel: false, preventDefaultMouseMove: false };
  const sliders = [inside, Object.assign({}, common, { type: "slider", xAxisIndex: 0, filterMode: "none", minSpan: 1e-4, height: 16, bottom: 8, left: 60, right: 28 })];
  if (rows > 16)
    sliders.push(Object.assign({}, common, { type: "slider", yAxisIndex: 0, width: 12, right: 2, top: 40, bottom: 70 }));
  return sliders;
}

// ---- the timeline: slices as they are, or bins of time

// Cells are { row, begin, end, state, from, to }: of a bin, states lie upon each other, from and to
// being shares of the row's height; of a slice, i is its number.
function pdTimelineBins(data) {
  const bins = data.bins, cells = [];
  let group = -1, bin = -1, from = 0;
  bins.group.forEach((g, i) => {
    if (g !== group || bins.bin[i] !== bin) [group, bin, from] = [g, bins.bin[i], 0];
    const begin = bin * bins.width, end = Math.min(data.end, begin + bins.width);
    const ranks = Math.min(bins.size, data.ranks - g * bins.size);
    const to = Math.min(1, from + (end > begin ? bins.seconds[i] / (ranks * data.cpus * (end - begin)) : 0));
    cells.push({ row: g, begin, end, state: bins.state[i], from, to });
    from = to;
  });
  return cells;
}

function pdTimelineSlices(data) {
  const s = data.slices;
  return s.rank.map((row, i) => ({ row, begin: s.begin[i], end: s.end[i], state: s.state[i], from: 0, to: 1, i }));
}

function pdTimelineRow(data, row) {
  const size = data.bins ? data.bins.size : 1, first = row * size, last = Math.min(data.ranks, first + size) - 1;
  return last > first ? first + "–" + last : String(first);
}

// The slice at that time; if slices are too short to be seen, the nearest one.
function pdTimelineTip(data, cells, row, time, colours) {
  const far = (cell) => Math.max(0, cell.begin - time, time - cell.end);
  const found = cells.reduce((best, cell) => (cell.row === row && (!best || far(cell) < far(best)) ? cell : best), null);
  if (!found) return "";
  const when = [["From", pdSeconds(found.begin)], ["to", pdSeconds(found.end)]];
  if (data.bins)
    return pdTip(data.unit + (data.bins.size > 1 ? "s " : " ") + pdTimelineRow(data, row),
      when.concat(cells.filter((c) => c.row === row && c.begin === found.begin).map((c) => [data.states[c.state], pdPercent(c.to - c.from), colours[c.state]])));
  const name = (n) => (n < 0 ? null : pdShorten(data.slices.regions[n], 60));
  const region = name(data.slices.region[found.i]), interval = name(data.slices.interval[found.i]);
  return pdTip(data.unit + " " + row + ": " + data.states[found.state], [["For", pdSeconds(found.end - found.begin)]].concat(when,
    region ? [["Function", region]] : [], interval && interval !== region ? [["Interval", interval]] : []));
}

// One shape for all cells of a row that are in one state: a shape each would take seconds.
function pdRegisterCells() {
  if (echarts.graphic.getShapeClass("pdCells")) return;
  echarts.graphic.registerShape("pdCells", echarts.graphic.extendShape({
    shape: { cells: [] },
    buildPath: (path, shape) => shape.cells.forEach((c) => path.rect(c[0], c[1], c[2], c[3])),
  }));
}

// In pixels, those that are seen; neighbours meet at whole pixels.
function pdTimelineShape(cells, area, place, gap) {
  const right = area.x + area.width, below = area.y + area.height, shapes = [];
  cells.forEach((cell) => {
    const from = Math.max(area.x, Math.min(Math.round(place.x(cell.begin)), right - .7)), to = Math.min(right, Math.max(from + .7, Math.round(place.x(cell.end))));
    const bottom = place.y + (place.height - gap) * (.5 - cell.from), top = place.y + (place.height - gap) * (.5 - cell.to);
    const y = Math.max(area.y, top), end = Math.min(below, bottom);
    if (place.x(cell.end) >= area.x && place.x(cell.begin) <= right + .5 && end >= y) shapes.push([from, y, to - from, end - y]);
  });
  return shapes;
}

function pdTimelineSeries(data, cells, state, view, scale, gap) {
  const rows = new Map();
  cells.filter((cell) => cell.state === state).forEach((cell) => {
    if (!rows.has(cell.row)) rows.set(cell.row, []);
    rows.get(cell.row).push(cell);
  });
  const list = [...rows.entries()];
  return {
    type: "custom", name: data.states[state], itemStyle: { color: view.colours.states[state] }, progressive: 0, encode: { x: [1, 2], y: 0 },
    data: list.map(([row, own]) => [row, own[0].begin * scale.factor, own[own.length - 1].end * scale.factor]),
    renderItem: (params, api) => {
      const row = api.value(0), zero = api.coord([0, row]), last = api.coord([data.end * scale.factor, row]);
      const place = { x: (t) => zero[0] + (last[0] - zero[0]) * t / data.end, y: zero[1], height: api.size([0, 1])[1] };
      const shapes = pdTimelineShape(list[params.dataIndex][1], params.coordSys, place, gap);
      return shapes.length > 0 ? { type: "pdCells", shape: { cells: shapes }, style: { fill: view.colours.states[state] } } : undefined;
    },
  };
}

function pdTimelineNote(data) {
  const again = data.states.indexOf("repeated"), own = (data.slices || data.bins).state;
  const keys = (own.includes(again) ? " Repeated: computation that other " + data.unit.toLowerCase() + "s do alike, which is insufficient parallelism." : "") + " Drag to move; Ctrl and the wheel, or the keys + − ← → Home, zoom.";
  if (data.slices)
    return data.slices.rank.length + " slices: every moment of every " + data.unit.toLowerCase() + "." + keys;
  const size = data.bins.size;
  return "Each column is " + pdSeconds(data.bins.width) + (size > 1 ? " of " + size + " " + data.unit.toLowerCase() + "s" : "")
    + "; the height of a colour is its share of that time. Everything: --timeline FILE.json." + keys;
}

pdPage.kinds.timeline = function (data, view) {
  pdRegisterCells();
  const rows = data.bins ? data.bins.groups : data.ranks;
  const cells = data.bins ? pdTimelineBins(data) : pdTimelineSlices(data);
  const states = data.states.map((name, i) => i).filter((i) => cells.some((cell) => cell.state === i));
  const scale = pdTimeScale(data.end), top = pdLegendHeight(view, states.map((i) => data.states[i]));
  const plot = Math.max(90, Math.min(560, rows * Math.max(2, Math.min(26, 420 / rows))));
  const pointed = () => {
    if (!view.pointer()) return "";
    const [time, row] = view.instance().convertFromPixel({ gridIndex: 0 }, view.pointer());
    return pdTimelineTip(data, cells, Math.round(row), time / scale.factor, view.colours.states);
  };
  const option = pdFrame(view, {
    animation: false, legend: { show: states.length > 1 },
    grid: pdGrid({ top, bottom: 30, right: rows > 16 ? 24 : 16 }), dataZoom: pdZoomSliders(view, rows), tooltip: { formatter: pointed },
    xAxis: pdAxis(view, { name: "time, " + scale.unit, min: 0, max: data.end * scale.factor, splitLine: { show: false }, axisLabel: { formatter: pdNumber, showMaxLabel: false } }),
    yAxis: pdAxis(view, { type: "category", inverse: true, name: data.unit.toLowerCase() + (data.bins && data.bins.size > 1 ? "s, in groups" : ""),
      data: Array.from({ length: rows }, (none, row) => pdTimelineRow(data, row)), splitLine: { show: false } }),
    series: states.map((state) => pdTimelineSeries(data, cells, state, view, scale, plot / rows > 8 ? 1 : 0)),
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
      min: log ? Math.log10(least) : 0, max: shade(most), calculable: true, orient: "horizontal", left: 60, bottom: 0, itemHeight: Math.min(160, view.width / 3), itemWidth: 12,
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
