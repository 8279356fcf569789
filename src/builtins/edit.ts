import { Tool, type ToolContext, ToolError, tool } from "../index.ts";
import { absolute } from "../platform/files/absolute.ts";
import type { OpenFile } from "../platform/files/open-file.ts";
import { readAtMost } from "../platform/files/read-bytes.ts";
import { decode, type Encoding, encode, encodingOf } from "../platform/text/encoding.ts";
import { changeFile } from "./text/change-file.ts";
import { type Edit, editText, invalidEdit } from "./text/edit-text.ts";
import { displayPath, type NamedFile, openExisting } from "./text/open-existing.ts";
import { guardFor } from "./text/path-guard.ts";
import { changesOf, type Diff, diffData, unifiedDiff } from "./text/unified-diff.ts";

const z = tool.schema;

const LIMITS = {
  /** Larger files are refused, because several copies of the text are in memory. */
  fileBytes: 10_000_000,
  /** The maximum size of the diff in the result. */
  diffBytes: 20_000,
};

export default Tool.define("edit", {
  parameters: z.object({
    filePath: z.string().min(1).describe("The file to change: absolute, or relative to the working directory."),
    oldString: z.string().describe("The text to replace, exactly as in the file."),
    newString: z.string().describe("The text that takes its place."),
    replaceAll: z
      .boolean()
      .optional()
      .describe("Whether to replace every occurrence. Otherwise oldString must occur exactly once."),
  }),
  limits: { own: LIMITS },
  hints: {
    destructive: true,
    openWorld: false,
    card: { kind: "diff", path: "filePath", before: "oldString", after: "newString", diff: "diff" },
  },
  access: ({ filePath }, { cwd }) => [{ kind: "write", target: absolute(filePath, cwd), named: true }],
  async execute({ filePath, oldString, newString, replaceAll = false }, context) {
    const limits = { ...LIMITS, ...context.limits.own };
    const edit: Edit = { oldString, newString, replaceAll, displayName: filePath };
    const wrong = invalidEdit(edit);
    if (wrong) throw wrong;
    const path = absolute(filePath, context.directory);
    const file: NamedFile = { displayName: filePath, path, guard: await guardFor("write", path, context) };
    const open = (): Promise<OpenFile> => openExisting(file, context);
    const edited = await changeFile(
      { file, real: path, open, change: (old) => change(old, edit, limits, context) },
      context,
    );
    const title = displayPath(path, "", context);
    const diff = await unifiedDiff(title, edited.before, edited.after, limits.diffBytes);
    const metadata = { filePath: path, replacements: edited.lines.length, ...diffData(diff) };
    return { title, metadata, output: outputOf(edit, edited.lines, diff) };
  },
});

interface Edited {
  readonly bytes: Buffer;
  readonly before: string;
  readonly after: string;
  readonly lines: readonly number[];
}

async function change(
  old: OpenFile | undefined,
  edit: Edit,
  limits: typeof LIMITS,
  context: ToolContext,
): Promise<Edited> {
  const { displayName } = edit;
  const bytes = old && (await readAtMost(old.handle, limits.fileBytes, context.abort));
  if (!bytes)
    throw new ToolError(
      "failed",
      `"${displayName}" has more than ${limits.fileBytes} bytes, the limit of edit. Change it with a program, through bash.`,
    );
  const encoding = encodingOf(bytes);
  if (!encoding)
    throw new ToolError(
      "failed",
      `"${displayName}" is a binary file of ${bytes.length} bytes. edit changes text only.`,
    );
  const before = decode(bytes, encoding);
  if (!encode(before, encoding)?.equals(bytes)) throw lossy(displayName, encoding);
  const { text: after, lines } = editText(before, edit);
  return { bytes: encoded(after, encoding, displayName), before, after, lines };
}

function lossy(displayName: string, { name }: Encoding): ToolError {
  return new ToolError(
    "failed",
    `"${displayName}" is ${name.toUpperCase()} but contains bytes that are not valid in it, which edit would lose. Nothing was changed. Change it with a program, through bash.`,
  );
}

function encoded(text: string, encoding: Encoding, displayName: string): Buffer {
  const bytes = encode(text, encoding);
  if (bytes) return bytes;
  throw new ToolError(
    "failed",
    `"${displayName}" is not UTF-8 but Windows-1252, which lacks some of the characters in newString. Nothing was changed. Use other characters, or have the file converted first.`,
  );
}

function outputOf({ displayName }: Edit, lines: readonly number[], diff: Diff): string {
  const where = lines.length === 1 ? `at line ${lines[0]}` : `in ${lines.length} places`;
  const head = `Edited ${displayName} ${where} (${changesOf(diff)}).`;
  return diff.text === undefined ? `${head} The diff is too long to be shown.` : `${head}\n\n${diff.text}`;
}
