import type { BigIntStats } from "node:fs";
import { constants, type FileHandle, lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { messageOf } from "../../core/error.ts";
import type { ToolReturn } from "../../core/tool.ts";
import { fromProject, type Handler, type HandlerSetup, type Input } from "./handler.ts";
import { imageType, utf8Of } from "./image-type.ts";
import type { FileReadHandlerConfig } from "./plugin-file.ts";
import { PluginProblem } from "./plugin-issue.ts";

const MAX_SIZE = 1024 * 1024;

/** Reads one file inside a folder: text, or a picture. */
export function fileReadHandler(config: FileReadHandlerConfig, { fields }: HandlerSetup): Handler {
  if (!fields.has("path")) {
    throw new PluginProblem(
      ["inputSchema"],
      'inputSchema has no property "path", which names the file to a "file-read" handler. Add it: "path": { "type": "string" }.',
    );
  }
  return {
    hints: { readOnly: true, openWorld: false },
    access: (input, cwd) => [{ kind: "read", target: targetOf(input, fromProject(cwd, config.basePath)) }],
    async run(input, { directory }) {
      const base = fromProject(directory, config.basePath);
      return read(targetOf(input, base), base, String(input.path), config.maxSize ?? MAX_SIZE);
    },
  };
}

function targetOf({ path }: Input, base: string): string {
  if (typeof path !== "string" || path === "") throw new Error('Send the file to read as "path", a text.');
  if (path.includes("\0")) throw new Error('"path" contains a NUL byte. Leave it out.');
  const target = resolve(base, path);
  if (!isInside(base, target)) throw outside(path);
  return target;
}

async function read(target: string, base: string, path: string, maxSize: number): Promise<ToolReturn> {
  const realBase = await realpath(base).catch(() => {
    throw new Error(`The folder of this tool, ${base}, does not exist. Create it, or correct handler.basePath.`);
  });
  const real = await realpath(target).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!isInside(realBase, real)) throw outside(path);
  // A pipe or a device may act, or wait, when it is opened.
  refuseSpecial(await lstat(real, { bigint: true }), path);
  const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)).catch(
    (error: unknown) => {
      throw unreadable(path, error);
    },
  );
  try {
    await refuseSwapped(file, real, realBase, path);
    return toReturn(await readAtMost(file, maxSize, path), path);
  } finally {
    await file.close();
  }
}

/**
 * Folders may have been exchanged for links since the path was checked, and be exchanged again while we look. Linux says
 * what is open; elsewhere it must still be what is there.
 */
async function refuseSwapped(file: FileHandle, real: string, realBase: string, path: string): Promise<void> {
  const opened = await file.stat({ bigint: true });
  refuseSpecial(opened, path);
  const told = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (told !== undefined && !isInside(realBase, told)) throw outside(path);
  if (told !== undefined) return;
  const now = await realpath(real).catch(() => "");
  const there = now === "" ? undefined : await stat(now, { bigint: true }).catch(() => undefined);
  if (!isInside(realBase, now) || there?.ino !== opened.ino || there.dev !== opened.dev) throw outside(path);
}

function refuseSpecial(stats: BigIntStats, path: string): void {
  if (stats.isFile()) return;
  const what = stats.isDirectory()
    ? "a folder"
    : stats.isFIFO()
      ? "a pipe"
      : stats.isSocket()
        ? "a socket"
        : "a device";
  throw new Error(`"${path}" is ${what}, not a file. Send the path of a file.`);
}

/** No more than the limit is read, even from a file that grows meanwhile. */
async function readAtMost(file: FileHandle, maxSize: number, path: string): Promise<Buffer> {
  const { size } = await file.stat();
  if (size > maxSize) throw tooLarge(path, `has ${size} bytes`, maxSize);
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const { bytesRead, buffer } = await file
      .read({ buffer: Buffer.allocUnsafe(64 * 1024), position: null })
      .catch((error: unknown) => {
        throw unreadable(path, error);
      });
    if (bytesRead === 0) return Buffer.concat(chunks);
    total += bytesRead;
    if (total > maxSize) throw tooLarge(path, "grew while it was read", maxSize);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

function toReturn(bytes: Buffer, path: string): ToolReturn {
  const mimeType = imageType(bytes);
  if (mimeType) return { content: [{ type: "image", data: bytes.toString("base64"), mimeType }] };
  const text = utf8Of(bytes);
  if (text !== undefined) return text;
  throw new Error(`"${path}" is a binary file of ${bytes.length} bytes. This tool reads text in UTF-8, and pictures.`);
}

/** Whether an absolute path is that folder or below it. */
function isInside(folder: string, path: string): boolean {
  if (!isAbsolute(path)) return false;
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(path: string): Error {
  return new Error(`"${path}" is outside the folder that this tool may read. Send a path inside it.`);
}

function tooLarge(path: string, how: string, maxSize: number): Error {
  return new Error(
    `"${path}" ${how}, and this tool reads files of at most ${maxSize} bytes. Read another way, or have handler.maxSize raised.`,
  );
}

function unreadable(path: string, error: unknown): Error {
  const { code } = error as { code?: unknown };
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG")
    return new Error(`There is no file "${path}". Check the path.`);
  if (code === "EACCES" || code === "EPERM") return new Error(`"${path}" may not be read. Check its permissions.`);
  return new Error(`"${path}" cannot be read: ${messageOf(error)}`);
}
