import { Tool, ToolError, tool } from "../index.ts";
import { createBreather } from "./search/breather.ts";
import { compileGlob } from "./search/glob-pattern.ts";
import { findStart, readAccess, toFolder } from "./search/search-start.ts";
import { counted } from "./search/shown-path.ts";
import { shownTree, sizeOf } from "./search/shown-tree.ts";
import { readTree } from "./search/tree.ts";
import { visibleOf } from "./search/visible.ts";

const z = tool.schema;

/** How many levels of folders, and how many entries in all, are shown. */
const LIMITS = { depth: 8, entries: 500 };

export default Tool.define("list", {
  parameters: z.object({
    path: z.string().optional().describe("The folder to list; the working directory when left out"),
    ignore: z.array(z.string()).optional().describe('What to leave out, such as ["*.log", "docs/**"]'),
  }),
  limits: { own: LIMITS },
  hints: { title: "List a folder", readOnly: true, idempotent: true, openWorld: false },
  access: ({ path }, { cwd }) => readAccess(path, cwd),
  async execute({ path, ignore = [] }, context) {
    const limits = { ...LIMITS, ...context.limits.own };
    const leftOut = ignore.map((pattern) => compileGlob(pattern.replace(/(?<=.)\/$/, ""), "ignore"));
    const start = await findStart(path, context);
    if (start.kind === "file") {
      throw new ToolError("failed", `"${start.said}" is a file. Read it with read, or send a folder as "path".`);
    }
    const tree = await readTree(await toFolder(start, context), {
      ...limits,
      isLeftOut: (entry) => leftOut.some(({ matches }) => matches(entry)),
      visible: (paths) => visibleOf(paths, start, context),
      breather: createBreather(context.abort),
    });
    const { entries, cut } = sizeOf(tree);
    const text = shownTree(start.said, tree);
    const output = cut > 0 ? `${notice(entries, cut)}\n\n${text}` : text;
    return { title: start.said, metadata: { entries, cut }, output };
  },
});

function notice(entries: number, cut: number): string {
  const folders = cut === 1 ? "1 folder has more in it" : `${cut} folders have more in them`;
  return `Only ${counted(entries, "entry is", "entries are")} shown: ${folders}, as it says there. To see more, list such a folder by its path, leave something out with "ignore", or use glob.`;
}
