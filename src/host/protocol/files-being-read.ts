import { delimiter } from "node:path";

/** Names the files that a host is reading to the programs that they start. */
const VARIABLE = "TOOLWRIGHT_READING";

type Variables = Record<string, string | undefined>;

/** The files that started this process, directly or not, while they were read. */
export function filesBeingRead(env: Variables): readonly string[] {
  return (env[VARIABLE] ?? "").split(delimiter).filter((file) => file !== "");
}

/** Adds a file for as long as `read` takes: a call that it makes through a program of its own would wait for itself. */
export async function whileReading<T>(file: string, env: Variables, read: () => Promise<T>): Promise<T> {
  env[VARIABLE] = [...filesBeingRead(env), file].join(delimiter);
  try {
    return await read();
  } finally {
    const left = filesBeingRead(env);
    const at = left.lastIndexOf(file);
    const others = left.filter((_, index) => index !== at);
    if (others.length === 0) delete env[VARIABLE];
    else env[VARIABLE] = others.join(delimiter);
  }
}
