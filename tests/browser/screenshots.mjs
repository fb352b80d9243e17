// screenshots.mjs FOLDER PAGE...: pictures of pages, in light and dark, 1280 and 400 pixels wide,
// from top to bottom, and as printed: FOLDER/PAGE-1280-dark.png etc.
// --only WIDTH-LOOK: that one; --clip HEIGHT: the first HEIGHT pixels; --scale FACTOR; --key KEY: only the chart
// with that key. CHROMIUM names the browser. SPDX-License-Identifier: MIT
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Browser } from "./cdp.mjs";

const args = process.argv.slice(2), options = {};
while (args.length > 1 && args[0].startsWith("--")) options[args.shift().slice(2)] = args.shift();
const [folder, ...pages] = args;
if (!folder || pages.length === 0) {
  console.error("usage: screenshots.mjs [--only WIDTH-LOOK] [--clip HEIGHT] [--key KEY] FOLDER PAGE...");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

async function clip(page, width) {
  if (options.key) {
    await page.evaluate((key) => {
      const figure = document.querySelector('figure[data-key="' + key + '"]');
      for (let around = figure.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
    }, options.key);
    await page.settle();
    return page.evaluate((key) => {
      const box = document.querySelector('figure[data-key="' + key + '"]').closest("section").getBoundingClientRect();
      return { x: box.x, y: box.y + scrollY, width: box.width, height: box.height, scale: 1 };
    }, options.key);
  }
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  return { x: 0, y: 0, width, height: Math.min(Number(options.clip || 16000), height), scale: Number(options.scale || 1) };
}

const browser = await Browser.start(process.env.CHROMIUM || "chromium");
for (const file of pages)
  for (const width of [1280, 400])
    for (const look of ["light", "dark"]) {
      const name = width + "-" + look;
      if (options.only && options.only !== name) continue;
      const page = await browser.open(file, { width, dark: look === "dark" });
      const picture = await page.picture({ captureBeyondViewport: true, clip: await clip(page, width) });
      const path = join(folder, basename(file, ".html") + "-" + name + (options.key ? "-" + options.key : "") + ".png");
      writeFileSync(path, picture);
      console.log(path);
      page.complaints.forEach((complaint) => console.log("  " + complaint));
      await page.close();
    }
await browser.stop();
