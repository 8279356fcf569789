import { parametersSchema, defineCustomTool } from "@roo-code/types"

const version = parametersSchema.string().regex(/^\d+\.\d+\.\d+$/)

export const bumpMinor = defineCustomTool({
  name: "bump_minor",
  description: "Returns the next minor version.",
  parameters: parametersSchema.object({ version }),
  async execute({ version }) {
    const [major, minor] = version.split(".").map(Number)
    return `${major}.${minor + 1}.0`
  },
})

export const roomFor = {
  name: "mode_name",
  description: "Says which mode runs the tool.",
  async execute(_args, { mode, task }) {
    return `${mode ? "a mode" : "no mode"}, ${task.cwd ? "a folder" : "no folder"}`
  },
}
