import type { SelectItem } from "@earendil-works/pi-tui";
import type { ApiRule } from "../../../core/api-page.ts";
import { shownPlace } from "../../../platform/files/shown-path.ts";
import { defined } from "../../../platform/values/defined.ts";
import type { Rule } from "../../../settings/permissions/rule.ts";
import { permissionsOf, printableRule } from "../../../toolbox/permission-view.ts";
import { removeUserRule } from "../../../toolbox/remove-user-rule.ts";
import type { ChatActions, ChatCommand } from "../chat-actions.ts";
import { inlineCode, section } from "./inline-markdown.ts";
import { modeWith } from "./mode-command.ts";

const REMOVE = "remove";

/** `/permissions [remove]`. */
export const permissionsCommand: ChatCommand = {
  name: "permissions",
  about: "Shows the permission rules in force, or takes one of yours back.",
  argument: `[${REMOVE}]`,
  complete: () => [{ value: REMOVE, label: REMOVE, description: "take a rule back" }],
  async run(argument, chat) {
    if (argument !== "" && argument !== REMOVE) {
      throw new Error(
        `"${argument}" is unknown. To see the rules: /permissions. To take one back: /permissions ${REMOVE}`,
      );
    }
    const grants = await grantsOf(chat);
    if (argument === REMOVE) return takeBack(grants, chat);
    chat.show(rulesText(grants, chat));
  },
};

async function grantsOf({ toolbox, state }: ChatActions): Promise<readonly Rule[]> {
  if (!state.info) return [];
  return (await toolbox.sessions.choices(state.sessionID)).grants;
}

function rulesText(grants: readonly Rule[], chat: ChatActions): string {
  const { directory } = chat.toolbox.project;
  const { rules, ignored } = permissionsOf(chat.toolbox.project);
  const ofFile = (from: ApiRule["from"]): string[] =>
    rules
      .filter((rule) => rule.from === from)
      .map((rule) => `- ${inlineCode(printableRule(rule))} ${inlineCode(shownPlace(rule, directory))}`);
  const ignoredKeys = ignored.filter((key) => key === "permissions" || key === "mode");
  const isEmpty = rules.length === 0 && grants.length === 0;
  return [
    `Mode: **${modeWith(chat.state.mode, chat)}**. To change it: \`/mode\``,
    ...(isEmpty ? ["", "No rules: the mode decides."] : []),
    ...section(
      "Granted for this session",
      grants.map((rule) => `- ${inlineCode(printableRule(rule))}`),
    ),
    ...section("Your rules (the last one that matches decides)", ofFile("user")),
    ...section("The rules of the project (they can only restrict yours)", ofFile("project")),
    ...(isEmpty ? [] : ["", `To take one back: \`/permissions ${REMOVE}\``]),
    ...(ignoredKeys.length === 0
      ? []
      : ["", `This project is not trusted, so these of its settings are ignored: ${ignoredKeys.join(", ")}`]),
  ].join("\n");
}

/** A rule that the user can take back here. */
type Removable = { readonly from: "session"; readonly rule: Rule } | { readonly from: "user"; readonly rule: ApiRule };

async function takeBack(grants: readonly Rule[], chat: ChatActions): Promise<void> {
  const { toolbox, state } = chat;
  const own = permissionsOf(toolbox.project).rules.filter(({ from }) => from === "user");
  const removable: Removable[] = [
    ...grants.map((rule) => ({ from: "session", rule }) as const),
    ...own.map((rule) => ({ from: "user", rule }) as const),
  ];
  if (removable.length === 0) {
    return chat.notice("You have granted nothing for this session, and your settings have no rules.");
  }
  const items = removable.map((each, at) => toItem(each, at, toolbox.project.directory));
  const picked = await chat.pick("Take back", items);
  const chosen = picked && removable[Number(picked.value)];
  if (!chosen) return;
  const text = printableRule(chosen.rule);
  if (chosen.from === "session") {
    const isRemoved = await toolbox.sessions.revoke(state.sessionID, chosen.rule);
    return chat.notice(isRemoved ? `Taken back for this session: ${text}` : `It was no longer granted: ${text}`);
  }
  const { tool, match, agent, action, position } = chosen.rule;
  const rule = { tool, action, ...defined({ match, agent }) };
  const problem = await removeUserRule(toolbox, position, rule);
  if (problem !== undefined) throw new Error(problem);
  chat.notice(`Removed from your settings: ${text}`);
}

function toItem({ from, rule }: Removable, at: number, directory: string): SelectItem {
  const description = from === "session" ? "granted for this session" : shownPlace(rule, directory);
  return { value: String(at), label: printableRule(rule), description };
}
