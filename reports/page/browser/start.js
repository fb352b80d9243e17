// Brings a page to life. SPDX-License-Identifier: MIT
"use strict";

// On paper all is drawn as vectors, and light.
function pdPrinting() {
  return document.documentElement.classList.contains("printing");
}

// A figure with its chart. Tests look at kind, key, figure and instance.
class PdChart {
  constructor(figure) {
    this.figure = figure;
    this.kind = figure.dataset.chart;
    this.key = figure.dataset.key;
    this.caption = figure.querySelector("figcaption").textContent;
    this.state = {};
    this.instance = null;
    this.tools = pdElement("div", { class: "tools" });
    this.sliders = pdElement("div", { class: "sliders" });
    this.canvas = pdElement("div", { class: "pd-canvas" });
    this.note = pdElement("p", { class: "pd-note", role: "status" });
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    figure.append(this.tools, this.sliders, this.note, this.canvas);
    figure.classList.add("drawn");
  }

  draw(animated) {
    const width = this.figure.clientWidth;
    if (width === 0 || this.figure.closest("details:not([open])")) return; // when they are unfolded
    this.width = width;
    const view = { width, colours: pdColours(), state: this.state, animated: !!animated, set: (state) => this.set(state), instance: () => this.instance, pointer: () => this.pointer };
    const option = pdPage.kinds[this.kind](pdPage.data[this.key], view);
    const own = option.pd || {};
    delete option.pd;
    option.aria = { enabled: true, label: { description: this.caption + ". The table near it says the same." } };
    this.canvas.style.height = (own.height || 320) + "px";
    this.prepare(pdPrinting() ? "svg" : own.renderer || "svg", width, own.height || 320);
    this.click = own.click;
    this.onKey = own.key;
    if (own.key) this.canvas.tabIndex = 0;
    this.note.textContent = own.note || "";
    this.instance.setOption(option, { notMerge: true });
    this.drawTools(own.tools || []);
    this.drawSliders(own.sliders || []);
  }

  // The instance, of that size; another one if it is to be drawn otherwise than before.
  prepare(renderer, width, height) {
    if (this.instance && this.renderer === renderer) {
      this.instance.resize({ width, height, silent: true });
      return;
    }
    if (this.instance) this.instance.dispose();
    else pdPage.charts.push(this);
    this.renderer = renderer;
    this.instance = echarts.init(this.canvas, null, { renderer, width, height });
    this.instance.getZr().on("mousemove", (event) => { this.pointer = [event.offsetX, event.offsetY]; }); // before tooltips are
    this.instance.on("click", (event) => this.click && this.click(event));
  }

  set(state) {
    this.state = state;
    this.draw(true);
  }

  press(event) {
    if (this.onKey && !event.ctrlKey && !event.altKey && !event.metaKey && this.onKey(event.key)) event.preventDefault();
  }

  // They stay while they are moved.
  drawSliders(sliders) {
    if (this.sliders.children.length !== sliders.length)
      this.sliders.replaceChildren(...sliders.map((slider, i) => {
        const input = pdElement("input", { type: "range" });
        input.addEventListener("input", () => this.onSlider[i](Number(input.value)));
        return pdElement("label", {}, pdElement("span", {}, slider.label), input, pdElement("output", {}));
      }));
    this.onSlider = sliders.map((slider) => slider.act);
    sliders.forEach((slider, i) => {
      const [, input, output] = this.sliders.children[i].children;
      for (const name of ["min", "max", "step"]) input[name] = slider[name];
      input.value = slider.value;
      input.setAttribute("aria-valuetext", slider.text);
      output.textContent = slider.text;
    });
  }

  drawTools(tools) {
    const focused = [...this.tools.children].indexOf(document.activeElement);
    this.tools.replaceChildren(...tools.map((tool) => {
      const button = pdElement("button", { type: "button" }, tool.label);
      if (tool.pressed !== undefined) button.setAttribute("aria-pressed", String(tool.pressed));
      button.disabled = !!tool.disabled;
      button.addEventListener("click", tool.act);
      return button;
    }));
    const again = this.tools.children[Math.min(focused, tools.length - 1)];
    if (focused >= 0 && again) again.focus();
  }
}

// Draws visible charts first.
function pdStartCharts() {
  const all = [...document.querySelectorAll("figure.pd-chart")]
    .filter((figure) => pdPage.kinds[figure.dataset.chart] && pdPage.data[figure.dataset.key])
    .map((figure) => new PdChart(figure));
  const drawAll = () => all.forEach((chart) => chart.draw(false));
  const drawNew = () => all.filter((chart) => !chart.instance).forEach((chart) => chart.draw(false));
  const next = (i) => {
    if (i >= all.length) {
      document.documentElement.dataset.charts = "ready";
      return;
    }
    all[i].draw(false);
    setTimeout(next, 0, i + 1);
  };
  new ResizeObserver(() => all.filter((chart) => chart.instance && chart.figure.clientWidth > 0 && chart.figure.clientWidth !== chart.width)
    .forEach((chart) => chart.draw(false))).observe(document.querySelector("main"));
  document.querySelectorAll("details").forEach((details) => details.addEventListener("toggle", drawNew));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  // unfolds all, and draws all there is
  pdPage.drawAll = () => {
    document.querySelectorAll("details").forEach((details) => { details.open = true; });
    drawNew();
  };
  window.addEventListener("beforeprint", () => {
    document.documentElement.classList.add("printing");
    drawAll();
    pdPage.charts.forEach((chart) => chart.instance.getZr().flush()); // no frame comes before
  });
  window.addEventListener("afterprint", () => {
    document.documentElement.classList.remove("printing");
    drawAll();
  });
  next(0);
}

// The section that is read is marked in the contents.
function pdStartContents() {
  const links = new Map([...document.querySelectorAll("nav a")].map((a) => [a.getAttribute("href").slice(1), a]));
  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    entries.forEach((e) => (e.isIntersecting ? seen.add(e.target.id) : seen.delete(e.target.id)));
    const first = [...links.keys()].find((id) => seen.has(id));
    links.forEach((a, id) => (id === first ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current")));
  }, { rootMargin: "-10% 0px -60% 0px" });
  document.querySelectorAll("main > section").forEach((section) => watcher.observe(section));
}

// A link to a folded section unfolds it.
function pdUnfoldTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target && target.querySelector(":scope > details.run");
  if (details) details.open = true;
}

pdPage.data = JSON.parse(document.getElementById("pd-data").textContent);
document.querySelectorAll("main table").forEach((table) => {
  if (table.tHead && table.tBodies.length > 0)
    pdMakeSortable(table, table.getAttribute("role") === "treegrid" ? new PdTree(table) : null);
});
document.querySelectorAll(".choice").forEach(pdStartChoice);
pdStartContents();
window.addEventListener("hashchange", pdUnfoldTarget);
pdUnfoldTarget();
if (window.echarts) pdStartCharts();
