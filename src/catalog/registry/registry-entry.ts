import type { Origin } from "../../core/tool.ts";
import type { FileRef } from "../../host/protocol/hosts.ts";
import type { ToolManifest } from "../../host/protocol/manifest.ts";

/** A tool in the registry: its manifest, and where its code is. */
export interface RegistryEntry {
  readonly manifest: ToolManifest;
  readonly ref: FileRef;
  readonly enabled: boolean;
  readonly overridesBuiltin?: true;
}

/** The public description of a tool. */
export interface ToolInfo
  extends Omit<ToolManifest, "declaresAccess" | "delegates" | "renders">,
    Pick<Origin, "source" | "place"> {
  readonly file: string;
  readonly enabled: boolean;
  /** Set if it replaces a built-in tool of the same name. */
  readonly overridesBuiltin?: true;
}

/** A tool that is not served because another tool of the same name is. */
export interface Shadowed {
  readonly name: string;
  readonly file: string;
  /** The file whose tool is served instead. */
  readonly by: string;
  /** Set for a built-in tool. */
  readonly builtin?: true;
}

const infos = new WeakMap<RegistryEntry, ToolInfo>();

/** Cached: every list and call needs it. */
export function toInfo(entry: RegistryEntry): ToolInfo {
  const cached = infos.get(entry);
  if (cached) return cached;
  const { declaresAccess: _, ...manifest } = entry.manifest;
  const { enabled, overridesBuiltin } = entry;
  const { source, place, file } = entry.ref.file;
  const info: ToolInfo = {
    ...manifest,
    source,
    place,
    file,
    enabled,
    ...(overridesBuiltin ? { overridesBuiltin } : {}),
  };
  infos.set(entry, info);
  return info;
}

/** Identifies a tool across reloads by its file and export. Its code may change. */
export function identityOf({ file, exportName, name }: Pick<ToolInfo, "file" | "exportName" | "name">): string {
  return `${file}#${exportName ?? name}`;
}
