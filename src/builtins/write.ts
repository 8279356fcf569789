import { realpath } from "node:fs/promises";
import { Tool, tool } from "../index.ts";
import { absolute } from "../platform/files/absolute.ts";
import { notAFile, unwritable } from "../platform/files/file-problems.ts";
import { type OpenFile, openToRead } from "../platform/files/open-file.ts";
import { resolveLinks } from "../platform/files/real-path.ts";
import { decode, encodingOf } from "../platform/text/encoding.ts";
import { countLines } from "../platform/text/line-breaks.ts";
import { changeFile } from "./text/change-file.ts";
import { encodeLike } from "./text/encode-like.ts";
import { displayPath, type NamedFile } from "./text/open-existing.ts";
import { guardFor } from "./text/path-guard.ts";
import { changesOf, type Diff, diffData, unifiedDiff } from "./text/unified-diff.ts";

const z = tool.schema;

const LIMITS = {
  /** No diff is made of larger files. */
  comparedBytes: 2_000_000,
  /** The maximum size of the diff in the metadata of the result. */
  diffBytes: 30_000,
};

export default Tool.define("write", {
  parameters: z.object({
    filePath: z
      .string()
      .min(1)
      .describe("The file to write: absolute, or relative to the working directory. Missing folders are created."),
    content: z.string().describe("The whole content of the file."),
  }),
  limits: { own: LIMITS },
  hints: {
    destructive: true,
    idempotent: true,
    openWorld: false,
    card: { kind: "diff", path: "filePath", after: "content", diff: "diff" },
  },
  access: ({ filePath }, { cwd }) => [{ kind: "write", target: absolute(filePath, cwd), named: true }],
  async execute({ filePath, content }, context) {
    const limits = { ...LIMITS, ...context.limits.own };
    const path = absolute(filePath, context.directory);
    const file: NamedFile = { displayName: filePath, path, guard: await guardFor("write", path, context) };
    const title = displayPath(path, "", context);
    const real = await targetOf(file);
    const written = await changeFile(
      {
        file,
        real,
        open: () => openIfThere(file, real),
        change: (old) => (old ? overwrite(old, content, title, limits) : create(content)),
      },
      context,
    );
    return { title, metadata: { filePath: path, ...written.data }, output: written.message(filePath) };
  },
});

interface Written {
  readonly bytes: Buffer | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  message(file: string): string;
}

/** The path to write to: links are followed, also to a file that does not exist yet. */
async function targetOf({ path, displayName, guard }: NamedFile): Promise<string> {
  await realpath(path).catch((error: { code?: unknown }) => {
    if (error.code === "ELOOP") throw unwritable(displayName, error);
  });
  const real = resolveLinks(path);
  await guard(real);
  return real;
}

async function openIfThere({ displayName, guard }: NamedFile, real: string): Promise<OpenFile | undefined> {
  const opening = await openToRead(real, displayName, guard);
  if (opening.kind === "not-a-file") throw notAFile(displayName, opening.what);
  return opening.kind === "file" ? opening : undefined;
}

async function create(content: string): Promise<Written> {
  const bytes = Buffer.from(content);
  const data = { created: true, bytes: bytes.length };
  return { bytes, data, message: (file) => `Created ${file} (${sizeOf(content, bytes)}).` };
}

async function overwrite(old: OpenFile, content: string, name: string, limits: typeof LIMITS): Promise<Written> {
  const before = await bytesOf(old, Math.max(limits.comparedBytes, content.length * 4));
  const { bytes, notes } = encodeLike(before, content);
  if (BigInt(bytes.length) === old.stats.size && before.equals(bytes)) return UNCHANGED;
  const diff = old.stats.size > limits.comparedBytes ? undefined : await compare(name, before, content, limits);
  const changes = diff ? `, ${changesOf(diff)}` : "";
  return {
    bytes,
    data: { created: false, bytes: bytes.length, ...(diff ? diffData(diff) : {}) },
    message: (file) => [`Overwrote ${file} (${sizeOf(content, bytes)}${changes}).`, ...notes].join(" "),
  };
}

const UNCHANGED: Written = {
  bytes: undefined,
  data: { created: false, changed: false, diff: "" },
  message: (file) => `${file} already has this content. Nothing was changed.`,
};

/** The content, or a sample of its beginning. */
async function bytesOf({ handle, stats }: OpenFile, maxBytes: number): Promise<Buffer> {
  const length = stats.size > maxBytes ? SAMPLE : Number(stats.size);
  const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(length), position: 0 });
  return buffer.subarray(0, bytesRead);
}

const SAMPLE = 64 * 1024;

/** Undefined when the old content is binary. */
async function compare(name: string, before: Buffer, after: string, limits: typeof LIMITS): Promise<Diff | undefined> {
  const encoding = encodingOf(before);
  return encoding && unifiedDiff(name, decode(before, encoding), after, limits.diffBytes);
}

function sizeOf(content: string, bytes: Buffer): string {
  const lines = countLines(content);
  return `${lines} ${lines === 1 ? "line" : "lines"}, ${bytes.length} ${bytes.length === 1 ? "byte" : "bytes"}`;
}
