import { type AgentStatus, inspectAgents } from "../../../agents/run/agent-status.ts";
import { projectInfo } from "../../../catalog/inspect-project.ts";
import { agentContext } from "../../../toolbox/agent-context.ts";
import type { Command, Invocation } from "../args/command.ts";
import { didYouMean } from "../args/usage-error.ts";
import { inspectFor } from "../inspect-for.ts";
import { printable, printJson, type Style, styled, table } from "../output/print.ts";
import type { Output } from "../output/terminal.ts";
import { printWarnings } from "../print-warnings.ts";
import { showingStatus } from "../with-toolbox.ts";

/** `toolwright agents`. */
export const agents: Command = {
  spec: {
    usage: "toolwright agents [options]",
    about: `Lists the agents that "toolwright chat --agent NAME" can run: whether the packages and programs that they need are
installed and can be loaded, where they are, and the commands that install what is missing. No agent is started.

Packages are looked for in "agents.modules" of your settings, in the project if it is trusted, beside Toolwright, and in
the global folder of npm. Other agents that speak the Agent Client Protocol are added with "agents.programs".`,
    options: {},
    positionals: [0, 0],
    examples: ["toolwright agents", "toolwright agents --json"],
  },
  run: async (invocation) => {
    const { globals, terminal } = invocation;
    const inspected = inspectFor(invocation);
    printWarnings(inspected.warnings, invocation);
    const { agents: chosen, subagents } = inspected.settings;
    const context = agentContext(projectInfo(globals.cwd, inspected), terminal.env);
    const all = await showingStatus(invocation, "Checking agents …", async () => {
      const found: AgentStatus[] = [];
      for await (const agent of inspectAgents(context)) found.push(agent);
      return found;
    });
    const names = all.map(({ name }) => name);
    const unknown = [
      ...(chosen.default === undefined ? [] : [["agents.default", chosen.default] as const]),
      ...Object.entries(subagents).map(([name, { agent }]) => [`subagents.${name}.agent`, agent] as const),
    ].filter(([, name]) => !names.includes(name));
    if (globals.json) printJson(terminal, { agents: all, default: chosen.default });
    else terminal.stdout.write(`${lines(all, chosen.default, terminal.stdout).join("\n")}\n`);
    sayUnknown(unknown, names, invocation);
    return 0;
  },
};

const LABELS: Readonly<Record<AgentStatus["status"], readonly [string, Style]>> = {
  ready: ["ready", "green"],
  not_installed: ["not installed", "yellow"],
  broken: ["broken", "red"],
};

function lines(all: readonly AgentStatus[], preferred: string | undefined, output: Output): string[] {
  const head = ["AGENT", "STATUS", "VERSION", "DETAILS"].map((name) => styled(output, "bold", name));
  const rows = all.map((agent) => {
    const { name, status, needs } = agent;
    const [label, style] = LABELS[status];
    return [
      printable(name),
      styled(output, style, label),
      needs.find(({ version }) => version !== undefined)?.version ?? "",
      printable(`${name === preferred ? "The default. " : ""}${details(agent)}`),
    ];
  });
  return table([head, ...rows], output.columns);
}

function details({ status, needs, install }: AgentStatus): string {
  if (needs.length === 0) return "Needs nothing.";
  if (status === "ready") return needs.map(({ path, name }) => path ?? name).join(", ");
  const problems = needs.flatMap(({ problem }) => problem ?? []);
  // The message of a broken package has the command.
  return [...problems, ...(status === "broken" || install === undefined ? [] : [`Install: ${install}`])].join(" ");
}

/** Settings that name an agent which does not exist. */
function sayUnknown(
  unknown: readonly (readonly [setting: string, agent: string])[],
  names: readonly string[],
  { terminal: { stderr } }: Invocation,
): void {
  for (const [setting, agent] of unknown) {
    const label = styled(stderr, "yellow", "warning:");
    const hint = didYouMean(agent, names, "");
    stderr.report(
      `${label} ${printable(`"${setting}" in your settings is "${agent}", which is not an agent. ${hint}`)}\n`,
    );
  }
}
