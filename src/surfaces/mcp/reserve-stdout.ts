import { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/**
 * Reserves the process's stdout for a protocol. Other writes to stdout, by libraries or by tools that run in this process, go
 * to stderr from now on.
 */
export function reserveStdout(
  stderr: { report(text: string): void },
  { stdout }: Pick<NodeJS.Process, "stdout"> = process,
): Writable {
  // The first report limits all writes of this process to stderr.
  stderr.report("");
  const write = stdout.write.bind(stdout);
  const decoder = new StringDecoder("utf8");
  stdout.write = ((chunk: string | Uint8Array, ...more: unknown[]) => {
    stderr.report(typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk)));
    const done = more.at(-1);
    if (typeof done === "function") process.nextTick(done as () => void);
    return true;
  }) as typeof stdout.write;
  const protocolOutput = new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, done) => void write(chunk, encoding, done),
  });
  // A closed pipe is reported to each write as well.
  stdout.on("error", () => {});
  return protocolOutput;
}
