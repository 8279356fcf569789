import { expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { OwnRuns } from "../../platform/processes/own-runs.ts";
import type { FileManifest } from "../protocol/manifest.ts";
import { InProcess } from "./in-process.ts";

const TEXT = `Lints \${directory}, a part of \${ workspace }, up to \${maxLines} lines.\n`;
const FILLED = `Lints /p/app, a part of /p, up to \${maxLines} lines.`;

/** The manifest of a tool file beside `lint.txt`. */
async function load(source: string): Promise<FileManifest | undefined> {
  const folder = temporary();
  put(`${folder}/lint.txt`, TEXT);
  const file = put(`${folder}/lint.ts`, source);
  const runs = new OwnRuns();
  const hosts = new InProcess({ cwd: "/p/app", worktree: "/p", importMs: 5_000, log: () => {}, runs });
  const [manifest] = await hosts.load([
    { file, name: "lint", source: "custom", place: "project", system: "toolwright" },
  ]);
  await hosts.close();
  return manifest;
}

it.each([
  [
    "an imported text file",
    `import DESCRIPTION from "./lint.txt";
     export default { description: DESCRIPTION.trim(), args: {}, execute: () => "" };`,
  ],
  [
    "a text file that is imported with an attribute",
    `import text from "./lint.txt" with { type: "text" };
     export default { name: "lint", description: text.trim(), inputSchema: {}, handler: () => "" };`,
  ],
  [
    "a text file that is read by the author's code",
    `import { readFileSync } from "node:fs";
     const description = readFileSync(new URL("lint.txt", import.meta.url), "utf8").trim();
     export default { description, execute: () => "" };`,
  ],
  [
    "a definition that names its description",
    `import { Tool } from "toolwright";
     import DESCRIPTION from "./lint.txt";
     export default Tool.define("lint", async () => ({ description: DESCRIPTION.trim(), execute: () => ({}) }));`,
  ],
  [
    "a factory",
    `import type { CustomToolAPI } from "toolwright";
     import DESCRIPTION from "./lint.txt";
     export default (pi: CustomToolAPI) => ({ name: "lint", label: "Lint", description: DESCRIPTION.trim(),
       parameters: pi.typebox.Type.Object({}), execute: async () => ({ content: [] }) });`,
  ],
  [
    "an OpenCode plugin",
    `import type { Plugin } from "@opencode-ai/plugin";
     import DESCRIPTION from "./lint.txt";
     export default async () => ({ tool: { lint: { description: DESCRIPTION.trim(), args: {}, execute: async () => "" } } });`,
  ],
])("[A7] replaces the variables in the description of %s", async (_, source) => {
  const manifest = await load(source);
  expect(manifest?.problems).toEqual([]);
  expect(manifest?.tools).toMatchObject([{ name: "lint", description: FILLED }]);
  expect(manifest?.onlyForDirectory).toBe("/p/app");
});

it("[A7] leaves a description alone whose variables the author has replaced", async () => {
  const manifest = await load(
    `import text from "./lint.txt";
     const description = text.replaceAll("\${directory}", "here").replace(/\\$\\{.*?\\}/g, "x").trim();
     export default { description, execute: () => "" };`,
  );
  expect(manifest?.tools[0]?.description).toBe("Lints here, a part of x, up to x lines.");
  expect(manifest?.onlyForDirectory).toBeUndefined();
});
