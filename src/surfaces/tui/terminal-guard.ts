import { messageOf } from "../../core/error.ts";
import { printable } from "../../platform/text/printable.ts";

/** What ends a chat from outside. */
interface GuardOptions {
  /** Restores the terminal. May be called more than once. */
  readonly restore: () => void;
  /** Ends the chat in order; the process exits with this code afterwards. */
  readonly leave: (code: number) => void;
  /** Whether the chat is being ended: SIGINT does not wait for it. */
  readonly isLeaving: () => boolean;
}

/**
 * Restores the terminal however the process ends: by a signal, an error that is not caught, or `process.exit`. Only SIGKILL leaves
 * it as it is. A terminal that is gone ends the chat too, also without a signal. Returns a function that ends this.
 */
export function guardTerminal({ restore, leave, isLeaving }: GuardOptions): () => void {
  const interrupted = (): void => (isLeaving() ? process.exit(130) : leave(130));
  const terminated = (): void => leave(143);
  const hungUp = (): void => leave(129);
  const crashed = (error: unknown): void => {
    restore();
    process.stderr.write(`toolwright: The chat has ended because of an error: ${printable(messageOf(error))}\n`);
    if (error instanceof Error && error.stack) process.stderr.write(`${printable(error.stack)}\n`);
    process.exit(1);
  };
  process.on("exit", restore);
  process.on("SIGINT", interrupted).on("SIGTERM", terminated).on("SIGHUP", hungUp);
  process.on("uncaughtException", crashed).on("unhandledRejection", crashed);
  process.stdin.on("end", hungUp).on("error", hungUp);
  process.stdout.on("error", hungUp);
  return () => {
    process.stdin.off("end", hungUp).off("error", hungUp);
    process.stdout.off("error", hungUp);
    process.off("exit", restore);
    process.off("SIGINT", interrupted).off("SIGTERM", terminated).off("SIGHUP", hungUp);
    process.off("uncaughtException", crashed).off("unhandledRejection", crashed);
  };
}
