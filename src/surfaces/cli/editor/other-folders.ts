import { basename, dirname, join, relative, sep } from "node:path";
import type { ToolLocation } from "../../../catalog/discovery/tool-file.ts";
import { isInside } from "../../../platform/files/inside.ts";

/** The `tsconfig.json` of the tools folders of another system. */
export interface FolderConfig {
  readonly path: string;
  readonly text: string;
}

/** Whose tools folders to configure. */
interface Owner {
  readonly kind: "project" | "global";
  /** The project, or the home folder. */
  readonly base: string;
  /** Its `.toolwright` folder, with the types. */
  readonly folder: string;
}

/** The configurations for the tools folders of other systems. Only hidden folders get one: elsewhere it would apply to other code. */
export function configsOfOtherFolders(
  locations: readonly ToolLocation[],
  { kind, base, folder }: Owner,
): FolderConfig[] {
  const folders = new Map<string, string[]>();
  for (const location of locations) {
    const { path } = location;
    const parent = dirname(path);
    if (location.kind !== kind || parent === folder || !isHidden(parent, base)) continue;
    folders.set(parent, [...(folders.get(parent) ?? []), basename(path)]);
  }
  return Array.from(folders, ([parent, names]) => ({
    path: join(parent, "tsconfig.json"),
    text: configText(names.sort(), relative(parent, folder).split(sep).join("/")),
  }));
}

function isHidden(path: string, base: string): boolean {
  const names = relative(base, path).split(sep);
  return isInside(base, path) && names.some((name) => name.startsWith("."));
}

function configText(names: readonly string[], types: string): string {
  const include = [...names, `${types}/types/ambient.d.ts`].map((each) => JSON.stringify(each)).join(", ");
  return `// Written by \`toolwright init --all\` so that editors know what tool files import. It is yours to change.
{
  "extends": ${JSON.stringify(`${types}/tsconfig.json`)},
  "include": [${include}]
}
`;
}
