import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { type Static, Type } from "@sinclair/typebox";

const Params = Type.Object({
	folder: Type.String({ description: "Folder to search, relative to the project" }),
	words: Type.Optional(Type.Array(Type.String(), { description: "Markers to look for", default: ["TODO", "FIXME"] })),
});

type Params = Static<typeof Params>;

class TodoSearch {
	name = "todo_search";
	label = "Todo search";
	description = "Finds TODO and FIXME markers in the files of a folder.";
	parameters = Params;

	async execute(_id: string, params: Params, signal: AbortSignal | undefined, onUpdate: any, ctx: { cwd: string }) {
		const words = params.words ?? ["TODO", "FIXME"];
		const root = path.resolve(ctx.cwd, params.folder);
		const found: string[] = [];
		for (const file of (await readdir(root)).sort()) {
			signal?.throwIfAborted();
			onUpdate?.({ content: [{ type: "text", text: file }] });
			const lines = (await readFile(path.join(root, file), "utf8")).split("\n");
			lines.forEach((line, i) => {
				if (words.some((word) => line.includes(word))) found.push(`${file}:${i + 1}`);
			});
		}
		return { content: [{ type: "text" as const, text: found.join("\n") || "nothing" }], details: { found } };
	}
}

export default function (pi: ExtensionAPI) {
	pi.registerFlag("todo-words", { type: "string", description: "Other markers" });
	pi.registerTool(new TodoSearch());
}
