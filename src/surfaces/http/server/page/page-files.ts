import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type ContentEncoding = "br" | "gzip" | "identity";

/** The bytes of a file in one encoding. */
export interface EncodedFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
  /** Whether the name contains a hash of the content. */
  readonly isHashed: boolean;
}

const INDEX = "/index.html";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * The files of the built page. A file is found by its exact path in a list of the folder, so that no path leads out of it.
 * Each is read and compressed once, on its first use. After a new build, the list is read again.
 */
export class PageFiles {
  readonly #folder: string;
  #paths: ReadonlySet<string> = new Set();
  #encoded = new Map<string, Promise<EncodedFile | undefined>>();
  #builtAt: number | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The page itself. Undefined if it is not built. */
  index(encoding: ContentEncoding): Promise<EncodedFile | undefined> {
    this.#update();
    return this.get(INDEX, encoding);
  }

  /** A file by its path, such as `/assets/app.js`. Undefined if there is none. Never rejects. */
  async get(path: string, encoding: ContentEncoding): Promise<EncodedFile | undefined> {
    if (this.#builtAt === undefined) this.#update();
    if (!this.#paths.has(path)) return undefined;
    const key = `${encoding} ${path}`;
    const known = this.#encoded.get(key) ?? readEncoded(join(this.#folder, path), encoding);
    this.#encoded.set(key, known);
    return known;
  }

  #update(): void {
    const builtAt = statSync(join(this.#folder, INDEX), { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === this.#builtAt) return;
    this.#builtAt = builtAt;
    this.#encoded = new Map();
    this.#paths = builtAt === undefined ? new Set() : pathsIn(this.#folder);
  }
}

function pathsIn(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(
    ({ parentPath, name }) => `/${relative(folder, join(parentPath, name)).replaceAll(sep, "/")}`,
  );
  return new Set(paths.filter((path) => extname(path) in TYPES));
}

/** Undefined if the file has been removed since it was listed. */
async function readEncoded(file: string, encoding: ContentEncoding): Promise<EncodedFile | undefined> {
  const content = await readFile(file).catch(() => undefined);
  if (!content) return undefined;
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 16);
  return {
    bytes: await encoded(content, encoding),
    type: TYPES[extname(file)] ?? "application/octet-stream",
    etag: `"${hash}-${encoding}"`,
    isHashed: /[\\/]assets[\\/][^\\/]+-[\w-]{8,}\.\w+$/.test(file),
  };
}

async function encoded(content: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  if (encoding === "br") return promisify(brotliCompress)(content, { params: BROTLI });
  return encoding === "gzip" ? promisify(gzip)(content, { level: 9 }) : content;
}

/** Quality 11 takes seconds for the scripts of the page, and saves a few percent more. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 9 };
