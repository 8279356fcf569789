import { trustProject } from "../../discovery/trust.ts";
import { isUnusedProject } from "../../discovery/unused-project.ts";
import type { Survey } from "../../survey.ts";
import type { Invocation } from "./command.ts";
import { surveyAsStored } from "./survey.ts";

/** How a project stands after its user has begun to write tools in it. */
export type FirstTrust = "already" | "given" | "withheld";

/** Whether an untrusted project is empty of anything that trust would set free. Ask before the first file is written. */
export function isUnused(invocation: Invocation, { discovered, ignored }: Survey): boolean {
  if (ignored.length > 0) return false;
  return isUnusedProject(
    discovered.project.root,
    // Servers that nobody asks for now may be asked for later.
    (directory) => surveyAsStored(invocation, { cwd: directory, allServers: true }).discovered.blocked.length > 0,
  );
}

/** Trusts a project that held nothing before its user wrote the first file; leaves any other as it is. */
export async function trustIfUnused({ homes, discovered }: Survey, wasUnused: boolean): Promise<FirstTrust> {
  const { root, trusted } = discovered.project;
  if (trusted) return "already";
  if (!wasUnused) return "withheld";
  await trustProject(root, homes.toolwrightHome);
  return "given";
}
