import manifests from "../builtins/manifest.json" with { type: "json" };
import { fillIn } from "../core/fill-in.ts";
import type { Place } from "../discovery/place.ts";
import { builtinFiles } from "../files/own-files.ts";
import type { Generation } from "../protocol/hosts.ts";
import type { ToolManifest } from "../protocol/manifest.ts";
import type { LoadedFile } from "../supervisor/manifest-reader.ts";
import { type Builtins, isWanted } from "./wanted-builtins.ts";

const PLACE: Place = { path: "builtin", kind: "package", system: "toolwright", ofProject: false, builtin: true };

/** The names of all built-in tools, served or not. */
export const BUILTIN_NAMES: ReadonlySet<string> = new Set(
  (manifests as readonly ToolManifest[]).map(({ name }) => name),
);

/** The built-in tools. What they declare is written down beside them, so that listing them loads none of their code. */
export function builtinEntries(
  wanted: Builtins,
  at: { readonly directory: string; readonly workspace: string },
  generation: Generation,
): LoadedFile[] {
  const fileOf = builtinFiles();
  return (manifests as readonly ToolManifest[])
    .filter(({ name }) => isWanted(name, wanted))
    .map((manifest) => {
      const { name } = manifest;
      const file = fileOf(name);
      const described = { ...manifest, description: fillIn(manifest.description, at) };
      return {
        file: { file, name, place: PLACE },
        manifest: { file, tools: [described], problems: [], imports: [] },
        generation,
        problems: [],
        off: false,
      };
    });
}
