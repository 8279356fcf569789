import type { ChatActions, ChatCommand } from "../chat-actions.ts";
import { agentCommand } from "./agent-command.ts";
import { contextCommand } from "./context-command.ts";
import { exportCommand } from "./export-command.ts";
import { extensionCommands } from "./extension-commands.ts";
import { helpCommand } from "./help-command.ts";
import { modeCommand } from "./mode-command.ts";
import { modelCommand } from "./model-command.ts";
import { permissionsCommand } from "./permissions-command.ts";
import { reloadCommand } from "./reload-command.ts";
import { newCommand, resumeCommand, sessionsCommand } from "./session-commands.ts";
import { toolsCommand } from "./tools-command.ts";

const OWN: readonly ChatCommand[] = [
  contextCommand,
  toolsCommand,
  reloadCommand,
  agentCommand,
  modelCommand,
  modeCommand,
  permissionsCommand,
  sessionsCommand,
  resumeCommand,
  newCommand,
  exportCommand,
  { name: "expand", about: "Shows tool cards in full, or collapsed again.", run: (_, chat) => chat.toggleExpanded() },
  helpCommand(allCommands),
  { name: "quit", about: "Leaves the chat. The session is kept.", run: (_, chat) => chat.quit() },
];

/** The commands of the chat, then those of tool files. Names of the chat cannot be taken by tool files. */
export function allCommands({ toolbox }: Pick<ChatActions, "toolbox">): readonly ChatCommand[] {
  return [...OWN, ...extensionCommands(toolbox, new Set(OWN.map(({ name }) => name)))];
}
