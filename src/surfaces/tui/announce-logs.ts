import { countText } from "../../platform/text/amount-text.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";

/** Text that is printed within this time is one notice. */
const COLLECT_MS = 250;
const MAX_LINES = 10;
/** More text is not collected. */
const MAX_LENGTH = 20_000;

/**
 * Shows what tool files print. A tool that prints much does not fill the transcript: of each moment, the first lines are shown.
 * Returns a function that ends this.
 */
export function announceLogs(toolbox: Pick<Toolbox, "on">, notice: (text: string) => void): () => void {
  let lines: string[] = [];
  let count = 0;
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    timer = undefined;
    const more = count - lines.length;
    notice([...lines, ...(more > 0 ? [`… ${countText(more, "more line")} printed.`] : [])].join("\n"));
    lines = [];
    count = 0;
    length = 0;
  };
  const stop = toolbox.on("log", ({ text }) => {
    const printed = text.trimEnd().split("\n");
    const kept = printed.slice(0, length > MAX_LENGTH ? 0 : MAX_LINES - lines.length);
    lines.push(...kept.map((line) => line.slice(0, MAX_LENGTH)));
    count += printed.length;
    length += text.length;
    timer ??= setTimeout(show, COLLECT_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
