// A plugin of OpenCode 2 without any import, with hooks around calls.
let calls = 0

export default {
  id: "bare",
  setup: async (ctx) => {
    await ctx.tool.hook("execute.before", (event) => {
      calls += 1
      if (event.tool === "bare_echo" && event.input.text === "please") event.input.text = "thank you"
    })
    await ctx.tool.transform((editor) => {
      editor.add({
        name: "bare_echo",
        description: "Say it again",
        input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        execute: async ({ text }, { toolCallID, sessionID }) => ({
          content: text,
          metadata: { title: calls > 0 && Boolean(toolCallID && sessionID) ? "echo" : "lost" },
        }),
      })
    })
  },
}
