import manifests from "../builtins/manifest.json" with { type: "json" };
import type { CodeVersion } from "../host/protocol/hosts.ts";
import { PREVIEWS_FILE, RESOLVE, type ToolManifest } from "../host/protocol/manifest.ts";
import { builtinFiles } from "../platform/files/package-files.ts";
import { expandDescription } from "../platform/text/expand-description.ts";
import { type Builtins, isSelected } from "./builtin-selection.ts";
import type { ToolLocation } from "./discovery/tool-file.ts";
import type { LoadedFile } from "./hosts/loaded-file.ts";
import type { RegistryEntry } from "./registry/registry-entry.ts";

const LOCATION: ToolLocation = {
  path: "builtin",
  kind: "package",
  system: "toolwright",
  ofProject: false,
  builtin: true,
};

/** The kinds of sub-agents, each with its purpose. */
export type AgentKinds = Readonly<Record<string, string>>;

/** The names of all built-in tools, served or not. */
export const BUILTIN_NAMES: ReadonlySet<string> = new Set(
  (manifests as readonly ToolManifest[]).map(({ name }) => name),
);

/** The built-in tools. Their manifests are generated at build time, so listing them loads none of their code. */
export function builtinEntries(
  selection: Builtins,
  at: { readonly directory: string; readonly workspace: string; readonly kinds: AgentKinds | undefined },
  codeVersion: CodeVersion,
): LoadedFile[] {
  const fileOf = builtinFiles();
  const kinds = Object.entries(at.kinds ?? {}).map(([name, purpose]) => `\n- ${name}: ${purpose}`);
  const listed = kinds.length === 0 ? "" : `\n\nAvailable agents (subagent_type):${kinds.join("")}`;
  return (manifests as readonly ToolManifest[])
    .filter(({ name }) => isSelected(name, selection))
    .map((manifest) => {
      const { name } = manifest;
      const file = fileOf(name);
      const tool = {
        ...manifest,
        description: `${expandDescription(manifest.description, at)}${manifest.delegates ? listed : ""}`,
      };
      return {
        file: { file, name, location: LOCATION },
        manifest: { file, tools: [tool], problems: [], imports: [] },
        codeVersion,
        problems: [],
        off: false,
      };
    });
}

/** The tool that resolves previews. It is registered always, and listed while a preview waits in the session. */
export function previewTool(codeVersion: CodeVersion): RegistryEntry {
  const file = {
    file: PREVIEWS_FILE,
    name: RESOLVE.name,
    source: "builtin",
    place: "code",
    system: "toolwright",
  } as const;
  const ref = { file, codeVersion, imports: [] };
  return { manifest: RESOLVE, ref, enabled: true };
}
