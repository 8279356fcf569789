import { Tool, tool } from "../index.ts";
import { absolute } from "../platform/files/absolute.ts";
import { READ_LIMITS, viewFile } from "./text/view-file.ts";

const z = tool.schema;

export default Tool.define("read", {
  parameters: z.object({
    filePath: z.string().min(1).describe("The file to read: absolute, or relative to the working directory."),
    offset: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe("The number of the first line to show. The first line of a file is 1, which is also the default."),
    limit: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("How many lines to show. 2000 by default; leave it out unless the file is long."),
  }),
  limits: { maxLines: 2_010, own: READ_LIMITS },
  hints: {
    readOnly: true,
    openWorld: false,
    card: { kind: "file", path: "filePath", first: "offset", count: "limit" },
  },
  access: ({ filePath }, { cwd }) => [{ kind: "read", target: absolute(filePath, cwd), named: true }],
  execute({ filePath, offset, limit }, context) {
    const limits = { ...READ_LIMITS, ...context.limits.own };
    return viewFile(
      {
        displayName: filePath,
        first: Math.max(1, offset ?? 1),
        lines: limit ?? limits.lines,
        limits,
        show: (number, text) => `${String(number).padStart(6)}\t${text}`,
        next: (line) => `call read with offset ${line} for more`,
      },
      context,
    );
  },
});
