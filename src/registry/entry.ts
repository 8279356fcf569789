import type { JsonSchema } from "../core/schema.ts";
import type { Format, Hints, Limits, PlaceKind, Source } from "../core/tool.ts";
import type { FileRef } from "../host/hosts.ts";
import type { ToolManifest } from "../host/manifest.ts";

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

export function toInfo(entry: Entry): ToolInfo {
  const { declaresAccess: _, ...manifest } = entry.manifest;
  return { ...manifest, source: entry.source, place: entry.place, file: entry.ref.file.file, enabled: entry.enabled };
}

/** What a tool is over reloads: its code may change, its file and its export may not. */
export function identityOf(entry: Entry): string {
  return `${entry.ref.file.file}#${entry.manifest.exportName ?? entry.manifest.name}`;
}
