/** Writes src/builtins/manifest.json, from which the built-in tools are listed without loading their code. Run: npm run builtins */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { InProcess } from "../src/host/process/in-process.ts";
import type { ToolManifest } from "../src/host/protocol/manifest.ts";
import { builtinFiles } from "../src/platform/files/package-files.ts";
import { OwnRuns } from "../src/platform/processes/own-runs.ts";

const MANIFEST = fileURLToPath(new URL("../src/builtins/manifest.json", import.meta.url));

/** The manifests of all built-in tools. Variables in the descriptions are not replaced. */
export async function builtinManifests(): Promise<readonly ToolManifest[]> {
  const names = globSync("*.ts", { cwd: fileURLToPath(new URL("../src/builtins", import.meta.url)) })
    .map((file) => basename(file, ".ts"))
    .sort();
  const variable = (name: string): string => `$\{${name}}`;
  const at = { cwd: variable("directory"), worktree: variable("workspace"), importMs: 10_000, log: () => {} };
  const hosts = new InProcess({ ...at, runs: new OwnRuns() });
  const fileOf = builtinFiles();
  const files = names.map((name) => ({
    file: fileOf(name),
    name,
    source: "builtin" as const,
    place: "package" as const,
    system: "toolwright" as const,
  }));
  const manifests = await hosts.load(files);
  await hosts.close();
  for (const { file, message } of manifests.flatMap(({ problems }) => problems)) console.error(`${file}: ${message}`);
  return manifests.flatMap(({ tools }) => tools);
}

export async function manifestText(): Promise<string> {
  return `${JSON.stringify(await builtinManifests(), null, 2)}\n`;
}

if (import.meta.main) {
  const text = await manifestText();
  if (text !== readIfExists()) writeFileSync(MANIFEST, text);
}

function readIfExists(): string | undefined {
  try {
    return readFileSync(MANIFEST, "utf8");
  } catch {
    return undefined;
  }
}
