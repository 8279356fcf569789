// State in entries of its own, which no model sees.
import { defineTool, type ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

const TYPE = "counter-state";

export default (pi: ExtensionAPI) => {
  const counter = defineTool({
    name: "counter",
    label: "Counter",
    description: "Counts up, and says how far it has come in this session.",
    parameters: Type.Object({ by: Type.Optional(Type.Number({ default: 1 })) }),
    prepareArguments: (args) => (typeof args === "number" ? { by: args } : (args as { by?: number })),
    async execute(_id, { by = 1 }, _signal, _onUpdate, ctx) {
      const entries = ctx.sessionManager
        .getEntries()
        .filter((entry) => entry.type === "custom" && entry.customType === TYPE);
      const before = ((entries.at(-1)?.data ?? { count: 0 }) as { count: number }).count;
      pi.appendEntry(TYPE, { count: before + by });
      return { content: [{ type: "text", text: String(before + by) }], details: { count: before + by } };
    },
  });
  pi.registerTool(counter);
};
