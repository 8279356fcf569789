import { shellWord } from "../../core/shell-word.ts";
import { isSafeToTrust } from "../../discovery/safe-to-trust.ts";
import { trustProject } from "../../discovery/trusted-projects.ts";
import { isInside } from "../../files/inside.ts";
import { leadsOutTo } from "../../files/real-path.ts";
import type { InspectedProject } from "../../toolbox/inspect-project.ts";
import type { Invocation } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Whether a project is trusted after `new` or `init` has written files to it. */
export type FirstTrust = "already" | "given" | "withheld";

/**
 * Whether an untrusted project has nothing that trust would let run. `imports` are the packages that the new files import. Call
 * it before the first file is written.
 */
export function isUnused(
  { globals, terminal }: Invocation,
  { discovered, ignored, warnings, homes, settings }: InspectedProject,
  imports: readonly string[],
): boolean {
  const { root } = discovered.project;
  // Settings with errors may allow more once they are corrected.
  if (ignored.length > 0 || warnings.some(({ file }) => isInside(root, file))) return false;
  const flags = globals.toolsPaths.map((path) => ({ path, from: "--tools-path" }));
  const paths = [...flags, ...settings.tools.paths];
  const { home, toolwrightHome } = homes;
  return isSafeToTrust({ cwd: root, home, toolwrightHome, env: terminal.env, paths, parents: [] }, imports);
}

/**
 * Throws if a path in an untrusted project is a link out of it: a file written there would end up among the user's files.
 */
export function refuseLinkOut(path: string, { discovered }: InspectedProject): void {
  const { root, trusted } = discovered.project;
  const target = trusted ? undefined : leadsOutTo(path, root);
  if (target === undefined) return;
  throw new UsageError(
    `${path} is a link out of this project, to ${target}, and the project is not trusted. Nothing was written. Delete the link, or, if it is yours, run: toolwright trust --cwd ${shellWord(root)}`,
  );
}

/** Trusts a project that had nothing to run before the first file was written. */
export async function trustIfUnused({ homes, discovered }: InspectedProject, wasUnused: boolean): Promise<FirstTrust> {
  const { root, trusted } = discovered.project;
  if (trusted) return "already";
  if (!wasUnused) return "withheld";
  await trustProject(root, homes.toolwrightHome);
  return "given";
}

/** The message of `new` and `init` if the project stays untrusted. */
export function withheldLines({ discovered }: InspectedProject): string[] {
  return [
    "This project is not trusted, and already has tool files, settings or packages that tools would load. Read them, then run:",
    `  toolwright trust --cwd ${shellWord(discovered.project.root)}`,
    "",
  ];
}
