/** Answers every message at once, as large as the result of a trivial call. Started by `call-driver.ts`. */
const RESULT = { ok: true, content: [{ type: "text", text: "Hello, Ada" }] };

process.on("message", () => process.send?.({ type: "result", id: 1, result: RESULT }));
process.on("disconnect", () => process.exit());
process.send?.("ready");
