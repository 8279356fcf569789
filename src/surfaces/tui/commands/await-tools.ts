import type { ChatActions } from "../chat-actions.ts";

/** After this time, a line says what is waited for. */
const SLOW_MS = 1_000;

/** Waits for work on tool files, and says so if it takes longer than a second. */
export async function awaitTools<T>(chat: Pick<ChatActions, "notice">, work: Promise<T> | T): Promise<T> {
  const timer = setTimeout(() => chat.notice("Reading the tool files …"), SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
