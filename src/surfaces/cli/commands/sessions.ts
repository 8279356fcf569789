import { resolve } from "node:path";
import { SESSION_STATUSES, type SessionInfo, type SessionStatus } from "../../../core/session-log.ts";
import type { SessionStore } from "../../../core/session-store.ts";
import { writeParts } from "../../../platform/files/write-parts.ts";
import { countText } from "../../../platform/text/amount-text.ts";
import { printableJson } from "../../../platform/text/printable.ts";
import { defined } from "../../../platform/values/defined.ts";
import { type ExportFormat, exportSession, pagesOf } from "../../../sessions/transcript/export-session.ts";
import { Transcript } from "../../../sessions/transcript/transcript.ts";
import { type Command, GLOBAL_OPTIONS, type Invocation, isSet, optionNumber, optionValue } from "../args/command.ts";
import { didYouMean, UsageError } from "../args/usage-error.ts";
import { branch, cancel, remove } from "../change-sessions.ts";
import { drained, followSession } from "../follow-session.ts";
import { namedSession } from "../named-session.ts";
import { printable, printJson } from "../output/print.ts";
import { itemLines, printLines, sessionHeader, sessionTable } from "../session-lines.ts";
import { untilStopped } from "../stop-serving.ts";
import { withSessionStore } from "../with-session-store.ts";

/** `toolwright sessions`. */
export const sessions: Command = {
  spec: {
    usage: "toolwright sessions [list|show ID|export ID|branch ID|cancel ID|remove ID...] [options]",
    about: `Sessions are the calls, questions and stored values that "run --session ID" and programs record.

- list (the default): the sessions of this project, the last changed first
- show ID: one session and its events
- export ID: its events, as JSON lines or as a Markdown document
- branch ID: creates a session that begins with the same events
- cancel ID: stops what runs in a session, in whichever process
- remove ID...: deletes sessions and their events

Exit code: 0 success, 1 a session is running or the database cannot be used, 2 unknown session or wrong usage.`,
    options: {
      all: { type: "boolean", help: "list: the sessions of all projects" },
      status: { type: "string", value: "STATUS", help: "list: only idle, running, waiting, error or interrupted ones" },
      search: { type: "string", value: "TEXT", help: "list: only those with TEXT in the title or the id" },
      cursor: { type: "string", value: "CURSOR", help: "list: the page after the one that ended with CURSOR" },
      limit: { type: "string", value: "N", help: "list, show: at most N sessions (50 by default), or events" },
      after: { type: "string", value: "N", help: "show: only events after position N" },
      follow: { type: "boolean", short: "f", help: "show: go on with new events until Ctrl-C" },
      full: { type: "boolean", help: "show: whole inputs and outputs" },
      format: { type: "string", value: "FORMAT", help: "export: jsonl (default) or markdown" },
      output: { type: "string", short: "o", value: "FILE", help: "export: write to FILE instead of stdout" },
      at: { type: "string", value: "N", help: "branch: the last event to copy (default: all)" },
      as: { type: "string", value: "ID", help: "branch: the id of the new session" },
      yes: { type: "boolean", short: "y", help: "remove: do not ask" },
    },
    positionals: [0, Number.POSITIVE_INFINITY],
    examples: [
      "toolwright sessions",
      "toolwright sessions show refactoring --follow",
      "toolwright sessions export refactoring --format markdown --output refactoring.md",
      "toolwright sessions branch refactoring --at 12 --as second-try",
      "toolwright sessions remove refactoring --yes",
    ],
  },
  run: async (invocation) => {
    const { name, ids } = subcommandOf(invocation);
    checkArguments(name, ids, invocation);
    return SUBCOMMANDS[name].run(invocation, ids);
  },
};

interface Subcommand {
  readonly options: readonly string[];
  /** The minimum and maximum number of ids. */
  readonly ids: readonly [min: number, max: number];
  run(invocation: Invocation, ids: readonly string[]): Promise<number>;
}

const SUBCOMMANDS = {
  list: { options: ["all", "status", "search", "cursor", "limit"], ids: [0, 0], run: list },
  show: { options: ["after", "limit", "follow", "full"], ids: [1, 1], run: show },
  export: { options: ["format", "output"], ids: [1, 1], run: exportOne },
  branch: { options: ["at", "as"], ids: [1, 1], run: branch },
  cancel: { options: [], ids: [1, 1], run: cancel },
  remove: { options: ["yes"], ids: [1, Number.POSITIVE_INFINITY], run: remove },
} as const satisfies Record<string, Subcommand>;

type Name = keyof typeof SUBCOMMANDS;

function subcommandOf({ positionals }: Invocation): { name: Name; ids: readonly string[] } {
  const [name = "list", ...ids] = positionals;
  if (Object.hasOwn(SUBCOMMANDS, name)) return { name: name as Name, ids };
  const names = Object.keys(SUBCOMMANDS);
  const hint = didYouMean(name, names, `Use one of ${names.join(", ")}, as in: toolwright sessions show ID`);
  throw new UsageError(`Unknown argument ${JSON.stringify(name)}. ${hint}`);
}

function checkArguments(name: Name, ids: readonly string[], { values }: Invocation): void {
  const { options, ids: limits }: Subcommand = SUBCOMMANDS[name];
  const [min, max] = limits;
  if (ids.length < min) throw new UsageError(`Missing argument: the id of a session. Usage: ${usageOf(name)}`);
  if (ids.length > max)
    throw new UsageError(`Unexpected argument ${JSON.stringify(ids[max])}. Usage: ${usageOf(name)}`);
  for (const option of Object.keys(values)) {
    if (options.includes(option) || Object.hasOwn(GLOBAL_OPTIONS, option)) continue;
    throw new UsageError(`"sessions ${name}" has no option --${option}. Usage: ${usageOf(name)}`);
  }
}

function usageOf(name: Name): string {
  const { ids, options }: Subcommand = SUBCOMMANDS[name];
  const id = ids[1] === 0 ? "" : ids[1] === 1 ? " ID" : " ID...";
  const shown = options.map((option) => {
    const { value } = sessions.spec.options[option] ?? {};
    return ` [--${option}${value === undefined ? "" : ` ${value}`}]`;
  });
  return `toolwright sessions ${name}${id}${shown.join("")}`;
}

function list(invocation: Invocation): Promise<number> {
  const { terminal, globals } = invocation;
  const all = isSet(invocation, "all");
  const status = readStatus(invocation);
  const limit = optionNumber(invocation, "limit", 1);
  const search = optionValue(invocation, "search");
  const cursor = optionValue(invocation, "cursor");
  const filter = defined({ status, search });
  const query = {
    ...filter,
    ...(all ? { allProjects: true } : {}),
    ...defined({ limit, cursor }),
  };
  return withSessionStore(invocation, async (store) => {
    const page = (await store?.list(query)) ?? { sessions: [] };
    if (globals.json) printJson(terminal, page);
    else if (page.sessions.length > 0) printLines(invocation, pageLines(page.sessions, page.next, invocation));
    else printLines(invocation, await emptyLines(store, { filter, all }));
    return 0;
  });
}

function readStatus(invocation: Invocation): SessionStatus | undefined {
  const text = optionValue(invocation, "status");
  const status = SESSION_STATUSES.find((each) => each === text);
  if (text === undefined || status !== undefined) return status;
  const hint = didYouMean(text, SESSION_STATUSES, `Use one of ${SESSION_STATUSES.join(", ")}.`);
  throw new UsageError(`There is no status ${JSON.stringify(text)}. ${hint}`);
}

function pageLines(
  page: readonly SessionInfo[],
  next: string | undefined,
  { terminal, values }: Invocation,
): readonly string[] {
  const { stdout } = terminal;
  const lines = sessionTable(page, stdout, values.all === true);
  return next === undefined ? lines : [...lines, "", `There are more. The next page: add --cursor ${next}`];
}

async function emptyLines(
  store: SessionStore | undefined,
  { filter, all }: { filter: object; all: boolean },
): Promise<string[]> {
  if (Object.keys(filter).length > 0) return ["No session matches."];
  const others = all ? undefined : await store?.list({ allProjects: true, limit: 1 });
  return [
    all ? "No sessions." : "No sessions in this project.",
    ...(others?.sessions.length ? ["For those of other projects: toolwright sessions --all"] : []),
    "To begin one, give a call a session: toolwright run todoread --session ID",
  ];
}

function show(invocation: Invocation, [id = ""]: readonly string[]): Promise<number> {
  const after = optionNumber(invocation, "after", 0) ?? 0;
  const limit = optionNumber(invocation, "limit", 1) ?? Number.POSITIVE_INFINITY;
  return withSessionStore(invocation, async (found) => {
    const info = await namedSession(found, id);
    const store = found as SessionStore;
    if (after > info.position) {
      throw new UsageError(`--after ${after}: the last event of the session is at position ${info.position}.`);
    }
    const { stdout } = invocation.terminal;
    if (!isSet(invocation, "follow")) return showStored(store, info, { after, limit }, invocation);
    if (!invocation.globals.json) printLines(invocation, [...sessionHeader(info, stdout), ""]);
    const stop = new AbortController();
    void untilStopped().then(() => stop.abort());
    await followSession(store, id, { after, limit, signal: stop.signal }, invocation);
    return 0;
  });
}

async function showStored(
  store: SessionStore,
  info: SessionInfo,
  { after, limit }: { after: number; limit: number },
  invocation: Invocation,
): Promise<number> {
  const { stdout } = invocation.terminal;
  const { json } = invocation.globals;
  const transcript = new Transcript();
  const full = isSet(invocation, "full");
  const last = Math.min(info.position, after + limit);
  stdout.write(json ? `{"session":${printableJson(info)},"events":[` : `${sessionHeader(info, stdout).join("\n")}\n\n`);
  for await (const events of pagesOf(store, info.id, { after, last })) {
    const texts = json
      ? events.map((event) => `${event.position === after + 1 ? "" : ","}${printableJson(event)}`)
      : events.map((event) => `${itemLines(transcript.item(event), stdout, full).join("\n")}\n`);
    stdout.write(texts.join(""));
    await drained(stdout);
    if (stdout.isClosed) return 0;
  }
  if (json) stdout.write("]}\n");
  else if (last < info.position) printLines(invocation, ["", `There are more. The next events: add --after ${last}`]);
  return 0;
}

function exportOne(invocation: Invocation, [id = ""]: readonly string[]): Promise<number> {
  const { terminal, globals } = invocation;
  const output = optionValue(invocation, "output");
  const format = readFormat(invocation);
  const isToFile = output !== undefined && output !== "-";
  if (globals.json && format !== "jsonl" && !isToFile)
    throw new UsageError("With --json, a Markdown document needs a file: --output FILE");
  return withSessionStore(invocation, async (found) => {
    const info = await namedSession(found, id);
    const parts = exportSession(found as SessionStore, info, format);
    if (isToFile) {
      const file = resolve(globals.cwd, output);
      await writeParts(file, parts);
      if (globals.json) printJson(terminal, { id, format, file, events: info.position });
      else terminal.stderr.write(`Wrote ${countText(info.position, "event")} to ${printable(file)}\n`);
      return 0;
    }
    for await (const part of parts) {
      terminal.stdout.write(part);
      await drained(terminal.stdout);
      if (terminal.stdout.isClosed) break;
    }
    return 0;
  });
}

function readFormat(invocation: Invocation): ExportFormat {
  const format = optionValue(invocation, "format") ?? "jsonl";
  if (format === "jsonl" || format === "markdown") return format;
  if (format === "md") return "markdown";
  const hint = didYouMean(format, ["jsonl", "markdown"], "Use jsonl or markdown.");
  throw new UsageError(`There is no format ${JSON.stringify(format)}. ${hint}`);
}
