import type { CustomTool } from "@oh-my-pi/pi-coding-agent";
import { Type } from "@sinclair/typebox";

// One object, no factory: it needs nothing of the API.
const repeat: CustomTool = {
  name: "repeat_text",
  label: "Repeat",
  description: "Repeats a text, one line each time.",
  parameters: Type.Object({
    text: Type.String({ description: "What to repeat" }),
    times: Type.Integer({ minimum: 1, maximum: 9, default: 2 }),
  }),
  async execute(_toolCallId, params, onUpdate, _ctx, signal) {
    const lines: string[] = [];
    for (let i = 0; i < params.times && !signal?.aborted; i++) {
      lines.push(params.text);
      onUpdate?.({ content: [{ type: "text", text: `${i + 1}` }] });
    }
    return { content: [{ type: "text", text: lines.join("\n") }] };
  },
};

export default repeat;
