import { createGrepTool, createReadTool, truncateHead, type ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function headings(pi: ExtensionAPI) {
	pi.registerTool({
		name: "headings",
		label: "Headings",
		description: "Lists the Markdown headings of a file, or its first lines if it has none",
		parameters: Type.Object({ path: Type.String(), lines: Type.Optional(Type.Number({ default: 3 })) }),
		async execute(toolCallId, { path, lines = 3 }, signal, _onUpdate, ctx) {
			const found = await createGrepTool(ctx.cwd).execute(toolCallId, { pattern: "^#+ ", path }, signal);
			const [first] = found.content;
			if (first?.type === "text" && first.text !== "No matches found") {
				return { content: [{ type: "text", text: first.text.replace(/^.*?:\d+: /gm, "") }], details: found.details };
			}
			const read = await createReadTool(ctx.cwd).execute(toolCallId, { path }, signal);
			const [text] = read.content;
			const cut = truncateHead(text?.type === "text" ? text.text : "", { maxLines: lines });
			return { content: [{ type: "text", text: cut.content }], details: { truncated: cut.truncated } };
		},
	});
}
