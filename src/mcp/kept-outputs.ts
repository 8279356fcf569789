import { readFile, stat } from "node:fs/promises";
import { type ReadResourceResult, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { toData } from "./resource-data.ts";

/** A file that belongs to a result, and that is left to be read. */
export interface Kept {
  readonly path: string;
  readonly mimeType: string;
}

/** Sessions that are remembered, and files of one that it can read; the oldest are forgotten first. */
const MOST = 1_000;

/** The files that results of a session have left behind, by the addresses that the session was given. Nothing else can be read. */
export class KeptOutputs {
  readonly #sessions = new Map<string, Map<string, Kept>>();

  /** The address under which a session can read the file from now on. */
  keep(sessionID: string, kept: Kept): string {
    const own = this.#sessions.get(sessionID) ?? new Map<string, Kept>();
    const uri = `toolwright://outputs/${crypto.randomUUID()}`;
    add(this.#sessions, sessionID, own);
    add(own, uri, kept);
    return uri;
  }

  /** What stands there; undefined for an address of another kind. Rejects where it cannot be read. */
  async read(sessionID: string, uri: string, most: number): Promise<ReadResourceResult | undefined> {
    if (!uri.startsWith("toolwright://outputs/")) return undefined;
    const kept = this.#sessions.get(sessionID)?.get(uri);
    const size = kept && (await sizeOf(kept.path));
    if (!kept || size === undefined) {
      throw new ResourceNotFoundError(
        uri,
        "There is no such output in this session, or it has been deleted meanwhile.",
      );
    }
    if (size > most) {
      throw new ResourceNotFoundError(
        uri,
        `It has ${size} bytes, more than can be sent at once. Read the file ${kept.path}.`,
      );
    }
    return { contents: [{ uri, mimeType: kept.mimeType, ...toData(await readFile(kept.path), kept.mimeType) }] };
  }

  forget(sessionID: string): void {
    this.#sessions.delete(sessionID);
  }
}

function add<V>(to: Map<string, V>, key: string, value: V): void {
  to.delete(key);
  to.set(key, value);
  const [oldest] = to.keys();
  if (to.size > MOST && oldest !== undefined) to.delete(oldest);
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (stats) => stats.size,
    () => undefined,
  );
}
