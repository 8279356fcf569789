import { Writable } from "node:stream";

/**
 * Takes the process's stdout for a protocol. From now on whatever else writes there, a library or a tool that runs in
 * this process, is reported on stderr instead.
 */
export function takeStdout(
  stderr: { report(text: string): void },
  { stdout }: Pick<NodeJS.Process, "stdout"> = process,
): Writable {
  // The first report bounds what anything in this process writes to stderr.
  stderr.report("");
  const write = stdout.write.bind(stdout);
  stdout.write = ((chunk: string | Uint8Array, ...more: unknown[]) => {
    stderr.report(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
    const done = more.at(-1);
    if (typeof done === "function") process.nextTick(done as () => void);
    return true;
  }) as typeof stdout.write;
  const taken = new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, done) => void write(chunk, encoding, done),
  });
  // A reader that is gone is told to each write as well.
  stdout.on("error", () => {});
  return taken;
}
