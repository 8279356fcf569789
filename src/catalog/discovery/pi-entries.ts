import { basename, join, relative, resolve } from "node:path";
import { matchSegments } from "../../platform/text/wildcard.ts";
import { type EntryOf, indexOf } from "./candidates.ts";
import { pluginFiles, segmentsOf } from "./plugin-files.ts";
import { readPluginManifest } from "./plugin-manifest.ts";
import { readText } from "./read-config-file.ts";

/**
 * Finds the extensions that pi loads from a folder: those that `pi.extensions` in its package.json names, else its index file.
 * `untrusted` is the root of an untrusted project.
 */
export function piEntries(untrusted?: string): EntryOf {
  return (folder, realFolder) => {
    const manifest = readPluginManifest(readText(join(folder, "package.json"), untrusted) ?? "", "pi");
    const named = manifest.kind === "plugin" ? pluginFiles(folder, manifest.named, []) : [];
    return named.length > 0 ? named : indexOf(folder, realFolder);
  };
}

/** Whether pi treats an entry as a pattern that selects among the files of other entries. */
export function isPiPattern(entry: string): boolean {
  return hasSign(entry) || /[*?]/.test(entry);
}

/** Whether an entry turns files off ("!", "-") or on again ("+"). */
export function hasSign(entry: string): boolean {
  return /^[!+-]/.test(entry);
}

/**
 * Whether patterns select a file. Those without a sign select, "!" excludes what it matches, "+" includes one path all the
 * same, and "-" excludes one path in any case. Relative paths start at `base`.
 */
export function isFileSelected(file: string, patterns: readonly string[], base: string): boolean {
  const after = (sign: string): string[] =>
    patterns.filter((each) => each.startsWith(sign)).map((each) => each.slice(1));
  const isFile = (path: string): boolean => resolve(base, path) === file;
  if (after("-").some(isFile)) return false;
  if (after("+").some(isFile)) return true;
  const selecting = patterns.filter((each) => !hasSign(each));
  const isMatch = (pattern: string): boolean => matches(file, pattern, base);
  return (selecting.length === 0 || selecting.some(isMatch)) && !after("!").some(isMatch);
}

/** The same for `"autoload": false`: only what a pattern selects, and the last pattern that matches decides. */
export function isAdded(file: string, patterns: readonly string[], base: string): boolean {
  const last = patterns.findLast((each) =>
    /^[+-]/.test(each) ? resolve(base, each.slice(1)) === file : matches(file, each.replace(/^!/, ""), base),
  );
  return last !== undefined && !/^[!-]/.test(last);
}

/** pi compares the relative path, the name and the absolute path. */
function matches(file: string, pattern: string, base: string): boolean {
  return [relative(base, file), basename(file), file].some((path) =>
    matchSegments(segmentsOf(pattern), segmentsOf(path)),
  );
}
