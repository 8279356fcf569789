import type { SelectItem } from "@earendil-works/pi-tui";
import type { SessionInfo } from "../../../core/session-log.ts";
import { countText } from "../../../platform/text/amount-text.ts";
import { nearest, suggestion } from "../../../platform/text/nearest.ts";
import { firstLine, printable } from "../../../platform/text/printable.ts";
import type { ChatActions, ChatCommand } from "../chat-actions.ts";

/** `/sessions`. */
export const sessionsCommand: ChatCommand = {
  name: "sessions",
  about: "Lists the sessions of the project, also those of sub-agents. Choosing one opens it.",
  async run(_, chat) {
    await pickSession(await sessionsOf(chat), chat);
  },
};

/** `/resume [ID]`. */
export const resumeCommand: ChatCommand = {
  name: "resume",
  about: "Opens an earlier session; those of this directory are listed first.",
  argument: "[ID]",
  complete: async (chat) => (await resumable(chat)).map((session) => toItem(session, chat)),
  async run(id, chat) {
    if (id === "") return pickSession(await resumable(chat), chat);
    await chat.openSession(await fullID(id, chat));
  },
};

/** `/new`. */
export const newCommand: ChatCommand = {
  name: "new",
  about: "Begins an empty session. The current one stays in the list of sessions.",
  run: (_, chat) => chat.newSession(),
};

const MAX_LISTED = 1_000;

async function sessionsOf({ toolbox }: ChatActions): Promise<readonly SessionInfo[]> {
  return (await (await toolbox.sessions.store()).list({ limit: MAX_LISTED })).sessions;
}

/** Without the sessions of sub-agents. */
async function resumable(chat: ChatActions): Promise<readonly SessionInfo[]> {
  const sessions = (await sessionsOf(chat)).filter(({ parent }) => parent === undefined);
  const isHere = ({ directory }: SessionInfo): boolean => directory === chat.toolbox.project.directory;
  return [...sessions.filter(isHere), ...sessions.filter((session) => !isHere(session))];
}

async function pickSession(sessions: readonly SessionInfo[], chat: ChatActions): Promise<void> {
  if (sessions.length === 0) return chat.notice("This project has no sessions yet. The first prompt begins one.");
  const picked = await chat.pick(
    "Session",
    sessions.map((session) => toItem(session, chat)),
  );
  if (picked && picked.value !== chat.state.sessionID) await chat.openSession(picked.value);
}

/** A session can be named by the beginning of its id. */
async function fullID(id: string, chat: ChatActions): Promise<string> {
  const store = await chat.toolbox.sessions.store();
  if (await store.get(id)) return id;
  const ids = (await sessionsOf(chat)).map((session) => session.id);
  const [only, ...others] = ids.filter((each) => each.startsWith(id));
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) throw new Error(`${1 + others.length} sessions begin with "${id}". To choose one: /resume`);
  const hint = suggestion(nearest(id, ids)) || "To choose one: /resume";
  throw new Error(`There is no session "${id}" in this project. ${hint}`);
}

function toItem(info: SessionInfo, { state, toolbox }: ChatActions): SelectItem {
  const { id, title = "", status, updatedAt, agent, directory, parent } = info;
  const facts = [
    ...(id === state.sessionID ? ["this session"] : []),
    status,
    timeAgo(Date.now() - updatedAt),
    ...(agent === undefined ? [] : [printable(agent)]),
    ...(parent === undefined ? [] : ["task of a sub-agent"]),
    ...(directory === toolbox.project.directory ? [] : [printable(directory)]),
  ];
  return { value: id, label: firstLine(title) || printable(id), description: facts.join(" · ") };
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000] as const;

/** How long ago something was, roughly. */
export function timeAgo(ms: number): string {
  if (ms < MINUTE) return "just now";
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  return `${countText(Math.floor(ms / DAY), "day")} ago`;
}
