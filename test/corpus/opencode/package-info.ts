/// <reference types="node" />
import { z } from "zod"
import { tool, type ToolDefinition } from "@opencode-ai/plugin"

const SPEC = /^(?<name>(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*)(?:@(?<range>.+))?$/

interface Parsed {
  name: string
  scope?: string
  range: string
}

export function parseSpec(spec: string): Parsed {
  const groups = SPEC.exec(spec)?.groups
  if (!groups) throw new TypeError(`Not a package specifier: ${spec}`)
  const name = groups["name"] as string
  return {
    name,
    ...(name.startsWith("@") && { scope: name.slice(1, name.indexOf("/")) }),
    range: groups["range"] ?? "latest",
  }
}

const definition: ToolDefinition = tool({
  description: "Split a package specifier such as @scope/name@^1.0.0 into its parts",
  args: z.object({ spec: z.string().trim().min(1).describe("The specifier") }).strict() as any,
  async execute(args: any) {
    return parseSpec(args.spec) as any
  },
})

export default definition
export const VERSION = "1.0.0"
