"use strict";

const PROTECTED = /(^|\/)vault\//;

/** Refuses calls with paths in the vault, and counts the calls. */
module.exports = function register(api) {
  const log = api.logger;
  let calls = 0;

  api.on(
    "before_tool_call",
    async (event) => {
      const path = String(event.params.path ?? event.params.folder ?? "");
      if (PROTECTED.test(path)) {
        return { block: true, blockReason: `"${path}" is protected by guardrails.` };
      }
      return {};
    },
    { priority: 100 },
  );

  api.on("after_tool_call", (event) => {
    calls += 1;
    log.debug(`${event.toolName}: ${event.error ?? "ok"}`);
  });

  api.registerTool({
    name: "guardrails_open",
    description: "Opens a file by its path, and says how.",
    parameters: {
      type: "object",
      properties: { path: { type: "string", description: "A path" } },
      required: ["path"],
    },
    async execute(_id, params) {
      return { content: [{ type: "text", text: `opened ${params.path}` }] };
    },
  });
};
