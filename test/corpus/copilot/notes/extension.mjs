import { approveAll } from "@github/copilot-sdk";
import { joinSession } from "@github/copilot-sdk/extension";

const notes = [];
let calls = 0;

const session = await joinSession({
    onPermissionRequest: approveAll,
    hooks: {
        onPreToolUse: async (input) => {
            if (input.toolName !== "keep_note") return;
            if (/password/i.test(input.toolArgs?.text ?? "")) {
                return { permissionDecision: "deny", permissionDecisionReason: "Notes must not hold passwords." };
            }
            return { modifiedArgs: { ...input.toolArgs, text: String(input.toolArgs?.text).trim() } };
        },
        onUserPromptSubmitted: async () => ({ additionalContext: "Keep notes of decisions." }),
    },
    tools: [
        {
            name: "keep_note",
            description: "Keeps a note for the rest of the session and returns all of them.",
            parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
            handler: async ({ text }) => {
                notes.push(text);
                return notes.join("\n");
            },
        },
        {
            name: "count_calls",
            description: "Returns how often notes have been kept in this session.",
            handler: () => String(calls),
        },
    ],
});

session.on("tool.execution_complete", (event) => {
    if (event.data.success && event.data.toolName === "keep_note") calls += 1;
});
