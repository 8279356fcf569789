// Copilot CLI extension: helps with releases of this repository.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { joinSession } from "@github/copilot-sdk/extension";
import { bump } from "../_lib/versions.mjs";

const session = await joinSession({
    tools: [
        {
            name: "next_version",
            description: "Returns the version number of the next release, from the current one and the kind of change.",
            parameters: {
                type: "object",
                properties: {
                    current: { type: "string", description: "The current version, such as 1.4.2" },
                    change: { type: "string", enum: ["major", "minor", "patch"], description: "The kind of change" },
                },
                required: ["current"],
            },
            skipPermission: true,
            handler: async (args) => {
                if (!/^\d+\.\d+\.\d+$/.test(args.current)) {
                    return { textResultForLlm: `"${args.current}" is not a version.`, resultType: "failure" };
                }
                await session.log(`Next after ${args.current}`, { ephemeral: true });
                return bump(args.current, args.change ?? "patch");
            },
        },
        {
            name: "latest_changes",
            description: "Returns the newest section of CHANGELOG.md.",
            handler: async (_args, { toolName }) => {
                const text = await readFile(join(process.cwd(), "CHANGELOG.md"), "utf8");
                return `${toolName}: ${text.split("\n").find((line) => line.startsWith("## "))}`;
            },
        },
    ],
    commands: [{ name: "release", description: "Shows the next version", handler: async () => {} }],
});
