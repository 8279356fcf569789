import type { Problem } from "../core/problem.ts";
import type { ToolFile } from "../discovery/tool-file.ts";
import type { CodeVersion, FileRef } from "../protocol/hosts.ts";
import { type FileManifest, type HostFile, hasNoCode } from "../protocol/manifest.ts";

/** One discovered file, what it declares, and the state of the code that serves it. */
export interface LoadedFile {
  readonly file: ToolFile;
  readonly manifest: FileManifest;
  readonly codeVersion: CodeVersion;
  /** What is wrong with the file as it is on disk now, even where an older version of it is still served. */
  readonly problems: readonly Problem[];
  /** Disabled as a whole, and for that reason not imported. */
  readonly off: boolean;
}

/** What a host is told of a discovered file, of which the manifest may say where it must run. */
export function toHostFile(found: ToolFile, manifest?: FileManifest): HostFile {
  const { file, name, location, server } = found;
  const { kind, system, plugin } = location;
  return {
    file,
    name,
    source: sourceOf(found),
    place: kind,
    system,
    ...(plugin ? { plugin } : {}),
    ...(server ? { server } : {}),
    ...(manifest?.runtime ? { runtime: manifest.runtime } : {}),
  };
}

function sourceOf({ file, location, server }: ToolFile): HostFile["source"] {
  if (server) return "mcp";
  if (location.builtin) return "builtin";
  return location.plugin || hasNoCode({ file }) ? "plugin" : "custom";
}

/** An entry as calls and requests name it. */
export function refOf({ file, manifest, codeVersion }: LoadedFile): FileRef {
  return { file: toHostFile(file, manifest), codeVersion, imports: manifest.imports };
}

/** A file that holds no tool, and that another file imports, is there for that file. */
export function withoutSiblings(entries: readonly LoadedFile[]): LoadedFile[] {
  const isSuspect = ({ problems }: LoadedFile): boolean => problems.some(({ code }) => code === "not_a_tool");
  if (!entries.some(isSuspect)) return [...entries];
  const imported = new Set(entries.flatMap(({ manifest }) => manifest.imports.slice(1).map(([path]) => path)));
  return entries.map((entry) => {
    const [own] = entry.manifest.imports[0] ?? [];
    return isSuspect(entry) && own !== undefined && imported.has(own) ? { ...entry, problems: [] } : entry;
  });
}
