// Drives Chromium by the DevTools protocol over a pipe: nothing but node (18 or later) and
// Chromium is needed, and no port is opened. SPDX-License-Identifier: MIT
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const patience = 120000; // ms, for one answer; machines are busy

export class Browser {
  static async start(program) {
    const self = new Browser();
    self.folder = mkdtempSync(join(tmpdir(), "page-"));
    self.process = spawn(program, [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-color-profile=srgb",
      "--remote-debugging-pipe", "--user-data-dir=" + self.folder, "about:blank",
    ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    self.waiting = new Map();
    self.sessions = new Map();
    self.last = 0;
    self.gone = new Promise((resolve) => self.process.on("exit", resolve));
    self.gone.then(() => self.waiting.forEach((w) => w.reject(new Error("the browser has ended"))));
    self.process.on("error", (error) => self.waiting.forEach((w) => w.reject(error)));
    self.process.stdio[3].on("error", () => {}); // the answer does not come, then
    let rest = Buffer.alloc(0);
    self.process.stdio[4].on("data", (bytes) => {
      const parts = [];
      let from = 0, all = Buffer.concat([rest, bytes]);
      for (let at = all.indexOf(0); at >= 0; at = all.indexOf(0, from)) {
        parts.push(all.toString("utf8", from, at));
        from = at + 1;
      }
      rest = all.subarray(from);
      parts.forEach((part) => self.receive(JSON.parse(part)));
    });
    self.version = (await self.send("Browser.getVersion")).product;
    return self;
  }

  receive(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.waiting.delete(message.id);
      if (message.error) waiting.reject(new Error(waiting.method + ": " + message.error.message));
      else waiting.resolve(message.result);
    } else if (message.method) {
      const page = this.sessions.get(message.sessionId);
      if (page) page.hear(message.method, message.params);
    }
  }

  send(method, params, sessionId) {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => { this.waiting.delete(id); reject(new Error(method + ": no answer")); }, patience);
      const done = (what) => (value) => { clearTimeout(timer); what(value); };
      this.waiting.set(id, { method, resolve: done(resolve), reject: done(reject) });
      this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    });
  }

  async open(file, options) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    this.sessions.set(sessionId, page);
    await page.load(file, options || {});
    return page;
  }

  // Seconds of processors that the browser has used up.
  async used() {
    const { processInfo } = await this.send("SystemInfo.getProcessInfo");
    return processInfo.reduce((sum, process) => sum + process.cpuTime, 0);
  }

  async stop() {
    this.send("Browser.close").catch(() => {});
    const timer = setTimeout(() => this.process.kill("SIGKILL"), 10000);
    await this.gone;
    clearTimeout(timer);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const keyCodes = {
  Tab: 9, Enter: 13, " ": 32, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, "+": 187, "-": 189,
};

export class Page {
  constructor(browser, targetId, sessionId) {
    Object.assign(this, { browser, targetId, sessionId, complaints: [], requests: [], loaded: null });
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  hear(method, params) {
    const text = (arg) => arg.description || String(arg.value);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) this.complaints.push(params.args.map(text).join(" "));
    else if (method === "Runtime.exceptionThrown") this.complaints.push(params.exceptionDetails.exception ? text(params.exceptionDetails.exception) : params.exceptionDetails.text);
    else if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.complaints.push(params.entry.text);
    else if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    else if (method === "Page.loadEventFired" && this.loaded) this.loaded();
  }

  // options: width, height (pixels), dark, print, scripts (false: without)
  async load(file, options) {
    this.url = pathToFileURL(file).href;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await this.send(domain + ".enable");
    await this.look(options);
    if (options.scripts === false) await this.send("Emulation.setScriptExecutionDisabled", { value: true });
    const loaded = new Promise((resolve) => { this.loaded = resolve; });
    const begin = performance.now(), used = await this.browser.used();
    await this.send("Page.navigate", { url: this.url });
    await loaded;
    if (options.scripts !== false) await this.until(() => !window.echarts || document.documentElement.dataset.charts === "ready");
    this.seconds = (performance.now() - begin) / 1000;
    this.used = await this.browser.used() - used;
  }

  async look({ width = 1280, height = 900, dark = false, print = false }) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await this.send("Emulation.setEmulatedMedia", { media: print ? "print" : "", features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }, { name: "prefers-reduced-motion", value: "reduce" }] });
    await this.settle();
  }

  // Two frames, so that what follows from a change of size or colours is done.
  settle() {
    return this.evaluate(() => new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
      setTimeout(resolve, 1000, false); // of a page that nobody sees there may be none
    }));
  }

  // The value of that function in the page.
  async evaluate(f, ...args) {
    const expression = "(" + f + ")(..." + JSON.stringify(args) + ")";
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception ? exceptionDetails.exception.description : exceptionDetails.text);
    return result.value;
  }

  async until(f, ...args) {
    for (const end = Date.now() + patience; Date.now() < end;) {
      if (await this.evaluate(f, ...args)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("waited in vain for " + f);
  }

  async press(key, shift = false) {
    const common = { key, code: key, windowsVirtualKeyCode: keyCodes[key], modifiers: shift ? 8 : 0 };
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    await this.send("Input.dispatchKeyEvent", Object.assign({ type: text ? "keyDown" : "rawKeyDown", text }, common));
    await this.send("Input.dispatchKeyEvent", Object.assign({ type: "keyUp" }, common));
  }

  // Where the element that f finds is, after scrolling there: its middle.
  async place(f, ...args) {
    const found = await this.evaluate(`(...args) => {
      const element = (${f})(...args);
      if (!element) return null;
      element.scrollIntoView({ block: "center", behavior: "instant" });
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width, height: box.height };
    }`, ...args);
    if (!found) throw new Error("nothing to point at: " + f);
    return found;
  }

  async point(x, y) {
    await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  }

  async click(f, ...args) {
    const { x, y } = await this.place(f, ...args);
    await this.point(x, y);
    await this.send("Input.dispatchMouseEvent", { type: "mousePressed", x, y, button: "left", clickCount: 1 });
    await this.send("Input.dispatchMouseEvent", { type: "mouseReleased", x, y, button: "left", clickCount: 1 });
  }

  async picture(options) {
    const { data } = await this.send("Page.captureScreenshot", Object.assign({ format: "png" }, options));
    return Buffer.from(data, "base64");
  }

  async close() {
    this.browser.sessions.delete(this.sessionId);
    await this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}
