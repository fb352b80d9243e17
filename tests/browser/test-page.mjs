// test-page.mjs FOLDER: what holds for the pages there (tests/reports/page/test-page.sh made them), in a real
// browser. A line for each check: ok or not ok, a tab, its name; what is wrong follows with "# ".
// SPDX-License-Identifier: MIT
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "./cdp.mjs";
import { checkCharts, checkKeyboard, checkLooks, checkPrint, checkQuiet, checkSorting, checkTrees } from "./checks.mjs";
import { against, wrongEvents } from "./marks.mjs";

const folder = process.argv[2];
const largest = 5e6; // bytes
const slowest = 30;  // s; it should be 3, but machines are busy

// kinds of charts that must be there; checks besides those of all pages
const pages = [
  { name: "several", kinds: ["curves", "shares", "scaling", "parts", "processors", "timeline", "matrix", "pop", "histogram", "sensitivity", "path", "tolerance", "scan", "machine"],
    checks: ["sorting", "trees", "results", "samples", "enter"] },
  { name: "messages", kinds: ["parts", "processors", "timeline", "matrix", "scan", "machine"], checks: ["results", "events", "zoom", "switch", "sliders"] },
  { name: "bins", kinds: ["timeline", "matrix"], checks: ["results", "events", "zoom"] },
  { name: "recorded", kinds: ["recorded"], checks: ["sorting"] },
  { name: "analysed", kinds: ["parts", "processors", "timeline", "matrix", "waits", "sites"], checks: ["sorting", "trees"] },
  { name: "compared", kinds: ["differences"], checks: ["sorting"] },
  { name: "model", kinds: ["ranks", "curves", "shares", "parts", "processors"], checks: ["sorting", "trees"] },
  { name: "study", kinds: ["study-curves", "study-parts", "study-heat", "study-front"], checks: ["sorting"] },
  { name: "large", kinds: ["parts", "processors", "timeline", "matrix"], checks: ["results", "speed"], brief: true },
  { name: "plain", kinds: [], checks: ["sorting", "trees"] },
];

const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const dataOf = (page) => page.evaluate(() => JSON.parse(document.getElementById("pd-data").textContent));

function say(name, wrong) {
  console.log((wrong === "" ? "ok\t" : "not ok\t") + name);
  if (wrong !== "") console.log(wrong.replace(/^/gm, "# "));
}

// ---- checks of single pages

async function checkResults(page, { name }) {
  const data = await dataOf(page), results = read(name + ".json");
  return Object.entries(against).map(([what, check]) => [what, check(data, results)]).filter((w) => w[1] !== "").map((w) => w.join(": ")).join("\n");
}

const checkEvents = async (page, { name }) => wrongEvents(await dataOf(page), read(name + "-events.json").traceEvents);

// As many samples in each histogram as there were.
async function checkSamples(page) {
  const data = await dataOf(page), wanted = Number(read("samples.json"));
  const counts = Object.keys(data).filter((key) => key.endsWith("-samples")).map((key) => data[key].count.reduce((a, b) => a + b, 0));
  return counts.length > 0 && counts.every((n) => n === wanted) ? "" : counts + " samples, not " + wanted;
}

const chartState = (kind) => {
  const chart = pdPage.charts.find((c) => c.kind === kind), option = chart.instance.getOption();
  const tip = [...chart.canvas.children].find((child) => child.tagName === "DIV" && child.style.pointerEvents === "none");
  return { zoom: option.dataZoom && option.dataZoom.map((z) => [z.start, z.end])[0], names: option.yAxis && option.yAxis[0].data, series: option.series.map((s) => s.name),
    state: chart.state, tip: tip ? tip.textContent : "", buttons: [...chart.tools.children].map((b) => b.textContent + (b.getAttribute("aria-pressed") || "")) };
};
const findButton = (kind, text) => [...pdPage.charts.find((c) => c.kind === kind).tools.children].find((button) => button.textContent === text);
const findCanvas = (kind) => pdPage.charts.find((c) => c.kind === kind).canvas;

// A timeline: buttons, keys and the wheel zoom; a slice says what it is.
async function checkZoom(page) {
  const wrong = [], zoom = async () => (await page.evaluate(chartState, "timeline")).zoom;
  const expect = async (what, start, end) => {
    const now = await zoom();
    if (Math.abs(now[0] - start) > .01 || Math.abs(now[1] - end) > .01) wrong.push(what + ": " + now + ", not " + start + "," + end);
  };
  await expect("at first", 0, 100);
  await page.click(findButton, "timeline", "Zoom in");
  await expect("Zoom in", 25, 75);
  await page.evaluate(() => pdPage.charts.find((c) => c.kind === "timeline").canvas.focus());
  for (const [key, start, end] of [["+", 37.5, 62.5], ["ArrowLeft", 31.25, 56.25], ["ArrowRight", 37.5, 62.5], ["-", 25, 75], ["Home", 0, 100]]) {
    await page.press(key);
    await expect(key, start, end);
  }
  const box = await page.place(findCanvas, "timeline");
  await page.send("Input.dispatchMouseEvent", { type: "mouseWheel", x: box.x, y: box.y, deltaX: 0, deltaY: -240, modifiers: 2 });
  await page.until(() => pdPage.charts.find((c) => c.kind === "timeline").instance.getOption().dataZoom[0].start > 0).catch(() => wrong.push("Ctrl and the wheel do not zoom"));
  await page.evaluate(() => pdPage.charts.find((c) => c.kind === "timeline").canvas.focus());
  await page.press("Home");
  await page.settle();
  const data = (await dataOf(page))["run1-timeline"];
  let tip = "";
  for (let k = 1; k < 12 && tip === ""; k++) {
    await page.point(box.x - box.width / 2 + box.width * (.1 + .06 * k), box.y - 20 + k);
    await page.settle();
    tip = (await page.evaluate(chartState, "timeline")).tip;
  }
  if (!data.states.some((state) => tip.includes(state)) || !tip.includes(data.unit)) wrong.push("pointing at it says \"" + tip + "\"");
  return wrong.join("\n");
}

// Bytes or messages; colours are of what was chosen.
async function checkSwitch(page) {
  await page.click(findButton, "matrix", "Messages");
  const { series, state } = await page.evaluate(chartState, "matrix");
  return series.join() === "messages" && state.what === "messages" ? "" : "shows " + series + ", " + JSON.stringify(state);
}

// By keys: one slider has all its points, a second one powers of two; what is said is what was predicted.
async function checkSliders(page) {
  const wrong = [], data = (await dataOf(page))["run1-scan"], [latency, , speed] = data.parameters;
  const now = () => page.evaluate(() => {
    const chart = pdPage.charts.find((c) => c.kind === "scan");
    return { values: [...chart.sliders.querySelectorAll("input")].map((input) => Number(input.value)), note: chart.note.textContent };
  });
  const expect = async (what, values, seconds, setting) => {
    const { values: has, note } = await now();
    const shown = await page.evaluate((s) => pdSeconds(s), seconds);
    if (has.slice(0, 3).join() !== values.join() || !note.includes(shown) || !note.includes(setting)) wrong.push(what + ": " + has + ", \"" + note + "\", not " + values + ", " + shown + ", " + setting);
  };
  const focus = (i) => page.evaluate((k) => pdPage.charts.find((c) => c.kind === "scan").sliders.querySelectorAll("input")[k].focus(), i);
  await expect("at first", [0, 0, 0], data.today, "As described");
  await focus(0);
  for (let i = 1; i <= 5; i++) {
    await page.press("ArrowLeft");
    await expect("latency, " + i + " keys", [-i, 0, 0], latency.seconds[16 - i], "--set latency-ratio=" + data.factor[16 - i]);
  }
  await focus(2);
  await page.press("ArrowRight");
  await expect("and speed", [-4, 0, 4], data.parameters[1].others[3 * 9 + 5], "--set latency-ratio=0.5 --set speed-ratio=2");
  await focus(1);
  await page.press("ArrowRight");
  await expect("and bandwidth, without latency", [0, 4, 4], latency.others[5 * 9 + 5], "--set bandwidth-ratio=2 --set speed-ratio=2");
  await page.click(findButton, "scan", "As described");
  await expect("as described again", [0, 0, 0], data.today, "As described");
  if (!(speed.seconds[32] < data.today && speed.seconds.every((s, i) => i === 0 || s <= speed.seconds[i - 1]))) wrong.push("faster processors are not faster");
  if (data.factor.length < 33) wrong.push("only " + data.factor.length + " points");
  return wrong.join("\n");
}

// One goes into an interval by a click on its bar, and out again by the button.
async function checkEnter(page) {
  const data = (await dataOf(page))["run1-intervals"], wrong = [];
  const inside = data.parent.findIndex((p, i) => p === 0 && data.parent.includes(i));
  const before = await page.evaluate(chartState, "parts");
  const label = before.buttons.findIndex((text) => text.startsWith("▸"));
  if (inside < 0 || label < 0) return "nothing to go into: " + before.buttons;
  await page.click((n) => pdPage.charts.find((c) => c.kind === "parts").tools.children[n], label);
  const into = await page.evaluate(chartState, "parts");
  if (!(into.state.at > 0) || into.names.join() === before.names.join()) wrong.push("one cannot go inside");
  await page.click(findButton, "parts", "◂ Outwards");
  const out = await page.evaluate(chartState, "parts");
  if (out.state.at !== 0 || out.names.join() !== before.names.join()) wrong.push("one cannot go back");
  return wrong.join("\n");
}

function checkSpeed(page) {
  return Math.min(page.seconds, page.used) < slowest ? "" : "opened in " + page.seconds + " s";
}

const single = { results: checkResults, events: checkEvents, samples: checkSamples, zoom: checkZoom, switch: checkSwitch, sliders: checkSliders, enter: checkEnter, speed: checkSpeed, sorting: checkSorting, trees: checkTrees };

// What is not tried of pages without charts; zoom comes last, for it leaves traces.
const ofCharts = ["enter", "switch", "sliders", "zoom"];

// ---- all pages

async function testPage(browser, spec) {
  const file = join(folder, spec.name + ".html"), size = statSync(file).size;
  const page = await browser.open(file);
  const test = async (what, check) => say("/page/" + spec.name + "/" + what, await check().catch((error) => String(error.stack || error)));
  await test("size", async () => (size <= largest ? "" : size + " bytes"));
  const charts = readFileSync(file, "utf8").includes("<!-- Charts: Apache ECharts");
  for (const what of spec.checks.filter((check) => !ofCharts.includes(check))) await test(what, async () => single[what](page, spec));
  for (const what of ofCharts.filter((check) => charts && check !== "zoom" && spec.checks.includes(check))) await test(what, async () => single[what](page, spec));
  if (charts) await test("charts", () => checkCharts(page, spec.kinds));
  else if (spec.kinds.length > 0) console.log("# " + spec.name + " has no charts: the library could not be fetched when the program was built");
  if (charts && spec.checks.includes("zoom")) await test("zoom", () => checkZoom(page, spec));
  await test("looks", () => checkLooks(page));
  if (!spec.brief) await test("keyboard", () => checkKeyboard(page));
  await test("print", () => checkPrint(page));
  await test("quiet", async () => checkQuiet(page));
  console.log("# " + spec.name + ": " + size + " bytes, opened in " + page.seconds.toFixed(2) + " s, " + page.used.toFixed(2) + " s of processors");
  await page.close();
}

// Without scripts: headings, tables and all sections.
async function testScriptless(browser, spec) {
  const page = await browser.open(join(folder, spec.name + ".html"), { scripts: false });
  const wrong = await page.evaluate(() => {
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.getClientRects().length > 0).length;
    return shown("h1") === 1 && shown("main section") > 2 && shown("table") > 0 && shown("figure.pd-chart") === 0 ? "" : shown("main section") + " sections, " + shown("table") + " tables, " + shown("figure.pd-chart") + " figures";
  });
  say("/page/" + spec.name + "/without-scripts", wrong);
  await page.close();
}

const browser = await Browser.start(process.env.CHROMIUM || "chromium");
console.log("# " + browser.version + ", node " + process.version);
try {
  for (const spec of pages.filter((p) => existsSync(join(folder, p.name + ".html")))) {
    await testPage(browser, spec);
    if (spec.name === "several") await testScriptless(browser, spec);
  }
} finally {
  await browser.stop();
}
