import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const PAGE = join(import.meta.dirname, "../../dist/web");
const MOST_BYTES = 200_000;

/** The files that a browser loads before it shows anything: those that index.html names, and what they import. */
function firstLoad(): string[] {
  const files = ["index.html"];
  for (const file of files) {
    const text = readFileSync(join(PAGE, file), "utf8");
    const names = file.endsWith(".html")
      ? [...text.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1] ?? "")
      : [...text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)].map((match) => `assets/${match[1]}`);
    files.push(...names.filter((name) => /\.(?:js|css|svg)$/.test(name) && !files.includes(name)));
  }
  return files;
}

it("[U4] the page loads less than 200 KB at first, compressed", () => {
  const sizes = firstLoad().map((file) => ({ file, bytes: gzipSync(readFileSync(join(PAGE, file))).length }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`First load of the page: ${total} bytes in ${sizes.length} files. ${JSON.stringify(sizes)}`);
  expect(sizes.some(({ file }) => file.endsWith(".js"))).toBe(true);
  expect(total).toBeLessThan(MOST_BYTES);
});

it("[U4] the view of tools, which is shown first, loads less than 200 KB in total, without the form", () => {
  const view = readdirSync(join(PAGE, "assets")).filter((name) => /^tools-view-/.test(name));
  const imported = view
    .filter((name) => name.endsWith(".js"))
    .flatMap((name) => [...readFileSync(join(PAGE, "assets", name), "utf8").matchAll(/\bfrom"\.\/([^"]+)"/g)])
    .map((match) => match[1] ?? "");
  const files = new Set([...firstLoad(), ...[...view, ...imported].map((name) => `assets/${name}`)]);
  const total = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(PAGE, file))).length, 0);
  expect(view.length).toBeGreaterThan(0);
  expect(total).toBeLessThan(MOST_BYTES);
});
