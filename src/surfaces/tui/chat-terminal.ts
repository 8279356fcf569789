import { ProcessTerminal, type TUI } from "@earendil-works/pi-tui";

/** Control characters of eight bits. Keys have none; in a pasted text, some terminals would act on them. */
const C1 = /[\x80-\x9f]/g;

/**
 * The terminal of this process, without automatic line breaks. Terminals and pi-tui measure some characters differently, such as
 * emoji with skin tones: a line that is too wide would take two rows, and everything that is drawn later would be a row off.
 */
export class ChatTerminal extends ProcessTerminal {
  override start(onInput: (data: string) => void, onResize: () => void): void {
    super.start((data) => onInput(data.replace(C1, "")), onResize);
    this.write("\x1b[?7l");
  }

  override stop(): void {
    this.write("\x1b[?7h");
    super.stop();
  }
}

/** A process that runs this long after it was suspended was not suspended, or is continued. */
const RESUME_MS = 100;

/** Suspends the program as Ctrl-Z does in a shell, with the terminal restored, and draws the screen again when it is continued. */
export function suspendChat(tui: TUI, isEnded: () => boolean): void {
  if (process.platform === "win32") return;
  tui.stop();
  let isResumed = false;
  const resume = (): void => {
    process.off("SIGCONT", resume);
    if (isResumed || isEnded()) return;
    isResumed = true;
    tui.start();
    tui.requestRender(true);
  };
  process.on("SIGCONT", resume);
  // All processes of the job: a shell waits for the first one, such as npx.
  process.kill(0, "SIGTSTP");
  // The signal has no effect where no shell could continue the job. Without input, only this timer keeps the process alive.
  setTimeout(resume, RESUME_MS);
}
