import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { textOf } from "../../core/result.ts";
import { withFileMutationQueue } from "../../platform/files/file-queue.ts";
import { defined } from "../../platform/values/defined.ts";
import { Type } from "./lazy-typebox.ts";
import {
  type Execution,
  type PiResult,
  type PiTool,
  pathFor,
  piTool,
  type Ran,
  resolvePiPath,
  textResult,
  throwIfAborted,
} from "./pi-tool.ts";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, formatSize, truncateHead } from "./truncate-text.ts";

/** Reads files for the tool `read` of pi. */
export interface ReadOperations {
  readFile(path: string): Promise<Buffer>;
  access(path: string): Promise<void>;
  detectImageMimeType?(path: string): Promise<string | null | undefined>;
}

/** Writes files for the tool `write` of pi. */
export interface WriteOperations {
  writeFile(path: string, content: string): Promise<void>;
  mkdir(path: string): Promise<void>;
}

interface ReadParameters {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}

export function createReadTool(cwd?: string, options: { readonly operations?: ReadOperations } = {}): PiTool {
  return piTool<ReadParameters>(cwd, {
    name: "read",
    description: `Read the contents of a file. Supports text files and images (jpg, png, gif, webp). Images are sent as attachments. For text files, output is truncated to ${DEFAULT_MAX_LINES} lines or ${DEFAULT_MAX_BYTES / 1024}KB (whichever is hit first). Use offset/limit for large files.`,
    promptSnippet: "Read file contents",
    parameters: Type.Object({
      path: Type.String({ description: "Path to the file to read (relative or absolute)" }),
      offset: Type.Optional(Type.Number({ description: "Line number to start reading from (1-indexed)" })),
      limit: Type.Optional(Type.Number({ description: "Maximum number of lines to read" })),
    }),
    shown: "path",
    execute: (params, execution) =>
      options.operations ? readOver(options.operations, params, execution) : readBuiltin(params, execution),
  });
}

export const createReadToolDefinition: typeof createReadTool = createReadTool;

async function readBuiltin({ path, offset, limit }: ReadParameters, execution: Execution): Promise<PiResult> {
  const filePath = pathFor(path, execution);
  const lines = defined({ limit });
  const first = defined({ offset });
  const result = await execution.run("read", { filePath, ...first, ...lines });
  if (result.content.some(({ type }) => type !== "text")) return attachment(result);
  return withoutNumbers(result, { first: Math.max(1, offset ?? 1), limit, path: resolvePiPath(path, execution.cwd) });
}

/** Pi puts a text before an image. */
function attachment({ content }: Ran): PiResult {
  const [image] = content.filter(({ type }) => type === "image");
  const note = image?.type === "image" ? [{ type: "text" as const, text: `Read image file [${image.mimeType}]` }] : [];
  return {
    content: [...note, ...content.filter(({ type }) => image === undefined || type !== "text")],
    details: undefined,
  };
}

const NUMBERED = /^ *\d+\t/;

/** The built-in tool numbers the lines and adds notes. Pi returns the text alone. */
async function withoutNumbers(
  result: Ran,
  { first, limit, path }: { first: number; limit: number | undefined; path: string },
): Promise<PiResult> {
  const { lines, totalLines } = Object(result.data) as { lines?: number; totalLines?: number };
  const shown = textOf(result.content);
  const numbered = shown.split("\n").slice(0, lines);
  // A hook may have changed the text.
  if (lines === undefined || !numbered.every((line) => NUMBERED.test(line))) return textResult(shown);
  const content = numbered.map((line) => line.replace(NUMBERED, "")).join("\n");
  const last = first + lines - 1;
  if (totalLines !== undefined && last >= totalLines) return textResult(content + (await lastLineFeed(path)));
  const next = `Use offset=${last + 1} to continue.`;
  if (limit !== undefined && totalLines !== undefined) {
    return textResult(`${content}\n\n[${totalLines - last} more lines in file. ${next}]`);
  }
  const of = totalLines === undefined ? "" : ` of ${totalLines}`;
  const truncation = {
    ...truncateHead(content),
    truncated: true,
    truncatedBy: "lines",
    totalLines: totalLines ?? last + 1,
  };
  return textResult(`${content}\n\n[Showing lines ${first}-${last}${of}. ${next}]`, { truncation });
}

/** A line feed if the file ends with one. The file has just been read with permission. */
async function lastLineFeed(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY).catch(() => undefined);
  try {
    const size = (await handle?.stat())?.size ?? 0;
    if (!handle || size === 0) return "";
    const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 });
    return buffer[0] === 0x0a ? "\n" : "";
  } finally {
    await handle?.close();
  }
}

/** Reads a file with operations of the author. No built-in tool is called. */
async function readOver(
  operations: ReadOperations,
  { path, offset, limit }: ReadParameters,
  { cwd, signal }: Execution,
): Promise<PiResult> {
  throwIfAborted(signal);
  const absolute = resolvePiPath(path, cwd);
  await operations.access(absolute);
  const mimeType = await operations.detectImageMimeType?.(absolute);
  const bytes = Buffer.from(await operations.readFile(absolute));
  throwIfAborted(signal);
  if (mimeType) {
    return {
      content: [
        { type: "text", text: `Read image file [${mimeType}]` },
        { type: "image", data: bytes.toString("base64"), mimeType },
      ],
      details: undefined,
    };
  }
  const all = bytes.toString("utf8").split("\n");
  const start = Math.max(0, (offset ?? 1) - 1);
  if (start >= all.length) throw new Error(`Offset ${offset} is beyond end of file (${all.length} lines total)`);
  const end = limit === undefined ? all.length : Math.min(start + limit, all.length);
  const truncation = truncateHead(all.slice(start, end).join("\n"));
  if (truncation.firstLineExceedsLimit) {
    const limitText = formatSize(DEFAULT_MAX_BYTES);
    return textResult(`[Line ${start + 1} exceeds the limit of ${limitText}. Read it with bash.]`, { truncation });
  }
  const last = start + truncation.outputLines;
  const next = `Use offset=${last + 1} to continue.`;
  if (truncation.truncated) {
    const limitText = truncation.truncatedBy === "bytes" ? ` (${formatSize(DEFAULT_MAX_BYTES)} limit)` : "";
    const notice = `[Showing lines ${start + 1}-${last} of ${all.length}${limitText}. ${next}]`;
    return textResult(`${truncation.content}\n\n${notice}`, { truncation });
  }
  if (end < all.length)
    return textResult(
      `${truncation.content}\n\n[${all.length - end} more lines in file. Use offset=${end + 1} to continue.]`,
    );
  return textResult(truncation.content);
}

interface WriteParameters {
  readonly path: string;
  readonly content: string;
}

export function createWriteTool(cwd?: string, options: { readonly operations?: WriteOperations } = {}): PiTool {
  return piTool<WriteParameters>(cwd, {
    name: "write",
    description:
      "Write content to a file. Creates the file if it doesn't exist, overwrites if it does. Automatically creates parent directories.",
    promptSnippet: "Create or overwrite files",
    parameters: Type.Object({
      path: Type.String({ description: "Path to the file to write (relative or absolute)" }),
      content: Type.String({ description: "Content to write to the file" }),
    }),
    shown: "path",
    execute: async ({ path, content }, execution) => {
      const { operations } = options;
      if (operations) await writeOver(operations, resolvePiPath(path, execution.cwd), content, execution);
      else await execution.run("write", { filePath: pathFor(path, execution), content });
      return textResult(`Successfully wrote to ${path}`);
    },
  });
}

export const createWriteToolDefinition: typeof createWriteTool = createWriteTool;

function writeOver(operations: WriteOperations, path: string, content: string, { signal }: Execution): Promise<void> {
  return withFileMutationQueue(path, async () => {
    throwIfAborted(signal);
    await operations.mkdir(dirname(path));
    throwIfAborted(signal);
    await operations.writeFile(path, content);
  });
}
