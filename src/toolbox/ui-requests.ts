import type { AskingCall, Call } from "../calls/call.ts";
import type { NewQuestion, Questions } from "../calls/permission-question.ts";
import type { QuestionOutcome } from "../calls/question-outcome.ts";
import type { DialogDetails } from "../core/question.ts";
import { CLOSE_DIALOG, CUSTOM_VIEW, type UiRequest } from "../host/protocol/messages.ts";
import { defined } from "../platform/values/defined.ts";
import { untilAborted } from "../platform/waiting/until-aborted.ts";
import type { UIContext } from "./toolbox.ts";
import { type RunningCommand, type ShowView, ViewRequests } from "./view-requests.ts";

/** Passes the user-interface calls of tool files to the user interface of their session. Dialogs are questions. */
export class UiRequests {
  readonly #questions: Pick<Questions, "ask">;
  readonly #calls = new Map<string, Call>();
  readonly #ofSessions = new Map<string, UIContext>();
  /** The open dialogs that their tools may close. */
  readonly #dialogs = new Map<string, AbortController>();
  readonly #views = new ViewRequests();
  #ofToolbox: UIContext | undefined;

  constructor(questions: Pick<Questions, "ask">) {
    this.#questions = questions;
  }

  /** Sets the user interface of a session, or that of sessions without one; undefined removes it. */
  attach(context: UIContext | undefined, sessionID?: string): void {
    if (sessionID === undefined) this.#ofToolbox = context;
    else if (context) this.#ofSessions.set(sessionID, context);
    else this.#ofSessions.delete(sessionID);
  }

  /** Whether a session has a user interface; without a session, whether the toolbox has one for all. */
  isAttached(sessionID?: string): boolean {
    return this.#contextOf(sessionID) !== undefined;
  }

  /** Whether the user interface of a session, or that of the toolbox, shows components. */
  showsViews(sessionID?: string): boolean {
    return showingViews(this.#contextOf(sessionID)) !== undefined;
  }

  /** Attributes dialogs that hooks open to this call. Returns a function that ends this. */
  follow(callID: string, call: Call): () => void {
    this.#calls.set(callID, call);
    return () => void this.#calls.delete(callID);
  }

  /**
   * Calls a method of the user interface. A dialog of a call is a question, which can be answered elsewhere too, and stops the
   * clock of the call. Never rejects: a method that fails counts as a dialog without an answer.
   */
  async call(request: UiRequest, call: Call | undefined = this.#calls.get(request.callID ?? "")): Promise<unknown> {
    if (request.method === CLOSE_DIALOG) return this.#dialogs.get(request.dialogID ?? "")?.abort();
    const context = this.#contextOf(call?.context.sessionID ?? request.sessionID);
    if (request.view) return this.#views.answer(request, request.view, call, showingViews(context));
    const details = call && dialogOf(request);
    if (!call || !details) return (await invoke(context, request)).value;
    const outcome = await this.#whileOpen(request, (signal) =>
      call.clock.pausedFor(() => this.#ask(request, details, call, signal)),
    );
    return outcome.kind === "answered" && outcome.answer.allowed ? outcome.answer.value : undefined;
  }

  /** Opens a dialog for a call of an agent's own tool, as a question. Never rejects. */
  ask(
    { title, dialog }: { readonly title: string; readonly dialog: DialogDetails },
    call: AskingCall,
  ): Promise<QuestionOutcome> {
    const subject = dialog.options ?? dialog.message ?? dialog.placeholder ?? dialog.prefill;
    return this.#ask({ method: dialog.method, args: [title, subject] }, dialog, call);
  }

  async #ask(
    request: UiRequest,
    details: DialogDetails,
    call: AskingCall,
    signal?: AbortSignal,
  ): Promise<QuestionOutcome> {
    const context = this.#contextOf(call.context.sessionID);
    const canAsk = typeof methodOf(context, request.method) === "function";
    if (!canAsk && !call.scope.answerable) return { kind: "unasked" };
    const askHere = canAsk ? asking(context, request) : undefined;
    return this.#questions.ask(call, { reason: shownText(request.args[0]), details, askHere, signal });
  }

  /**
   * Calls a method of the user interface for a command. A dialog is no question: its options have `commandSignal` instead of
   * `signal`, which fires when the command ends or closes the dialog. Never rejects.
   */
  async callForCommand(request: UiRequest, command: RunningCommand): Promise<unknown> {
    if (request.method === CLOSE_DIALOG) return this.call(request);
    const context = this.#contextOf(command.sessionID);
    if (request.view) return this.#views.answer(request, request.view, command, showingViews(context));
    if (!dialogOf(request)) return (await invoke(context, request)).value;
    return this.#whileOpen(request, (closed) => {
      const commandSignal = closed ? AbortSignal.any([closed, command.signal]) : command.signal;
      const args = withOptions(request, { commandSignal });
      return untilAborted(commandSignal, async () => (await invoke(context, { ...request, args })).value);
    });
  }

  /** The signal fires when the tool closes the dialog. */
  async #whileOpen<T>({ dialogID }: UiRequest, ask: (signal?: AbortSignal) => Promise<T>): Promise<T> {
    if (dialogID === undefined) return ask();
    const closed = new AbortController();
    this.#dialogs.set(dialogID, closed);
    try {
      return await ask(closed.signal);
    } finally {
      this.#dialogs.delete(dialogID);
    }
  }

  #contextOf(sessionID: string | undefined): UIContext | undefined {
    return (sessionID === undefined ? undefined : this.#ofSessions.get(sessionID)) ?? this.#ofToolbox;
  }
}

/** The method that shows components; undefined if the user interface has none. */
function showingViews(context: UIContext | undefined): ShowView | undefined {
  const custom = methodOf(context, CUSTOM_VIEW);
  return typeof custom === "function" ? (view) => custom.call(context, view) : undefined;
}

/** Opens the dialog in the user interface, which gets the signal in the options of the dialog. */
function asking(context: UIContext | undefined, request: UiRequest): NewQuestion["askHere"] {
  return async (signal) => {
    const args = withOptions(request, { signal });
    const { failed, value } = await invoke(context, { ...request, args });
    if (failed) return undefined;
    return value === undefined ? { allowed: false } : { allowed: true, value };
  };
}

function withOptions({ args: [title, subject, options] }: UiRequest, more: object): unknown[] {
  return [title, subject, { ...(options as object | null | undefined), ...more }];
}

async function invoke(
  context: UIContext | undefined,
  { method, args }: UiRequest,
): Promise<{ readonly value?: unknown; readonly failed?: true }> {
  try {
    const called = methodOf(context, method);
    if (typeof called !== "function") return {};
    const value: unknown = await called.apply(context, args);
    return value === undefined ? {} : { value: JSON.parse(JSON.stringify(value)) };
  } catch {
    return { failed: true };
  }
}

function methodOf(context: UIContext | undefined, method: string): unknown {
  return context && !(method in Object.prototype) ? context[method] : undefined;
}

/** The dialog of a request; undefined for methods that only show something. */
function dialogOf({ method, args: [, subject] }: UiRequest): DialogDetails | undefined {
  const text = subject === undefined || subject === null ? undefined : shownText(subject);
  switch (method) {
    case "select":
      return { kind: "dialog", method, options: Array.isArray(subject) ? subject.map(labelOf) : [] };
    case "confirm":
      return { kind: "dialog", method, ...defined({ message: text }) };
    case "input":
      return { kind: "dialog", method, ...defined({ placeholder: text }) };
    case "editor":
      return { kind: "dialog", method, ...defined({ prefill: text }) };
    default:
      return undefined;
  }
}

/** Agents of the pi family also accept `{ label }`. The answer is the label. */
export function labelOf(option: unknown): string {
  return shownText((option as { label?: unknown } | null)?.label ?? option);
}

/** A value of a tool file as text. */
export function shownText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
