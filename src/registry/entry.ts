import type { JsonSchema } from "../core/schema.ts";
import type { Format, Hints, Limits, PlaceKind, Source } from "../core/tool.ts";
import type { FileRef } from "../protocol/hosts.ts";
import type { ToolManifest } from "../protocol/manifest.ts";

/** A tool as the registry holds it: what it declares, and where its code is. */
export interface Entry {
  readonly manifest: ToolManifest;
  readonly source: Source;
  readonly place: PlaceKind;
  readonly ref: FileRef;
  readonly enabled: boolean;
}

/** A tool as others see it. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  readonly source: Source;
  readonly place: PlaceKind;
  readonly format: Format;
  readonly file: string;
  readonly inputSchema: JsonSchema;
  /** What the data of its results is, where the author says so. */
  readonly outputSchema?: JsonSchema;
  readonly enabled: boolean;
  /** Which export of the file it is. */
  readonly exportName?: string;
  readonly pluginName?: string;
  readonly pluginVersion?: string;
  readonly hints: Hints;
  readonly limits: Limits;
  /** False for a tool that is not offered to the agents which other agents hand work to. */
  readonly subagents?: boolean;
  /** The providers and models that it is for, as wildcards: `anthropic`, `openai/gpt-*`. All where it says nothing. */
  readonly providers?: readonly string[];
}

/** A tool that is not served because another place has one of the same name. */
export interface Shadowed {
  readonly name: string;
  readonly file: string;
  /** The file whose tool is served instead. */
  readonly by: string;
}

const infos = new WeakMap<Entry, ToolInfo>();

/** Put together once: lists and calls ask for it again and again. */
export function toInfo(entry: Entry): ToolInfo {
  const known = infos.get(entry);
  if (known) return known;
  const { declaresAccess: _, ...manifest } = entry.manifest;
  const { source, place, enabled } = entry;
  const info: ToolInfo = { ...manifest, source, place, file: entry.ref.file.file, enabled };
  infos.set(entry, info);
  return info;
}

/** What a tool is over reloads: its code may change, its file and its export may not. */
export function identityOf(entry: Entry): string {
  return `${entry.ref.file.file}#${entry.manifest.exportName ?? entry.manifest.name}`;
}
