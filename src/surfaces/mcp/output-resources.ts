import { readFile, stat } from "node:fs/promises";
import { type ReadResourceResult, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { toResourceContent } from "./resource-data.ts";

/** A file with the full output or an attachment of a result. */
interface OutputFile {
  readonly path: string;
  readonly mimeType: string;
}

/** The limit of sessions, and of files per session. Beyond it the oldest can no longer be read. */
const MAX_ENTRIES = 1_000;

/** Output files that a session can read as resources, by the random URI in the result. */
export class OutputResources {
  readonly #sessions = new Map<string, Map<string, OutputFile>>();

  /** Returns the URI by which the session can read the file. */
  add(sessionID: string, file: OutputFile): string {
    const files = this.#sessions.get(sessionID) ?? new Map<string, OutputFile>();
    const uri = `toolwright://outputs/${crypto.randomUUID()}`;
    setBounded(this.#sessions, sessionID, files);
    setBounded(files, uri, file);
    return uri;
  }

  /** Resolves with undefined for a URI of another kind. Rejects if the file cannot be read or is larger than `maxBytes`. */
  async read(sessionID: string, uri: string, maxBytes: number): Promise<ReadResourceResult | undefined> {
    if (!uri.startsWith("toolwright://outputs/")) return undefined;
    const file = this.#sessions.get(sessionID)?.get(uri);
    const size = file && (await sizeOf(file.path));
    if (!file || size === undefined) {
      throw new ResourceNotFoundError(
        uri,
        "There is no such output in this session, or it has been deleted meanwhile.",
      );
    }
    if (size > maxBytes) {
      throw new ResourceNotFoundError(
        uri,
        `It has ${size} bytes, more than can be sent at once. Read the file ${file.path}.`,
      );
    }
    return {
      contents: [{ uri, mimeType: file.mimeType, ...toResourceContent(await readFile(file.path), file.mimeType) }],
    };
  }

  deleteSession(sessionID: string): void {
    this.#sessions.delete(sessionID);
  }
}

function setBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_ENTRIES && oldest !== undefined) map.delete(oldest);
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (stats) => stats.size,
    () => undefined,
  );
}
