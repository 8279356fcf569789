import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBashTool, type ExtensionAPI } from "@earendil-works/pi-coding-agent";

// Replaces bash: every command sees CI=1, and destructive ones need a reason.
export default function (pi: ExtensionAPI) {
	const bash = createBashTool(process.cwd(), {
		spawnHook: ({ command, cwd, env }) => ({ command, cwd, env: { ...env, CI: "1" } }),
	});

	pi.registerTool({
		...bash,
		name: "bash",
		async execute(id, params, signal, onUpdate, _ctx) {
			appendFileSync(join(tmpdir(), "commands.log"), `${params.command}\n`);
			if (/\brm\s+-rf\b/.test(params.command)) throw new Error("Deleting needs a person.");
			const result = await bash.execute(id, params, signal, onUpdate);
			return { ...result, details: { ...result.details, logged: true } };
		},
	});
}
