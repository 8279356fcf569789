import { tool } from "@opencode-ai/plugin"

const number = tool.schema.number()

export const PRECISION = 6

export const add = tool({
  description: "Add two numbers",
  args: { a: number.describe("First number"), b: number.describe("Second number") },
  async execute(args) {
    return (args.a + args.b).toString()
  },
})

export const divide = tool({
  description: "Divide two numbers",
  args: { a: number.describe("Dividend"), b: number.describe("Divisor") },
  async execute(args) {
    if (args.b === 0) throw new Error("Division by zero")
    return String(Number((args.a / args.b).toFixed(PRECISION)))
  },
})
