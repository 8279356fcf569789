import { dirname } from "node:path";
import type { Problem } from "../../core/problem.ts";
import type { CodeVersion, FileRef } from "../../host/protocol/hosts.ts";
import { type FileManifest, type HostFile, hasNoCode } from "../../host/protocol/manifest.ts";
import { holdsOnlyJsonTools, type ToolFile } from "../discovery/tool-file.ts";

/** A discovered file, what it declares, and the code version that serves it. */
export interface LoadedFile {
  readonly file: ToolFile;
  readonly manifest: FileManifest;
  readonly codeVersion: CodeVersion;
  /** The problems of the file as it is on disk, even if an older version is served. */
  readonly problems: readonly Problem[];
  /** Whether the whole file is disabled, and therefore not imported. */
  readonly off: boolean;
}

/** A discovered file as hosts need it. The manifest decides the runtime. */
export function toHostFile(found: ToolFile, manifest?: FileManifest): HostFile {
  const { file, name, location, server } = found;
  const { kind, system, plugin, opencodePlugin } = location;
  return {
    file,
    name,
    source: sourceOf(found),
    place: kind,
    system,
    ...(plugin ? { plugin } : {}),
    ...(opencodePlugin ? { opencodePlugin } : {}),
    ...(server ? { server } : {}),
    ...(manifest?.runtime ? { runtime: manifest.runtime } : {}),
  };
}

function sourceOf({ file, location, server }: ToolFile): HostFile["source"] {
  if (server) return "mcp";
  if (location.builtin) return "builtin";
  return location.plugin || hasNoCode({ file }) ? "plugin" : "custom";
}

/** A file as calls and queries refer to it. */
export function refOf({ file, manifest, codeVersion }: LoadedFile): FileRef {
  return { file: toHostFile(file, manifest), codeVersion, imports: manifest.imports };
}

/** Whether the user names the file itself, and not a folder above it. */
export type IsNamed = (file: ToolFile) => boolean;

/** Reports why a file has no tools where tools are expected: it is named, or it is a JSON file in a folder with JSON tools. */
export function withExpectedTools(entries: readonly LoadedFile[], isNamed: IsNamed): LoadedFile[] {
  const ofJsonTools = new Set(
    entries.flatMap(({ file, manifest }) => (manifest.about?.format === "json" ? [dirname(file.file)] : [])),
  );
  const expectsTools = ({ file }: LoadedFile): boolean =>
    isNamed(file) || (hasNoCode(file) && (holdsOnlyJsonTools(file.location) || ofJsonTools.has(dirname(file.file))));
  return entries.map((entry) => {
    const { problemsIfToolsExpected: expected } = entry.manifest;
    return expected && entry.problems.length === 0 && expectsTools(entry) ? { ...entry, problems: expected } : entry;
  });
}

/** Drops the problem "not_a_tool" of files that other files import: they are helper modules, unless they are named. */
export function withoutHelperModules(entries: readonly LoadedFile[], isNamed: IsNamed): LoadedFile[] {
  const isNoTool = ({ code }: Problem): boolean => code === "not_a_tool";
  // A file with tools has this problem if a function of it would register hooks, but is not called.
  const isSuspect = ({ file, problems, manifest }: LoadedFile): boolean =>
    !isNamed(file) && problems.some(isNoTool) && (manifest.tools.length === 0 || !manifest.problems.some(isNoTool));
  if (!entries.some(isSuspect)) return [...entries];
  const imported = new Set(entries.flatMap(({ manifest }) => manifest.imports.slice(1).map(([path]) => path)));
  return entries.map((entry) => {
    const [own] = entry.manifest.imports[0] ?? [];
    return isSuspect(entry) && own !== undefined && imported.has(own) ? { ...entry, problems: [] } : entry;
  });
}
