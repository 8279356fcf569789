import type { Problem } from "../core/problem.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { Format, Hints, Limits, PlaceKind, Source, Tool } from "../core/tool.ts";
import type { Stamped } from "../loader/hooks.ts";

/** A file to load, and what discovery knows of it. */
export interface HostFile {
  readonly file: string;
  /** The name of its default export. */
  readonly name: string;
  readonly source: Source;
  readonly place: PlaceKind;
}

/** What is known of a tool without its code: plain JSON. */
export interface ToolManifest {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly format: Format;
  readonly exportName?: string;
  readonly pluginName?: string;
  readonly pluginVersion?: string;
  readonly limits: Limits;
  readonly hints: Hints;
  /** Whether a call can say what it touches before it runs. */
  readonly declaresAccess: boolean;
}

/** What one file declared when it was loaded. */
export interface FileManifest {
  readonly file: string;
  readonly tools: readonly ToolManifest[];
  readonly problems: readonly Problem[];
  /** Every file that this depends on, itself first. */
  readonly imports: readonly Stamped[];
}

export function toManifest(tool: Tool): ToolManifest {
  const { format, exportName, pluginName, pluginVersion } = tool.origin;
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input.json,
    format,
    limits: tool.limits,
    hints: tool.hints,
    declaresAccess: tool.access !== undefined,
    ...(exportName === undefined ? {} : { exportName }),
    ...(pluginName === undefined ? {} : { pluginName }),
    ...(pluginVersion === undefined ? {} : { pluginVersion }),
  };
}
