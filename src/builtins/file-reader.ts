import { Tool, ToolError, tool } from "../index.ts";
import { absolute } from "../platform/files/absolute.ts";
import { READ_LIMITS, viewFile } from "./text/view-file.ts";

const z = tool.schema;

const LIMITS = { ...READ_LIMITS, lineCharacters: 10_000 };

export default Tool.define("file-reader", {
  parameters: z.object({
    path: z.string().min(1).describe("The file to read: absolute, or relative to the working directory."),
    startLine: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("The first line to return, counted from 1. Line 1 by default."),
    endLine: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("The last line to return. By default the last line of the file, or as many lines as fit."),
  }),
  limits: { maxLines: 2_010, own: LIMITS },
  hints: {
    readOnly: true,
    openWorld: false,
    card: { kind: "file", path: "path", first: "startLine", last: "endLine" },
  },
  access: ({ path }, { cwd }) => [{ kind: "read", target: absolute(path, cwd), named: true }],
  async execute({ path, startLine = 1, endLine }, context) {
    if (endLine !== undefined && endLine < startLine) {
      throw new ToolError(
        "failed",
        `endLine ${endLine} is before startLine ${startLine}. Send an endLine from ${startLine} on.`,
      );
    }
    const limits = { ...LIMITS, ...context.limits.own };
    return viewFile(
      {
        displayName: path,
        first: startLine,
        lines: endLine === undefined ? limits.lines : endLine - startLine + 1,
        limits,
        show: (_, text) => text,
        exact: { isRange: endLine !== undefined },
        next: (line) => `call file-reader with startLine ${line} for more`,
      },
      context,
    );
  },
});
