import type { TUI } from "@earendil-works/pi-tui";
import type { LoggedQuestion, QuestionAnswer, QuestionDetails } from "../../../core/question.ts";
import type { ChatTheme } from "../chat-theme.ts";
import { safeLine, safeText } from "../safe-text.ts";
import { ChoicePanel } from "./choice-panel.ts";
import type { Panel } from "./panel.ts";
import { EditorPanel, LinePanel } from "./text-panel.ts";

/** Shows another panel in the place of this one. */
type Replace = (panel: Panel) => void;

export interface QuestionPanelOptions {
  readonly theme: ChatTheme;
  readonly tui: TUI;
  readonly replace: Replace;
  readonly answer: (answer: QuestionAnswer) => void;
  /** The user wants to stop the turn instead of answering. */
  readonly stop: () => void;
}

type Permission = LoggedQuestion & Extract<QuestionDetails, { readonly kind: "permission" }>;
type Dialog = LoggedQuestion & Extract<QuestionDetails, { readonly kind: "dialog" }>;

/** The panel that asks a question of the session. */
export function questionPanel(question: LoggedQuestion, options: QuestionPanelOptions): Panel {
  return question.kind === "permission" ? permissionPanel(question, options) : dialogPanel(question, options);
}

function permissionPanel(question: Permission, options: QuestionPanelOptions): Panel {
  const { theme, replace, answer, stop } = options;
  const isAlways = question.choices.includes("always");
  const choices = [
    { value: "once", label: "Yes, once" },
    ...(question.choices.includes("session") ? [{ value: "session", label: "Yes, for this session" }] : []),
    ...(isAlways ? [{ value: "always", label: "Always" }] : []),
    { value: "no", label: "No" },
    { value: "reason", label: "No, and tell the model why" },
  ];
  const keys: Readonly<Record<string, string>> = { y: "once", s: "session", a: "always", n: "no", r: "reason" };
  const isOffered = (choice: string): boolean => choices.some(({ value }) => value === choice);
  const hint = Object.entries(keys)
    .filter(([, choice]) => isOffered(choice))
    .map(([key, choice]) => `${key} ${choice}`)
    .join(" · ");
  const text = {
    title: safeLine(question.reason),
    details: [...detailsOf(question), ...(isAlways ? [theme.dim(`Always ${writtenRules(question)}`)] : [])],
    hint: `${hint} · Esc stops the turn`,
  };
  const ask = (): Panel =>
    new ChoicePanel({ ...text, items: choices, keys }, theme, (item) => {
      switch (item?.value) {
        case undefined:
          return stop();
        case "once":
          return answer({ allowed: true });
        case "session":
        case "always":
          return answer({ allowed: true, remember: item.value });
        case "no":
          return answer({ allowed: false });
        default:
          return replace(reasonPanel());
      }
    });
  const reasonPanel = (): Panel =>
    new LinePanel(
      { title: "What should the model know?", hint: "Enter refuses the call with this reason · Esc goes back" },
      theme,
      // The pipeline makes the sentence for the model from it.
      (value) =>
        value === undefined
          ? replace(ask())
          : answer({ allowed: false, ...(value.trim() === "" ? {} : { reason: value.trim() }) }),
    );
  return ask();
}

function dialogPanel(question: Dialog, { theme, tui, answer }: QuestionPanelOptions): Panel {
  const title = safeLine(question.reason);
  const done = (value: unknown): void => answer(value === undefined ? { allowed: false } : { allowed: true, value });
  switch (question.method) {
    case "select": {
      // The value of an item is its place: labels may be equal, and the answer is the text of the tool file.
      const items = (question.options ?? []).map((label, at) => ({ value: String(at), label: safeLine(label) }));
      return new ChoicePanel({ title, items, filter: items.length > 8, hint: CHOOSE }, theme, (item) =>
        done(item && question.options?.[Number(item.value)]),
      );
    }
    case "confirm": {
      const items = [
        { value: "yes", label: "Yes" },
        { value: "no", label: "No" },
      ];
      const details = question.message === undefined ? [] : safeText(question.message).split("\n");
      const text = { title, details, items, keys: { y: "yes", n: "no" }, hint: "y yes · n no · Esc closes" };
      return new ChoicePanel(text, theme, (item) => done(item && item.value === "yes"));
    }
    case "input": {
      const placeholder = question.placeholder === undefined ? {} : { placeholder: safeLine(question.placeholder) };
      return new LinePanel({ title, ...placeholder, hint: "Enter answers · Esc closes" }, theme, done);
    }
    case "editor": {
      const prefill = question.prefill === undefined ? {} : { prefill: safeText(question.prefill) };
      return new EditorPanel(
        { title, ...prefill, hint: "Enter answers · Shift-Enter new line · Esc closes" },
        theme,
        tui,
        done,
      );
    }
  }
}

const CHOOSE = "↑↓ choose · Enter answers · Esc closes";

function detailsOf({ tool, access, input, request }: Permission): string[] {
  // The reason says if the tool does not declare what it touches.
  const touched = access.flatMap((each) => (each === "undeclared" ? [] : [safeLine(`${each.kind}: ${each.target}`)]));
  const patterns = request ? request.patterns.map((pattern) => safeLine(pattern)) : [];
  const json = JSON.stringify(input) ?? "";
  return [...touched, ...patterns, safeLine(`${tool} ${json === "{}" ? "" : json}`)];
}

function writtenRules({ rules, settingsFile }: Permission): string {
  return safeLine(`adds ${rules.map((rule) => JSON.stringify(rule)).join(", ")} to ${settingsFile}`);
}
