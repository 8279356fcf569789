import type { CustomView } from "../../core/custom-view.ts";
import type { LoggedQuestion, QuestionAnswer } from "../../core/question.ts";
import type { UIContext } from "../../toolbox/toolbox.ts";
import { labelOf, shownText } from "../../toolbox/ui-requests.ts";
import type { NoticeKind } from "./chat-actions.ts";

/** What tool files can change on the screen. */
export interface ToolUiScreen {
  notice(text: string, kind: NoticeKind): void;
  /** Undefined removes it. */
  setStatus(key: string, text: string | undefined): void;
  setWidget(key: string, lines: readonly string[] | undefined, place: "above" | "below"): void;
  setWorking(text: string | undefined): void;
  editorText: string;
  insertText(text: string): void;
  isExpanded: boolean;
  /** Resolves when the view is closed. */
  showCustom(view: CustomView): Promise<void>;
  /** Asks the user in the place of the input, until the signal fires. */
  ask(question: LoggedQuestion, signal?: AbortSignal): Promise<QuestionAnswer>;
}

/** The options that the toolbox adds to those of the tool file. */
interface DialogOptions {
  /** Set if a call has opened the dialog. */
  readonly signal?: AbortSignal;
  /** Set if a command of a tool file has opened it: fires when the command ends. */
  readonly commandSignal?: AbortSignal;
}

type Dialog = Extract<LoggedQuestion, { readonly kind: "dialog" }>;

/** The user interface of tool files in the chat: `ctx.ui` of pi extensions, `ui` of factories. */
export function toolUi(screen: ToolUiScreen): UIContext {
  const dialog =
    (method: Dialog["method"], detailsOf: (subject: unknown) => Partial<Dialog>) =>
    async (title: unknown, subject: unknown, options?: DialogOptions): Promise<unknown> => {
      // The dialog of a call is a question of the session, which the chat reads from the log: see `UiRequests`.
      if (options?.signal) throw new Error("The dialog is answered as a question.");
      const base = {
        questionID: "",
        callID: "",
        tool: "",
        agent: "",
        reason: shownText(title),
        kind: "dialog",
        method,
      };
      const answer = await screen.ask({ ...base, ...detailsOf(subject) } as Dialog, options?.commandSignal);
      return answer.allowed ? answer.value : undefined;
    };
  return {
    notify: (text: unknown, kind?: unknown) => screen.notice(shownText(text), KINDS[String(kind)] ?? "info"),
    setStatus: (key: unknown, text: unknown) => screen.setStatus(shownText(key), textOrUndefined(text)),
    setWidget: (key: unknown, lines: unknown, options?: { readonly placement?: unknown }) =>
      screen.setWidget(shownText(key), linesOf(lines), options?.placement === "belowEditor" ? "below" : "above"),
    setHeader: (lines: unknown) => screen.setWidget(HEADER, linesOf(lines), "above"),
    setFooter: (lines: unknown) => screen.setWidget(FOOTER, linesOf(lines), "below"),
    setWorkingMessage: (text: unknown) => screen.setWorking(textOrUndefined(text)),
    setEditorText: (text: unknown) => {
      screen.editorText = shownText(text);
    },
    pasteToEditor: (text: unknown) => screen.insertText(shownText(text)),
    setToolsExpanded: (expanded: unknown) => {
      screen.isExpanded = expanded === true;
    },
    custom: (view: CustomView) => screen.showCustom(view),
    select: dialog("select", (options) => ({ options: Array.isArray(options) ? options.map(labelOf) : [] })),
    confirm: dialog("confirm", (message) => ({ message: shownText(message ?? "") })),
    input: dialog("input", (placeholder) => ({ placeholder: shownText(placeholder ?? "") })),
    editor: dialog("editor", (prefill) => ({ prefill: shownText(prefill ?? "") })),
  };
}

/** Keys that no tool file uses for its widgets. */
const [HEADER, FOOTER] = ["\0header", "\0footer"];
const KINDS: Readonly<Record<string, NoticeKind>> = { warning: "warning", error: "error" };

function linesOf(lines: unknown): readonly string[] | undefined {
  return Array.isArray(lines) ? lines.map(shownText) : textOrUndefined(lines)?.split("\n");
}

function textOrUndefined(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : shownText(value);
}
