import { Tool, ToolError, tool } from "../index.ts";
import { formatCount } from "./search/format-path.ts";
import { formatTree, treeSize } from "./search/format-tree.ts";
import { compileGlob } from "./search/glob-pattern.ts";
import { findStart, readAccess, toFolder } from "./search/search-start.ts";
import { namePackages, PACKAGES } from "./search/skipped-folders.ts";
import { startTimeSlice } from "./search/time-slice.ts";
import { readTree } from "./search/tree.ts";
import { areVisible } from "./search/visible-paths.ts";

const z = tool.schema;

const LIMITS = { depth: 8, entries: 500 };

export default Tool.define("list", {
  parameters: z.object({
    path: z.string().optional().describe("The folder to list; the working directory by default"),
    ignore: z.array(z.string()).optional().describe('Globs to leave out, such as ["*.log", "docs/**"]'),
  }),
  limits: { own: LIMITS },
  hints: {
    title: "List a folder",
    readOnly: true,
    idempotent: true,
    openWorld: false,
    card: { kind: "list", path: "path" },
  },
  access: ({ path }, { cwd }) => readAccess(path, cwd),
  async execute({ path, ignore = [] }, context) {
    const limits = { ...LIMITS, ...context.limits.own };
    const excluded = ignore.map((pattern) => compileGlob(pattern.replace(/(?<=.)\/$/, ""), "ignore"));
    const start = await findStart(path, context);
    if (start.kind === "file") {
      throw new ToolError("failed", `"${start.displayName}" is a file. Read it with read, or send a folder as "path".`);
    }
    const folder = await toFolder(start, context);
    const skipsPackages = !namePackages(folder.prefix, start.displayName);
    const tree = await readTree(folder, {
      ...limits,
      isSkipped: (name) => skipsPackages && name === PACKAGES,
      isExcluded: (entry) => excluded.some(({ matches }) => matches(entry)),
      root: start.real,
      visible: (paths) => areVisible(paths, start, context),
      timeSlice: startTimeSlice(context.abort),
    });
    const { entries, cut } = treeSize(tree);
    const text = formatTree(start.displayName, tree);
    const output = cut > 0 ? `${notice(entries, cut)}\n\n${text}` : text;
    return { title: start.displayName, metadata: { entries, cut }, output };
  },
});

function notice(entries: number, cut: number): string {
  const folders = cut === 1 ? "1 folder has more" : `${cut} folders have more`;
  return `Only ${formatCount(entries, "entry is", "entries are")} shown: ${folders}, as marked. To see more, list one of these folders, exclude entries with "ignore", or use glob.`;
}
