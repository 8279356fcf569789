import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { hooksOnFiles } from "../../../calls/hook-files.ts";
import type { InspectedProject } from "../../../catalog/inspect-project.ts";
import { messageOf } from "../../../core/error.ts";
import { VERSION } from "../../../core/version.ts";
import { countText, sizeText } from "../../../platform/text/amount-text.ts";
import { sessionDatabaseStatus } from "../../../toolbox/open-session-store.ts";
import { agentFindings, type Finding, found } from "../agent-findings.ts";
import type { Command, Invocation } from "../args/command.ts";
import { inspectFor } from "../inspect-for.ts";
import { misplacedFor } from "../misplaced.ts";
import { indented, printJson, shownPlace, styled } from "../output/print.ts";
import { pingHost } from "../ping-host.ts";
import { showingStatus, withToolbox } from "../with-toolbox.ts";

/** `toolwright doctor`. */
export const doctor: Command = {
  spec: {
    usage: "toolwright doctor [options]",
    about: `Checks Node, folders, settings, stored sessions, trust, tools folders, host processes, and, for each agent on this machine, whether
Toolwright is installed in it and its server answers. Prints how to fix each problem.

Exit code: 0 no failures, 1 at least one check failed.`,
    options: {},
    positionals: [0, 0],
    examples: ["toolwright doctor", "toolwright doctor --json"],
  },
  run: async (invocation) => {
    const findings = await showingStatus(invocation, "Checking …", () => examine(invocation));
    const ok = findings.every(({ status }) => status !== "fail");
    if (invocation.globals.json) printJson(invocation.terminal, { ok, checks: findings });
    else print(findings, invocation);
    return ok ? 0 : 1;
  },
};

async function examine(invocation: Invocation): Promise<Finding[]> {
  const seen = inspectFor(invocation);
  return [
    found("node", "ok", `Node ${process.versions.node} (${process.execPath})`),
    found("toolwright", "ok", `toolwright ${VERSION} (${dirname(fileURLToPath(import.meta.url))})`),
    folder("home", "settings and state", seen.homes.toolwrightHome),
    folder("cache", "cache", seen.homes.cache),
    ...settings(seen, invocation),
    ...hooks(seen),
    await sessions(seen),
    project(seen),
    ...locations(seen),
    ...misplaced(invocation, seen),
    await host(invocation),
    await tools(invocation),
    ...(await agentFindings(invocation, seen.discovered.project)),
  ];
}

function folder(name: string, what: string, path: string): Finding {
  const fix = "Make it a folder that you can write to, or set TOOLWRIGHT_HOME to another.";
  const nearest = firstExisting(path);
  try {
    accessSync(nearest, constants.W_OK);
    if (!statSync(nearest).isDirectory()) throw new Error(`${nearest} is not a folder`);
    return found(name, "ok", `Folder for ${what}: ${path}${nearest === path ? "" : " (not created yet)"}`);
  } catch (error) {
    return found(name, "fail", `The folder for ${what} cannot be used: ${messageOf(error)}`, fix);
  }
}

function firstExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : firstExisting(dirname(path));
}

function settings({ warnings, ignored }: InspectedProject, { globals }: Invocation): Finding[] {
  const wrong = warnings.map((warning) => `${shownPlace(warning, globals.cwd)}: ${warning.message}`);
  const waiting = ignored.length === 0 ? [] : [`Ignored until the project is trusted: ${ignored.join(", ")}`];
  const valid = warnings.length === 0 ? [found("settings", "ok", "Settings are valid")] : [];
  return [...valid, ...[...wrong, ...waiting].map((message) => found("settings", "warn", message))];
}

function hooks({ settings: { hooks }, discovered: { project } }: InspectedProject): Finding[] {
  if (!project.trusted) return [];
  const onFiles = hooksOnFiles([...hooks.before, ...hooks.after], project.root);
  return onFiles.map(({ message, fix }) => found("hooks", "warn", message, fix));
}

async function sessions({ homes }: InspectedProject): Promise<Finding> {
  try {
    const stored = await sessionDatabaseStatus(homes.toolwrightHome);
    if (!stored) return found("sessions", "ok", "No sessions are stored");
    const count = countText(stored.sessions, "session");
    return found("sessions", "ok", `Session database ${stored.file}: ${count}, ${sizeText(stored.bytes)}, no damage`);
  } catch (error) {
    return found("sessions", "fail", messageOf(error));
  }
}

function project({ discovered }: InspectedProject): Finding {
  const { root, trusted } = discovered.project;
  const [blocked] = discovered.blocked;
  if (trusted) return found("project", "ok", `Project ${root}, trusted`);
  if (!blocked) return found("project", "ok", `Project ${root}, not trusted; it has no tool files`);
  const fix = `Read its files, then run: ${blocked.fix}`;
  return found("project", "warn", `Project ${root} is not trusted: its tools do not run`, fix);
}

function locations({ discovered }: InspectedProject): Finding[] {
  const files = [...discovered.files.map(({ file }) => file), ...discovered.blocked.flatMap((each) => each.files)];
  if (discovered.locations.length === 0) {
    const message = "No tools folder, neither in this project nor for all projects";
    return [found("place", "warn", message, "Create a tool: toolwright new hello")];
  }
  return discovered.locations.map(({ path, kind }) => {
    if (files.includes(path)) return found("place", "ok", `Tool file ${path} (${kind})`);
    const count = files.filter((file) => file === path || file.startsWith(`${path}${sep}`)).length;
    return found("place", "ok", `Tools folder ${path} (${kind}): ${countText(count, "file")}`);
  });
}

function misplaced(invocation: Invocation, seen: InspectedProject): Finding[] {
  const files = misplacedFor(invocation, seen.homes, seen.discovered.possible);
  const what = "looks like a tool, but is not in a tools folder";
  return files.map(({ file, fix }) => found("place", "warn", `${file} ${what}`, `Move it: ${fix}`));
}

async function host(invocation: Invocation): Promise<Finding> {
  const ping = await pingHost(invocation.terminal.env);
  if (ping.ok) return found("host", "ok", `A host process started and answered in ${ping.ms} ms`);
  const fix = "Reinstall toolwright. If that does not help, report a bug with this message.";
  return found("host", "fail", `The host process failed: ${ping.reason}`, fix);
}

async function tools(invocation: Invocation): Promise<Finding> {
  const quiet = {
    ...invocation,
    terminal: { ...invocation.terminal, stderr: { ...invocation.terminal.stderr, write() {}, report() {} } },
  };
  return withToolbox(quiet, async (toolbox) => {
    const [builtin = 0, own = 0] = [true, false].map(
      (is) => toolbox.list().filter(({ source }) => (source === "builtin") === is).length,
    );
    const wrong = toolbox.problems().length;
    const message = `${countText(own, "tool")} and ${builtin} built-in tools, ${countText(wrong, "problem")}`;
    if (wrong === 0) return found("tools", "ok", message);
    return found("tools", "warn", message, "Run: toolwright check");
  });
}

const STYLES = { ok: "green", warn: "yellow", fail: "red" } as const;

function print(findings: readonly Finding[], { terminal }: Invocation): void {
  const { stdout } = terminal;
  for (const { status, message, fix } of findings) {
    const [first = "", ...more] = indented(message, "      ", stdout.columns);
    stdout.write(`${styled(stdout, STYLES[status], status.padEnd(4))}  ${first.trimStart()}\n`);
    const fixes = fix === undefined ? [] : indented(fix, "      ", stdout.columns);
    for (const line of [...more, ...fixes]) stdout.write(`${line}\n`);
  }
}
