import { createHash } from "node:crypto"
import { tool } from "@opencode-ai/plugin"

// Bun's hasher where there is one, Node's everywhere else.
const sha256 = (text: string): string =>
  typeof Bun === "undefined"
    ? createHash("sha256").update(text).digest("hex")
    : new Bun.CryptoHasher("sha256").update(text).digest("hex")

export default tool({
  description: "SHA-256 of a text, shortened to the wanted number of digits",
  args: { text: tool.schema.string(), digits: tool.schema.number().int().min(4).max(64).default(8) },
  async execute({ text, digits }) {
    return sha256(text).slice(0, digits)
  },
})
