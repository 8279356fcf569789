/**
 * What a command wrote, as a terminal would show it in black and white: without escape sequences, and of a line that was
 * drawn several times over, as progress bars are, only the last state. Everything else stays as it is.
 */
export function asShown(written: string): string {
  const plain = written.includes("\x1b") ? written.replace(ESCAPE_SEQUENCE, "") : written;
  return plain.includes("\r") ? plain.split("\n").map(lastState).join("\n") : plain;
}

/**
 * Control sequences, strings that a terminal takes for itself (a title, a link), what is left of one that was cut
 * off, and the short ones. None goes beyond the next escape, and what one part takes the next cannot: the time is that of
 * one pass.
 */
const ESCAPE_SEQUENCE =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[PX^_][^\x1b\n]*\x1b\\|\[?[0-?]*$|[ -/]*[0-~])/g;

/** Carriage returns at the end of a line belong to its end. */
function lastState(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === "\r") end--;
  return end === 0 ? line : line.slice(line.lastIndexOf("\r", end - 1) + 1);
}
