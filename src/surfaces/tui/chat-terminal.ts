import { ProcessTerminal } from "@earendil-works/pi-tui";

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
