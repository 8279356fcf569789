/** Answers every message with one the size of a trivial result. Started by `call-driver.ts` and `mcp-driver.ts`. */
const RESULT = { ok: true, content: [{ type: "text", text: "Hello, Ada" }] };

process.on("message", () => process.send?.({ type: "result", id: 1, result: RESULT }));
process.on("disconnect", () => process.exit());
process.send?.("ready");
