import { join } from "node:path";
import type { Problem } from "../../core/problem.ts";
import { openClawPackage } from "../../platform/files/openclaw-package.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { type Candidate, type EntryOf, indexOf } from "./candidates.ts";
import { isOurs } from "./plugin-entry.ts";

/** The files that OpenClaw loads from the folder of a plugin; none for another folder. Reports those that are missing. */
export function openClawEntries(folder: string, problems: Problem[], untrusted?: string): readonly string[] {
  const found = openClawPackage(folder, untrusted);
  if (found === undefined || found.entries.some(isOurs)) return [];
  const report = (message: string): void => {
    problems.push({ file: join(folder, "package.json"), code: "plugin_failed", message });
  };
  for (const path of found.missing) {
    report(
      `"openclaw.extensions" names ${JSON.stringify(path)}, but there is no such file, nor a source of it in src. Build the plugin, or correct the path.`,
    );
  }
  if (found.omitted > 0) report(`"openclaw.extensions" names too many files: the last ${found.omitted} are not read.`);
  return found.entries;
}

/** The files of a plugin in a folder of plugins, else its index file. */
export function openClawEntry(problems: Problem[], untrusted?: string): EntryOf {
  return (folder, realFolder) => {
    const entries = openClawEntries(folder, problems, untrusted);
    return entries.length > 0 ? toCandidates(entries, folder) : indexOf(folder, realFolder);
  };
}

/** As tool files. The name of the first is that of the folder. */
export function toCandidates(entries: readonly string[], folder: string): Candidate[] {
  const name = folder.replace(/^.*[\\/]/, "");
  return entries.map((file, at) => ({
    file,
    name: at === 0 ? name : `${name}_${at + 1}`,
    real: realPath(file) ?? file,
  }));
}
