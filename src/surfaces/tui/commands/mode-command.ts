import type { SelectItem } from "@earendil-works/pi-tui";
import { modeInForce } from "../../../calls/permission-context.ts";
import { MODE_NAMES, type Mode, modeNamed } from "../../../core/permission-mode.ts";
import { nearest, suggestion } from "../../../platform/text/nearest.ts";
import type { ChatActions, ChatCommand } from "../chat-actions.ts";

const ABOUT: Readonly<Record<Mode, string>> = {
  default: "asks before calls that no rule covers",
  acceptEdits: "like default, but writes in the project are allowed",
  plan: "only reading; everything else is refused",
  bypass: "asks nothing: every call runs unless a rule denies it",
};

/** `/mode [MODE]`. */
export const modeCommand: ChatCommand = {
  name: "mode",
  about: "Chooses what happens to calls that no permission rule covers.",
  argument: "[MODE]",
  complete: modeItems,
  async run(argument, chat) {
    const name = argument || (await chat.pick("Permission mode", modeItems(chat)))?.value;
    if (name === undefined) return;
    const mode = modeNamed(name);
    if (!mode) throw new Error(unknownMode(name));
    chat.setMode(mode);
    const inForce = modeWith(mode, chat);
    if (inForce !== mode) {
      chat.notice(`Mode: ${mode}. The settings of the project are stricter, so ${inForce} applies.`, "warning");
    } else if (mode === "bypass") {
      chat.notice(
        "Mode: bypass. Calls run without a question, unless a rule denies them. To go back: /mode default",
        "warning",
      );
    } else {
      chat.notice(`Mode: ${mode}: ${ABOUT[mode]}.`);
    }
  },
};

function modeItems(chat: ChatActions): SelectItem[] {
  const current = chat.state.mode ?? chat.toolbox.project.settings.mode.user;
  return MODE_NAMES.map((mode) => ({
    value: mode,
    label: mode,
    description: `${mode === current ? "current: " : ""}${ABOUT[mode]}`,
  }));
}

/** The mode in force if a session has this one: that of the project can be stricter. */
export function modeWith(mode: Mode | undefined, { toolbox }: ChatActions): Mode {
  const { settings } = toolbox.project;
  return modeInForce(mode === undefined ? settings : { ...settings, mode: { ...settings.mode, user: mode } });
}

function unknownMode(name: string): string {
  return `There is no mode "${name}". ${suggestion(nearest(name, MODE_NAMES)) || `Modes: ${MODE_NAMES.join(", ")}.`}`;
}
