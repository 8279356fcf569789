import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import type { SessionInfo } from "../../../core/session-log.ts";
import { shownPath } from "../../../platform/files/shown-path.ts";
import { writeParts } from "../../../platform/files/write-parts.ts";
import { countText } from "../../../platform/text/amount-text.ts";
import { safeName } from "../../../platform/text/safe-name.ts";
import { type ExportFormat, exportSession } from "../../../sessions/transcript/export-session.ts";
import { expandHome } from "../../../settings/defaults.ts";
import type { ChatCommand } from "../chat-actions.ts";

const ENDINGS: Readonly<Record<ExportFormat, string>> = { markdown: ".md", jsonl: ".jsonl" };

/**
 * `/export [jsonl|markdown] [FILE]`. A relative path starts at the directory of the chat. Without a file, a new one is created
 * there. An existing file is replaced only if a "!" stands before its name.
 */
export const exportCommand: ChatCommand = {
  name: "export",
  about: "Writes the session to a file that only you can read: a Markdown document, or its events as JSON lines.",
  argument: "[jsonl|markdown] [FILE]",
  complete: () => [
    { value: "markdown", label: "markdown", description: "a document to read" },
    { value: "jsonl", label: "jsonl", description: "one event per line" },
  ],
  async run(argument, chat) {
    const { toolbox, state } = chat;
    const { directory, homes } = toolbox.project;
    const store = await toolbox.sessions.store();
    const info = await store.get(state.sessionID);
    if (!info) throw new Error("This session has no events yet. Send a prompt first.");
    const { format, name, mayReplace } = parse(argument);
    const file = name === "" ? newFile(directory, info, format) : resolve(directory, expandHome(name, homes.home));
    if (!mayReplace) refuseExisting(file, format, name);
    if (!existsSync(dirname(file))) throw new Error(`The folder ${dirname(file)} does not exist. Create it first.`);
    await writeParts(file, exportSession(store, info, format));
    chat.notice(`Wrote ${countText(info.position, "event")} to ${shownPath(file, directory)}`);
  },
};

interface Target {
  readonly format: ExportFormat;
  /** Empty if no file is named. */
  readonly name: string;
  readonly mayReplace: boolean;
}

/** Without a format, the ending of the file decides; without both, it is Markdown. */
function parse(argument: string): Target {
  const [, word, rest = ""] = /^(jsonl|markdown|md)(?:\s+(.*))?$/s.exec(argument) ?? [undefined, undefined, argument];
  const mayReplace = rest.startsWith("!");
  const name = (mayReplace ? rest.slice(1) : rest).trim();
  const isJsonl = word === "jsonl" || (word === undefined && extname(name) === ENDINGS.jsonl);
  return { format: isJsonl ? "jsonl" : "markdown", name, mayReplace };
}

function refuseExisting(file: string, format: ExportFormat, name: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) throw new Error(`${file} is a folder. Name a file in it.`);
  throw new Error(`${file} exists. To replace it: /export ${format} !${name}`);
}

/** `session-ID.md`, or `session-ID-2.md` if that exists. */
function newFile(directory: string, { id }: SessionInfo, format: ExportFormat): string {
  const first = resolve(directory, `session-${safeName(id)}${ENDINGS[format]}`);
  const stem = basename(first, ENDINGS[format]);
  for (let count = 1; ; count += 1) {
    const file = count === 1 ? first : resolve(directory, `${stem}-${count}${ENDINGS[format]}`);
    if (!existsSync(file)) return file;
  }
}
