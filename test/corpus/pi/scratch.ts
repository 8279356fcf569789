import { mkdir, readFile, writeFile, access } from "node:fs/promises";
import { join, relative } from "node:path";
import type { EditOperations, ExtensionAPI, ReadOperations, WriteOperations } from "@mariozechner/pi-coding-agent";
import { createEditTool, createReadTool, createWriteTool, isToolCallEventType } from "@mariozechner/pi-coding-agent";

/** Files that tools write live in a scratch folder, not in the project. */
export default (pi: ExtensionAPI) => {
	const cwd = process.cwd();
	const scratch = (path: string) => join(cwd, "docs", ".scratch", relative(cwd, path));
	const files: ReadOperations & WriteOperations & EditOperations = {
		access: (path) => access(scratch(path)),
		readFile: (path) => readFile(scratch(path)),
		writeFile: (path, content) => writeFile(scratch(path), content),
		mkdir: (path) => mkdir(scratch(path), { recursive: true }).then(() => {}),
	};
	for (const create of [createReadTool, createWriteTool, createEditTool] as const) {
		const tool = create(cwd, { operations: files as never });
		pi.registerTool({ ...tool, name: `scratch_${tool.name}`, label: `${tool.label} (scratch)` } as never);
	}
	pi.on("tool_call", async (event) => {
		if (isToolCallEventType("scratch_write", event) && event.input.path === "locked.txt") {
			return { block: true, reason: "locked.txt is locked" };
		}
	});
};
