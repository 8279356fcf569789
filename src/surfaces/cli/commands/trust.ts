import { distrustProject, trustOf, trustProject } from "../../../catalog/discovery/trusted-projects.ts";
import type { InspectedProject } from "../../../catalog/inspect-project.ts";
import { shellWord } from "../../../platform/text/shell-word.ts";
import { type Command, type Invocation, isSet } from "../args/command.ts";
import { inspectWithoutTrustFlag } from "../inspect-for.ts";
import { printable, printJson, shownPath } from "../output/print.ts";
import { wrapped } from "../output/wrap.ts";
import { printWarnings } from "../print-warnings.ts";
import { fillManifestCache } from "../with-toolbox.ts";

/** `toolwright trust`. */
export const trust: Command = {
  spec: {
    usage: "toolwright trust [--remove] [options]",
    about: `Trusts this project (its repository, else this directory). Its tool files can then run with your rights, and all its
settings apply. Nothing of a project runs before it is trusted. Read its files first: this command imports them once, after
it has recorded the trust, so that agents get their tools at once.`,
    options: { remove: { type: "boolean", help: "Remove the trust" } },
    positionals: [0, 0],
    examples: ["toolwright trust", "toolwright trust --cwd ../other", "toolwright trust --remove"],
  },
  run: async (invocation) => {
    const before = inspectWithoutTrustFlag(invocation);
    printWarnings(before.warnings, invocation);
    return isSet(invocation, "remove") ? remove(before, invocation) : add(before, invocation);
  },
};

async function add(before: InspectedProject, invocation: Invocation): Promise<number> {
  const { terminal, globals } = invocation;
  const { root } = before.discovered.project;
  const changed = await trustProject(root, before.homes.toolwrightHome);
  const files = before.discovered.blocked.flatMap((each) => each.files);
  if (globals.json) printJson(terminal, { project: root, trusted: true, changed, files });
  else
    terminal.stdout.write(
      `${wrapped(addedLines(root, changed, files, globals.cwd).join("\n"), terminal.stdout.columns).join("\n")}\n`,
    );
  if (changed) await fillManifestCache(invocation);
  return 0;
}

function addedLines(root: string, changed: boolean, files: readonly string[], cwd: string): string[] {
  if (!changed) return [`${printable(root)} was already trusted.`];
  return [
    `Trusted ${printable(root)}`,
    "Its tool files, packages and MCP servers can now run with your rights, including files added later, and all its settings apply.",
    ...(files.length === 0
      ? []
      : ["", "These files can run now:", ...files.map((file) => `  ${shownPath(file, cwd)}`)]),
    "",
    `To undo: toolwright trust --remove --cwd ${printable(shellWord(root))}`,
  ];
}

async function remove(
  { homes, settings, discovered }: InspectedProject,
  { terminal, globals }: Invocation,
): Promise<number> {
  const { root } = discovered.project;
  const changed = await distrustProject(root, homes.toolwrightHome);
  const { parents } = settings.trust;
  const question = {
    project: root,
    home: homes.home,
    toolwrightHome: homes.toolwrightHome,
    parents,
    env: terminal.env,
  };
  const { trusted } = trustOf({ ...question, flag: false });
  if (globals.json) printJson(terminal, { project: root, trusted, changed, files: [] });
  else terminal.stdout.write(`${removedText(root, changed, trusted)}\n`);
  return 0;
}

function removedText(root: string, changed: boolean, trusted: boolean): string {
  const shown = printable(root);
  if (trusted) return `${shown} is still trusted, by "trust.parents" in your settings or by TOOLWRIGHT_TRUST=1.`;
  return changed ? `${shown} is no longer trusted. Nothing of it runs.` : `${shown} was not trusted.`;
}
