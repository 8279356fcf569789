import { trustProject } from "../../discovery/trusted-projects.ts";
import { isUnusedProject } from "../../discovery/unused-project.ts";
import { isInside } from "../../files/inside.ts";
import { leadsOutTo } from "../../files/real-path.ts";
import type { InspectedProject } from "../../toolbox/inspect-project.ts";
import type { Invocation } from "./command.ts";
import { shellWord } from "./shell-word.ts";
import { UsageError } from "./usage-error.ts";

/** How a project stands after its user has begun to write tools in it. */
export type FirstTrust = "already" | "given" | "withheld";

/**
 * Whether an untrusted project is empty of anything that trust would set free. `imports` are the packages that the files to
 * be written import. Ask before the first file is written.
 */
export function isUnused(
  { globals, terminal }: Invocation,
  { discovered, ignored, warnings, homes, settings }: InspectedProject,
  imports: readonly string[],
): boolean {
  const { root } = discovered.project;
  // Settings that could not be read in full may say more once they can.
  if (ignored.length > 0 || warnings.some(({ file }) => isInside(root, file))) return false;
  const flags = globals.toolsPaths.map((path) => ({ path, from: "--tools-path" }));
  const paths = [...flags, ...settings.tools.paths];
  const { home, toolwrightHome } = homes;
  return isUnusedProject({ cwd: root, home, toolwrightHome, env: terminal.env, paths, parents: [] }, imports);
}

/**
 * Throws where a path in an untrusted project leads out of it through a link: what is written there would end up among the
 * user's own files.
 */
export function refuseLinkOut(path: string, { discovered }: InspectedProject): void {
  const { root, trusted } = discovered.project;
  const target = trusted ? undefined : leadsOutTo(path, root);
  if (target === undefined) return;
  throw new UsageError(
    `${path} leads out of this project, to ${target}, and the project is not trusted. Nothing was written. Delete the link, or, if it is yours, run: toolwright trust --cwd ${shellWord(root)}`,
  );
}

/** Trusts a project that held nothing before its user wrote the first file; leaves any other as it is. */
export async function trustIfUnused({ homes, discovered }: InspectedProject, wasUnused: boolean): Promise<FirstTrust> {
  const { root, trusted } = discovered.project;
  if (trusted) return "already";
  if (!wasUnused) return "withheld";
  await trustProject(root, homes.toolwrightHome);
  return "given";
}

/** What `new` and `init` print where trust was withheld. */
export function withheldLines({ discovered }: InspectedProject): string[] {
  return [
    "This project already holds tool files, settings or packages that tools would load, and it is not trusted. Look at them, then run:",
    `  toolwright trust --cwd ${shellWord(discovered.project.root)}`,
    "",
  ];
}
