import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { ToolError } from "../../../core/error.ts";
import type { ToolReturn } from "../../../core/tool.ts";
import { notAFile, unreadable } from "../../../platform/files/file-problems.ts";
import { isInside } from "../../../platform/files/inside.ts";
import { type OpenFile, openToRead } from "../../../platform/files/open-file.ts";
import { readAtMost } from "../../../platform/files/read-bytes.ts";
import { fromProject, type Handler, type HandlerSetup, type Input } from "./handler.ts";
import { imageType, utf8Of } from "./image-type.ts";
import type { FileReadHandlerConfig } from "./plugin-file.ts";
import { PluginProblem } from "./plugin-issue.ts";

const MAX_SIZE = 1024 * 1024;

/** Reads one text file or image inside a folder. */
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
  if (path.includes("\0")) throw new Error('"path" contains a NUL byte. Remove it.');
  const target = resolve(base, path);
  if (!isInside(base, target)) throw outside(path);
  return target;
}

async function read(target: string, base: string, path: string, maxSize: number): Promise<ToolReturn> {
  const realBase = await realpath(base).catch(() => {
    throw new Error(`The folder of this tool, ${base}, does not exist. Create it, or correct handler.basePath.`);
  });
  const opening = await openToRead(target, path, (real) => {
    if (!isInside(realBase, real)) throw outside(path);
  });
  if (opening.kind === "missing") throw new Error(`There is no file "${path}". Check the path.`);
  if (opening.kind === "not-a-file") throw notAFile(path, opening.what);
  try {
    return toReturn(await bytesOf(opening, maxSize, path), path);
  } finally {
    await opening.handle.close();
  }
}

/** Reads at most `maxSize` bytes, even from a growing file. */
async function bytesOf({ handle, stats }: OpenFile, maxSize: number, path: string): Promise<Buffer> {
  if (stats.size > maxSize) throw tooLarge(path, `has ${stats.size} bytes`, maxSize);
  const bytes = await readAtMost(handle, maxSize).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!bytes) throw tooLarge(path, "grew while it was read", maxSize);
  return bytes;
}

function toReturn(bytes: Buffer, path: string): ToolReturn {
  const mimeType = imageType(bytes);
  if (mimeType) return { content: [{ type: "image", data: bytes.toString("base64"), mimeType }] };
  const text = utf8Of(bytes);
  if (text !== undefined) return text;
  throw new Error(`"${path}" is a binary file of ${bytes.length} bytes. This tool reads UTF-8 text and images.`);
}

function outside(path: string): ToolError {
  return new ToolError("failed", `"${path}" is outside the folder that this tool may read. Send a path inside it.`);
}

function tooLarge(path: string, how: string, maxSize: number): Error {
  return new Error(
    `"${path}" ${how}, and this tool reads files of at most ${maxSize} bytes. Read the file in another way, or ask the author of the tool to raise handler.maxSize.`,
  );
}
