import { askForm, type FormAnswer, type FormDialogs } from "../../../platform/forms/ask-form.ts";
import { readForm, UnreadableForm } from "../../../platform/forms/read-form.ts";
import { type AgentDialogs, Unanswered } from "../agent-dialogs.ts";
import { stringOf } from "./acp-program.ts";

/** The longest address that a person can check. */
const MAX_URL = 2_000;

/** The answer to `elicitation/create`, or why there is none, for the model. */
export type Elicited = FormAnswer | { readonly action: "accept" | "decline" } | { readonly refused: string };

/** Shows a form, or an address to open, as dialogs. Answers "cancel" once the signal has fired. */
export async function elicit(
  params: Readonly<Record<string, unknown>>,
  dialogs: AgentDialogs,
  signal: AbortSignal,
): Promise<Elicited> {
  try {
    if (params.mode === "url") return await askToOpen(params, dialogs);
    if (params.mode !== "form") throw new UnreadableForm('its "mode" must be "form" or "url".');
    return await askForm(readForm(params), formDialogs(dialogs), "Your agent asks");
  } catch (error) {
    if (signal.aborted) return { action: "cancel" };
    if (error instanceof UnreadableForm) return { refused: error.message };
    if (!(error instanceof Unanswered)) throw error;
    return error.kind === "closed" ? { action: "decline" } : { refused: error.message };
  }
}

/** Closing a dialog ends the form: `AgentDialogs` rejects. */
function formDialogs(dialogs: AgentDialogs): FormDialogs {
  let notice = "";
  const titled = (title: string): string => {
    const text = notice + title;
    notice = "";
    return text;
  };
  return {
    select: (title, options) => dialogs.select(titled(title), options),
    confirm: (title, message) => dialogs.confirm(titled(title), message),
    input: (title, placeholder) => dialogs.input(titled(title), placeholder),
    notify: (message) => {
      notice = `${message}\n`;
    },
  };
}

/** Names the address. The person opens it: a program that opens it for them would let a model choose what a browser loads. */
async function askToOpen(params: Readonly<Record<string, unknown>>, dialogs: AgentDialogs): Promise<Elicited> {
  const { host, href } = addressOf(params.url);
  const message = stringOf(params.message) ?? "";
  const address = `Address: ${href}\nIt belongs to ${host}. Open it yourself if you trust that, and answer yes when you are done.`;
  const isDone = await dialogs.confirm(message === "" ? `Open an address of ${host}` : message, address);
  return { action: isDone ? "accept" : "decline" };
}

/** The address as a browser reads it: letters of other scripts in its host are encoded. */
function addressOf(given: unknown): URL {
  const text = stringOf(given) ?? "";
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new UnreadableForm(`"url" must be an http or https address of at most ${MAX_URL} characters.`);
  }
  if (url.username !== "" || url.password !== "") throw new UnreadableForm('"url" must not contain a user name.');
  return url;
}
