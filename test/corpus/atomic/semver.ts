import { Tool } from "toolwright"
import z from "zod"

const Version = z.string().regex(/^\d+\.\d+\.\d+$/, "must look like 1.2.3")

const parts = (version: string) => version.split(".").map(Number) as [number, number, number]

export const SemverBump = Tool.define("semver_bump", {
  description: "Raise a version number",
  parameters: z.object({
    version: Version.describe("Current version"),
    part: z.enum(["major", "minor", "patch"]).describe("Which part to raise"),
  }),
  formatValidationError(error) {
    const issues = (error as z.ZodError).issues.map((issue) => `${issue.path.join(".")} ${issue.message}`)
    return `semver_bump was called with a wrong version or part: ${issues.join("; ")}`
  },
  async execute(args) {
    const [major, minor, patch] = parts(args.version)
    const next = {
      major: [major + 1, 0, 0],
      minor: [major, minor + 1, 0],
      patch: [major, minor, patch + 1],
    }[args.part].join(".")
    return { title: `${args.version} → ${next}`, metadata: { next }, output: next }
  },
})

export const SemverCompare = Tool.define("semver_compare", async ({ directory }) => ({
  description: `Compare two versions of a package used in ${directory}`,
  parameters: z.object({ a: Version, b: Version }),
  async execute({ a, b }) {
    const [left, right] = [parts(a), parts(b)]
    const index = left.findIndex((n, i) => n !== right[i])
    const output = index < 0 ? "equal" : left[index]! > right[index]! ? "newer" : "older"
    return { title: "compare", metadata: {}, output }
  },
}))
