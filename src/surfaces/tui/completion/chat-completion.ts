import type { AutocompleteProvider } from "@earendil-works/pi-tui";
import type { ChatActions } from "../chat-actions.ts";
import { completeCommand } from "./command-completion.ts";
import { completedText } from "./completed-text.ts";
import { completeMention } from "./file-completion.ts";
import { ProjectFiles } from "./project-files.ts";
import { completeToolLine } from "./tool-completion.ts";

/** The completion of a chat. `close` ends the program that lists files, if one runs. */
export interface ChatCompletion extends AutocompleteProvider {
  close(): void;
}

/**
 * Completes commands and their arguments, `@path`, and calls of tools (`!name field=value`). Lists open while a command, a path or
 * the name of a tool is typed; for fields and values, the user presses Tab. No method throws or rejects.
 */
export function chatCompletion(chat: ChatActions): ChatCompletion {
  const { directory, root } = chat.toolbox.project;
  const files = new ProjectFiles({ directory, root, env: chat.env });
  return {
    triggerCharacters: ["!"],
    async getSuggestions(lines, cursorLine, cursorCol, { signal, force = false }) {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const source = { files, signal, isForced: force };
      try {
        if (cursorLine === 0 && /^!(?!!)/.test(before)) return await completeToolLine(before, chat.toolbox, source);
        const mention = await completeMention(before, files, signal);
        return mention ?? (cursorLine === 0 ? await completeCommand(before, chat) : null);
      } catch {
        // A completion that fails, such as one of sessions on a full disk, must not disturb typing.
        return null;
      }
    },
    applyCompletion: (lines, cursorLine, cursorCol, item, prefix) =>
      completedText({ lines, cursorLine, cursorCol }, item, prefix),
    close: () => files.close(),
  };
}
