import { parametersSchema as z, defineCustomTool, CustomToolContext } from "@roo-code/types"

import { words } from "./lib/words.js"

export default defineCustomTool({
	name: "frequent_word",
	description: "Counts the words of a text, and names the most frequent one.",
	parameters: z.object({
		text: z.string().describe("The text"),
		minLength: z.number().int().default(1).describe("Words that are shorter do not count"),
	}),
	async execute({ text, minLength }, _context: CustomToolContext) {
		const found = words(text).filter((word) => word.length >= minLength)
		if (found.length === 0) throw new Error("The text has no words.")
		const counts = Object.groupBy(found, (word) => word)
		const [most] = Object.entries(counts).sort(([, a = []], [, b = []]) => b.length - a.length)
		return `${found.length} words, most often "${most?.[0]}"`
	},
})
