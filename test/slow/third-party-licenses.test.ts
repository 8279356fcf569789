import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const DIST = join(import.meta.dirname, "../../dist");

/** Built code, and packages that are in it. */
const BUNDLED: readonly [folder: string, packages: readonly string[]][] = [
  [".", ["@modelcontextprotocol/server", "zod", "ajv", "highlight.js"]],
  ["web", ["react", "react-dom", "@rjsf/core", "react-markdown", "@cfworker/json-schema"]],
  ["editor", ["zod", "typebox", "@sinclair/typebox"]],
];

it.each(BUNDLED)("the licenses of the packages bundled into dist/%s are next to them", (folder, packages) => {
  const text = readFileSync(join(DIST, folder, "THIRD-PARTY-LICENSES.txt"), "utf8");
  const listed = Array.from(text.matchAll(/^(\S+) \d\S* \(.+\)\n\n.*\S/gm), ([, name]) => name);
  expect(listed).toEqual(expect.arrayContaining([...packages]));
  expect(listed).not.toContain("toolwright");
});

it("the license of highlight.js is given in full", () => {
  const text = readFileSync(join(DIST, "THIRD-PARTY-LICENSES.txt"), "utf8");
  expect(text).toMatch(
    /^highlight\.js \S+ \(BSD-3-Clause\)\n\nBSD 3-Clause License\n\nCopyright \(c\) 2006, Ivan Sagalaev\.$/m,
  );
});
