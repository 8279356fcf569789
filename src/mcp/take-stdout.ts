import { Writable } from "node:stream";

/**
 * Takes the process's stdout for a protocol. From now on whatever else writes there, a library or a tool that runs in
 * this process, writes to stderr instead.
 */
export function takeStdout({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr"> = process): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  const taken = new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, done) => void write(chunk, encoding, done),
  });
  // A reader that is gone is told to each write as well.
  stdout.on("error", () => {});
  return taken;
}
