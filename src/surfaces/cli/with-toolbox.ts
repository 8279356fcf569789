import { openListing, type ToolListing } from "../../toolbox/open-listing.ts";
import type { Toolbox, ToolboxOptions } from "../../toolbox/toolbox.ts";
import type { Invocation } from "./args/command.ts";
import { StatusLine } from "./output/status-line.ts";
import { printWarnings } from "./print-warnings.ts";
import { TOOL_WAIT_MS, WAIT_MS } from "./wait.ts";

const SLOW_MS = 1_000;

/** Options of a command for the toolbox. */
interface Needs
  extends Pick<ToolboxOptions, "approve" | "sessions" | "verify" | "onlyFiles" | "agents" | "permissions"> {
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
  return use(await open(invocation, options), work, invocation);
}

/** Like `withToolbox`, for commands that call no tool: they start faster. */
export async function withListing<T>(invocation: Invocation, work: (listing: ToolListing) => Promise<T>): Promise<T> {
  const options = { ...optionsFor(invocation), waitMs: WAIT_MS };
  return use(await showingStatus(invocation, LOADING, () => openListing(options)), work, invocation);
}

/** Prints the warnings of what was opened, and closes it after `work`. */
async function use<T, O extends Pick<Toolbox, "status" | "close">>(
  opened: O,
  work: (opened: O) => Promise<T>,
  invocation: Invocation,
): Promise<T> {
  try {
    const known = new Set(opened.status.warnings.map((warning) => JSON.stringify(warning)));
    printWarnings(opened.status.warnings, invocation);
    const outcome = await work(opened);
    const late = opened.status.warnings.filter((warning) => !known.has(JSON.stringify(warning)));
    printWarnings(late, invocation);
    return outcome;
  } finally {
    await opened.close();
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

function open(invocation: Invocation, { tool, ...needs }: Needs): Promise<Toolbox> {
  const wait = tool === undefined ? { waitMs: WAIT_MS } : { waitMs: TOOL_WAIT_MS, waitForUnfinished: true };
  const options = { ...optionsFor(invocation), ...wait, ...needs };
  return showingStatus(invocation, needs.verify ? "Checking tool files …" : LOADING, async () => {
    // Loaded on use: `list`, which is loaded with every command, needs no code of calls.
    const { openToolbox, startToolbox } = await import("../../toolbox/open-toolbox.ts");
    if (tool === undefined) return openToolbox(options);
    const toolbox = await startToolbox(options);
    await toolbox.ready(tool);
    return toolbox;
  });
}

const LOADING = "Loading tool files …";

function optionsFor({ globals, terminal }: Invocation): Pick<ToolboxOptions, "cwd" | "trust" | "toolsPaths" | "env"> {
  const { cwd, trust, toolsPaths } = globals;
  return { cwd, trust, toolsPaths, env: terminal.env };
}

/**
 * Reads the tool files once, so that the next server lists their tools at once. Files of an untrusted project are not read.
 * Never rejects.
 */
export async function fillManifestCache({ globals, terminal }: Invocation): Promise<void> {
  const { cwd, toolsPaths } = globals;
  const listing = await openListing({ cwd, toolsPaths, env: terminal.env, waitMs: WAIT_MS });
  await listing.close();
}
