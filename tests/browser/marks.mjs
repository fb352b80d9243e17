// How many marks a chart must have, from the data of the page and not from the scripts that draw
// it: { series: marks of each, in the order of the option } or { marks: of all together }.
// SPDX-License-Identifier: MIT

const sum = (values) => values.reduce((a, b) => a + b, 0);
const max = (values) => values.reduce((a, b) => (b > a ? b : a), 0);
const parts = (columns) => columns.filter((column) => max(column) > 0).length;
const distinct = (values) => new Set(values).size;
const positive = (values) => values.filter((v) => v > 0).length;

function partsMarks(data) {
  const children = data.parent.map((p, i) => i).filter((i) => data.parent[i] === 0);
  const total = (i) => sum(data.values.map((part) => part[i]));
  const rows = [0].concat(children.sort((a, b) => total(b) - total(a) || a - b).slice(0, 16));
  const used = data.values.filter((part) => rows.some((i) => part[i] > 0)).length;
  return { series: Array(used).fill(rows.length), bars: rows.map(total) };
}

const stateMarks = (data) => {
  const own = data.bins || data.slices, states = own.state, rows = own.group || own.rank;
  return { series: [...new Set(states)].sort((a, b) => a - b).map((s) => distinct(rows.filter((row, i) => states[i] === s))), cells: states.length };
};

// All are as described: the curves, today's point, where the limit changes, nothing chosen.
function scanMarks(data) {
  const curve = (p) => p.seconds.filter((s) => s !== null).length;
  const better = [1, -1, -1]; // where, along a curve, the parameter was before it was improved
  const changes = (p, k) => (p.limit || []).filter((limit, i) => limit >= 0 && p.limit[i + better[k]] >= 0 && p.limit[i + better[k]] !== limit).length;
  return { series: data.parameters.map(curve).concat([1, sum(data.parameters.map(changes)), 0]) };
}

function recordedMarks(data) {
  const sets = [data.intervals, data.ranks].filter((s) => s.name.length > 0);
  const all = sets.flatMap((s) => s.recorded.concat(s.predicted)).filter((v) => v > 0);
  const log = max(all) > 50 * Math.min(...all);
  return { series: sets.map((s) => s.name.filter((n, i) => !log || (s.recorded[i] > 0 && s.predicted[i] > 0)).length).concat([2]) };
}

export const expected = {
  parts: partsMarks,
  curves: (data) => {
    const best = distinct(data.processors), others = data.processors.length - best;
    return { series: [best, best, 2, others, others] };
  },
  ranks: (data) => ({ series: [data.processors.length, data.processors.length, data.recorded_processors.length] }),
  scaling: (data) => ({ series: Array(data.name.length).fill(data.processors.length).concat([2]) }),
  shares: (data) => ({ series: Array(parts(data.shares)).fill(data.processors.length) }),
  processors: (data) => ({ series: [parts(data.max) * data.first.length] }),
  pop: (data) => ({ nodes: data.id.filter((id) => data.id.includes("global_efficiency") || !["global_efficiency", "computation_scaling"].includes(id)).length }),
  recorded: recordedMarks,
  histogram: (data) => ({ series: [data.count.length] }),
  sensitivity: (data) => ({ series: Array(2).fill(Math.min(32, data.parameters.name.length + data.intervals.name.length)) }),
  path: (data) => {
    const kind = (name) => ["computation", "input-output"].indexOf(name);
    return { series: Array(distinct(data.part.filter((name, i) => data.seconds[i] > 0).map(kind))).fill(positive(data.seconds)) };
  },
  tolerance: (data) => ({ marks: data.tolerance.name.length + distinct(data.tolerance.name) }),
  scan: scanMarks,
  waits: (data) => ({ series: [data.name.length] }),
  sites: (data) => ({ series: [data.name.length, data.name.length] }),
  differences: (data) => ({ series: [data.name.length, data.name.length] }),
  machine: (data) => ({ nodes: data.title.length }),
  matrix: (data) => ({ series: [data.from.length] }),
  timeline: stateMarks,
  "study-curves": (data) => ({ marks: data.value.length + (data.id === "speed-up" && data.x.name === "procs" && data.x.kind !== "word" ? 2 : 0) }),
  "study-parts": (data) => ({ series: Array(4).fill(data.at_x.length) }),
  "study-heat": (data) => ({ series: [data.value.length] }),
  "study-front": (data) => ({ series: [positive(data.front.map((f) => (f === 1 ? 0 : 1))), positive(data.front.map((f) => (f === 1 ? 1 : 0)))] }),
};

// ---- the data of the page against the results that another run of the program gave as JSON

const near = (a, b) => Math.abs(a - b) <= 1e-8 * Math.max(Math.abs(a), Math.abs(b)) + 1e-11;

// Each: (data of the page, results) → what is wrong, or "".
const partFields = ["productive_time", "io_time", "insufficient_parallelism", "communication", "idle"];

// In the order of the page: what is inside follows.
const flat = (intervals) => intervals.flatMap((interval) => [interval].concat(flat(interval.intervals || [])));

function wrongIntervals(data, results) {
  for (const [k, run] of results.runs.entries()) {
    const found = data["run" + (k + 1) + "-intervals"];
    const wanted = flat(run.intervals);
    if (found.name.length !== wanted.length) return "run " + (k + 1) + ": " + found.name.length + " intervals, not " + wanted.length;
    for (const [i, interval] of wanted.entries())
      for (const p of [2, 3, 4])
        if (!near(found.values[p][i], interval[partFields[p]])) return "run " + (k + 1) + ", interval " + i + ": " + partFields[p] + " is " + found.values[p][i] + ", not " + interval[partFields[p]];
    if (!near(found.seconds[0], run.execution_time)) return "run " + (k + 1) + ": " + found.seconds[0] + " s, not " + run.execution_time;
  }
  return "";
}

function wrongCurves(data, results) {
  const c = data.comparison, runs = results.runs;
  if (c === undefined) return runs.length > 1 ? "no curves" : "";
  const wrong = runs.findIndex((run, i) => c.processors[i] !== run.processors || !near(c.seconds[i], run.execution_time) || !near(c.efficiency[i], run.efficiency));
  return c.processors.length !== runs.length ? c.processors.length + " points for " + runs.length + " runs" : wrong >= 0 ? "run " + wrong : "";
}

function wrongMessages(data, results) {
  const wrong = results.runs.findIndex((run, k) => {
    const matrix = data["run" + (k + 1) + "-matrix"];
    return matrix && (sum(matrix.messages) > run.messages.count || sum(matrix.bytes) > run.messages.bytes);
  });
  return wrong >= 0 ? "run " + (wrong + 1) + ": more messages than there were" : "";
}

// What takes time in a timeline of all ranks adds up to no more than there is, and to the end.
function wrongTimeline(data, results) {
  for (const [k, run] of results.runs.entries()) {
    const t = data["run" + (k + 1) + "-timeline"];
    const seconds = t.bins ? sum(t.bins.seconds) : sum(t.slices.end.map((end, i) => end - t.slices.begin[i]));
    if (seconds > t.ranks * t.cpus * t.end * 1.0001) return "run " + (k + 1) + ": states take " + seconds + " s of " + t.ranks * t.cpus * t.end;
    if (t.end > run.execution_time * 1.0000001 || t.end < .5 * run.execution_time) return "run " + (k + 1) + " ends at " + t.end + ", not " + run.execution_time;
    if (t.ranks !== run.processors) return "run " + (k + 1) + ": " + t.ranks + " ranks, not " + run.processors;
  }
  return "";
}

export const against = { intervals: wrongIntervals, curves: wrongCurves, messages: wrongMessages, timeline: wrongTimeline };

// The timeline and the matrix of a page, against the timeline file of the same run.
export function wrongEvents(data, events) {
  const t = data["run1-timeline"], matrix = data["run1-matrix"];
  const slices = events.filter((e) => e.ph === "X" && e.cat !== "interval"), flows = events.filter((e) => e.ph === "s");
  const byState = t.states.map(() => 0);
  slices.forEach((e) => { byState[t.states.indexOf(e.cat)] += e.dur / 1e6; });
  const found = t.states.map(() => 0);
  if (t.slices) t.slices.state.forEach((s, i) => { found[s] += t.slices.end[i] - t.slices.begin[i]; });
  else t.bins.state.forEach((s, i) => { found[s] += t.bins.seconds[i]; });
  if (t.slices && t.slices.rank.length !== slices.filter((e) => e.dur > 0).length) return t.slices.rank.length + " slices, not " + slices.length;
  const wrong = byState.findIndex((seconds, s) => Math.abs(seconds - found[s]) > 1e-3 * seconds + 1e-9);
  if (wrong >= 0) return t.states[wrong] + ": " + found[wrong] + " s, not " + byState[wrong];
  return matrix && sum(matrix.messages) !== flows.length ? sum(matrix.messages) + " messages, not " + flows.length : "";
}
