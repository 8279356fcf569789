import type { SettingsWarning } from "../../config/read-settings.ts";
import { type InspectedProject, inspectProject } from "../../toolbox/inspect-project.ts";
import { openToolbox, startToolbox } from "../../toolbox/open-toolbox.ts";
import type { Toolbox, ToolboxOptions } from "../../toolbox/toolbox.ts";
import type { Invocation } from "./command.ts";
import { printable, shownPlace, styled } from "./print.ts";
import { StatusLine } from "./status-line.ts";
import { TOOL_WAIT_MS, WAIT_MS } from "./wait.ts";
import { wrapped } from "./wrap.ts";

const SLOW_MS = 1_000;

/** Options of a command for the toolbox. */
interface Needs extends Pick<ToolboxOptions, "approve" | "verify" | "onlyFiles"> {
  /** Wait only for the file of this tool. */
  readonly tool?: string;
}

/**
 * Opens the toolbox for the global options, and closes it after `work`. Waits for tool files as long as a server does, or
 * without limit with `verify`.
 */
export async function withToolbox<T>(
  invocation: Invocation,
  work: (toolbox: Toolbox) => Promise<T>,
  options: Needs = {},
): Promise<T> {
  const toolbox = await open(invocation, options);
  try {
    const known = new Set(toolbox.status.warnings.map((warning) => JSON.stringify(warning)));
    printWarnings(toolbox.status.warnings, invocation);
    const outcome = await work(toolbox);
    const late = toolbox.status.warnings.filter((warning) => !known.has(JSON.stringify(warning)));
    printWarnings(late, invocation);
    return outcome;
  } finally {
    await toolbox.close();
  }
}

/** Runs `work`, and shows `text` on a terminal if it takes longer. */
export async function showingStatus<T>({ terminal }: Invocation, text: string, work: () => Promise<T>): Promise<T> {
  const status = new StatusLine(terminal.stderr);
  const timer = setTimeout(() => terminal.stderr.isTTY && status.show(text), SLOW_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    status.clear();
  }
}

/** Prints warnings about settings to stderr. */
export function printWarnings(warnings: readonly SettingsWarning[], { terminal, globals }: Invocation): void {
  for (const warning of warnings) {
    const label = styled(terminal.stderr, "yellow", "warning:");
    const text = `${label} ${shownPlace(warning, globals.cwd)}: ${printable(warning.message)}`;
    terminal.stderr.report(`${wrapped(text, terminal.stderr.columns).join("\n")}\n`);
  }
}

function open(invocation: Invocation, { tool, ...needs }: Needs): Promise<Toolbox> {
  const { cwd, trust, toolsPaths } = invocation.globals;
  const { env } = invocation.terminal;
  const wait = tool === undefined ? { waitMs: WAIT_MS } : { waitMs: TOOL_WAIT_MS, waitForUnfinished: true };
  const options = { cwd, trust, toolsPaths, env, ...wait, ...needs };
  return showingStatus(invocation, needs.verify ? "Checking tool files …" : "Loading tool files …", async () => {
    if (tool === undefined) return openToolbox(options);
    const toolbox = await startToolbox(options);
    await toolbox.ready(tool);
    return toolbox;
  });
}

/**
 * Reads the tool files once, so that the next server lists their tools at once. Files of an untrusted project are not read.
 * Never rejects.
 */
export async function fillManifestCache({ globals, terminal }: Invocation): Promise<void> {
  const { cwd, toolsPaths } = globals;
  const toolbox = await openToolbox({ cwd, toolsPaths, env: terminal.env, waitMs: WAIT_MS });
  await toolbox.close();
}

/** The project of the global options, for commands that must not load tools. */
export function inspectFor({ globals, terminal }: Invocation): InspectedProject {
  return inspectProject({ ...globals, env: terminal.env });
}

/** Like `inspectFor`, but ignores `--trust`: for commands whose changes outlast this run. */
export function inspectWithoutTrustFlag({ globals, terminal }: Invocation): InspectedProject {
  return inspectProject({ ...globals, env: terminal.env, trust: false });
}
