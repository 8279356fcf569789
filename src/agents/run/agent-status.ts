import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentContext } from "../../core/coding-agent.ts";
import { messageOf } from "../../core/error.ts";
import { resolveLinks } from "../../platform/files/real-path.ts";
import { packageNameOf } from "../../platform/text/package-name.ts";
import { within } from "../../platform/waiting/within.ts";
import {
  type AgentPackage,
  type AgentProgram,
  agentInstallCommand,
  findCommand,
  findPackage,
  importPackage,
} from "./agent-packages.ts";
import { knownAgents, loadAdapter } from "./known-agents.ts";

/** A package or program that an agent needs, and whether it is there. */
interface NeedStatus {
  /** The name of the package or program. */
  readonly name: string;
  readonly status: "ready" | "not_installed" | "broken";
  readonly version?: string;
  /** The folder of the package, or the command of the program. */
  readonly path?: string;
  /** What is wrong, and what to do. */
  readonly problem?: string;
}

/** Whether an agent can run here. */
export interface AgentStatus {
  readonly name: string;
  readonly status: NeedStatus["status"];
  readonly needs: readonly NeedStatus[];
  /** The command that installs what is missing or broken. */
  readonly install?: string;
}

/** How long the import of a package may take. */
const IMPORT_MS = 20_000;

type Need = AgentPackage | AgentProgram;

/**
 * Checks what each agent needs: looks for packages and programs, and imports packages unless `imports` is false. Starts no
 * agent. Never rejects.
 */
export async function* inspectAgents(
  context: AgentContext,
  { imports = true }: { readonly imports?: boolean } = {},
): AsyncGenerator<AgentStatus> {
  for (const name of knownAgents.names(context)) {
    const { needs } = await loadAdapter(name, context);
    const checked: { need: Need; status: NeedStatus }[] = [];
    for (const need of needs) checked.push({ need, status: await statusOf(need, context, imports) });
    const wrong = checked.filter(({ status }) => status.status !== "ready");
    const worst = wrong.find(({ status }) => status.status === "not_installed") ?? wrong[0];
    yield {
      name,
      status: worst?.status.status ?? "ready",
      needs: checked.map(({ status }) => status),
      ...installText(
        wrong.map(({ need }) => need),
        context,
      ),
    };
  }
}

/** One command for all that npm installs. A program that the settings name is not installed by us. */
function installText(needs: readonly Need[], context: AgentContext): { install?: string } {
  const installers = needs.filter((need) => !isConfigured(need, context)).map(({ install }) => install);
  const packages = new Set(installers.flatMap((each) => (typeof each === "string" ? each.split(" ") : [])));
  const commands = [
    ...(packages.size === 0 ? [] : [agentInstallCommand([...packages].join(" "), context)]),
    ...installers.flatMap((each) => (typeof each === "string" ? [] : [each.command])),
  ];
  return commands.length === 0 ? {} : { install: commands.join(" && ") };
}

function isConfigured(need: Need, { programs }: AgentContext): boolean {
  return !("module" in need) && programs[need.name] !== undefined;
}

function statusOf(need: Need, context: AgentContext, imports: boolean): Promise<NeedStatus> | NeedStatus {
  return "module" in need ? packageStatus(need, context, imports) : programStatus(need, context);
}

async function packageStatus(need: AgentPackage, context: AgentContext, imports: boolean): Promise<NeedStatus> {
  const name = packageNameOf(need.module);
  const found = findPackage(name, context);
  if (!found) return { name, status: "not_installed", problem: `The package ${name} is not installed.` };
  const about = { name, path: found.folder, ...(found.version === undefined ? {} : { version: found.version }) };
  if (!imports) return { ...about, status: "ready" };
  const importing = importPackage(need, context).then(() => undefined, messageOf);
  const failure = await within(IMPORT_MS, importing, () => `The import of ${name} does not end.`);
  return failure === undefined ? { ...about, status: "ready" } : { ...about, status: "broken", problem: failure };
}

function programStatus(need: AgentProgram, context: AgentContext): NeedStatus {
  const { program: name } = need;
  try {
    const command = findCommand(need, context);
    const version = versionAbove(resolveLinks(command[0] ?? ""));
    return { name, status: "ready", path: command.join(" "), ...(version === undefined ? {} : { version }) };
  } catch (error) {
    const problem = isConfigured(need, context) ? messageOf(error) : `The program "${name}" is not installed.`;
    return { name, status: "not_installed", problem };
  }
}

/** The version of the npm package that contains a program. */
function versionAbove(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { version, bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (bin !== undefined && typeof version === "string") return version;
    } catch {
      // Not the folder of a package.
    }
  }
  return undefined;
}
