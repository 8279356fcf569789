import { resolve } from "node:path";
import { foreignOwner } from "../../catalog/discovery/foreign-owner.ts";
import { isSafeToTrust } from "../../catalog/discovery/safe-to-trust.ts";
import { trustCommand, trustProject } from "../../catalog/discovery/trusted-projects.ts";
import type { InspectedProject } from "../../catalog/inspect-project.ts";
import { isInside } from "../../platform/files/inside.ts";
import { leadsOutTo, realPath } from "../../platform/files/real-path.ts";
import type { Invocation } from "./args/command.ts";
import { UsageError } from "./args/usage-error.ts";

/** Whether a project is trusted after `new` or `init` has written files to it. `reason` continues "is not trusted". */
export type FirstTrust =
  | { readonly kind: "already" | "given" }
  | { readonly kind: "withheld"; readonly reason: string };

export const ALREADY: FirstTrust = { kind: "already" };

/**
 * Why `new` and `init` do not trust an untrusted project: another user owns it, or trust would let something in it run. Undefined
 * if they do. `imports` are the packages that the new files import. Call it before the first file is written.
 */
export function reasonToWithhold(
  invocation: Invocation,
  inspected: InspectedProject,
  imports: readonly string[],
): string | undefined {
  const { globals, terminal } = invocation;
  const { project, possible } = inspected.discovered;
  const owner = foreignOwner(globals.cwd, project.root, possible, terminal.env);
  if (owner?.uid !== undefined) {
    return `${owner.path} belongs to another user (uid ${owner.uid}), who could change what runs.`;
  }
  if (owner) return `the owner of ${owner.path} is unknown.`;
  return isUnused(invocation, inspected, imports) ? undefined : USED;
}

const USED = "it already has tool files, settings or packages that tools would load.";

/** Whether an untrusted project has nothing that trust would let run. */
function isUnused(
  { terminal }: Invocation,
  { discovered, ignored, warnings, homes, paths }: InspectedProject,
  imports: readonly string[],
): boolean {
  const { root } = discovered.project;
  // Settings with errors may allow more once they are corrected.
  if (ignored.length > 0 || warnings.some(({ file }) => isInside(root, file))) return false;
  const { home, toolwrightHome } = homes;
  return isSafeToTrust({ cwd: root, home, toolwrightHome, env: terminal.env, paths }, imports);
}

/**
 * Throws if a path in an untrusted project is a link out of it: a file written there would end up among the user's files.
 */
export function refuseLinkOut(path: string, { discovered }: InspectedProject): void {
  const { root, trusted } = discovered.project;
  const target = trusted ? undefined : leadsOutTo(path, root);
  if (target === undefined) return;
  throw new UsageError(
    `${path} is a link out of this project, to ${target}, and the project is not trusted. Nothing was written. Delete the link, or, if it is yours, run: ${trustCommand(root)}`,
  );
}

/** Trusts an untrusted project, unless `reasonToWithhold` gave a reason. */
export async function trustUnless(
  reason: string | undefined,
  { homes, discovered }: InspectedProject,
): Promise<FirstTrust> {
  const { root, trusted } = discovered.project;
  if (trusted) return ALREADY;
  if (reason !== undefined) return { kind: "withheld", reason };
  await trustProject(root, homes.toolwrightHome);
  return { kind: "given" };
}

/** What `new` and `init` say about trust: that it was withheld, or given to more than the working directory. */
export function trustLines(trust: FirstTrust, { discovered }: InspectedProject, cwd: string): string[] {
  const { root } = discovered.project;
  if (trust.kind === "withheld") {
    return [
      `The project ${root} is not trusted: ${trust.reason} Read its files, then run:`,
      `  ${trustCommand(root)}`,
      "",
    ];
  }
  if (trust.kind === "already" || root === (realPath(cwd) ?? resolve(cwd))) return [];
  return [
    `Trusted the whole repository ${root}, which this directory is in. To undo: ${trustCommand(root)} --remove`,
    "",
  ];
}

/** The fields about trust in the JSON of `new` and `init`. */
export function trustFields(trust: FirstTrust, { discovered }: InspectedProject): object {
  const { root: project } = discovered.project;
  if (trust.kind === "withheld") return { project, trusted: false, notTrusted: trust.reason };
  return { project, trusted: true };
}
