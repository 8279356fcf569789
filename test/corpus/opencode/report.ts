import { tool } from "@opencode-ai/plugin"
import * as manifest from "./lib/report/manifest.json"
import { columns, title } from "./lib/report/manifest.json"
import query from "./lib/report/query.sql" with { type: "text" }

/** Puts the query of the monthly report together; somebody else runs it. */
export default tool({
  description: "The SQL of the monthly report",
  args: {
    month: tool.schema
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .describe("Such as 2026-11"),
    columns: tool.schema.array(tool.schema.enum(columns as [string, ...string[]])).optional(),
  },
  async execute(args) {
    const sql = query
      .replaceAll(":columns", (args.columns ?? columns).join(", "))
      .replaceAll(":month", `'${args.month}'`)
      .trim()
    return `-- ${title}, version ${manifest.version}\n${sql}`
  },
})
