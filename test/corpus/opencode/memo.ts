import { tool } from "@opencode-ai/plugin/tool";

const fs = require("fs");
const os = require("os");
const path = require("path");

// survives as long as the agent does
const memos = new Map<string, { text: string; at: number }>();
let calls = 0;

const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "memo-")), "memo.json");
process.on("exit", () => fs.rmSync(path.dirname(file), { recursive: true, force: true }));

export const save = tool({
  description: "Remember something under a key until the agent is closed",
  args: {
    key: tool.schema.string().regex(/^[\w.-]+$/).describe("Key"),
    text: tool.schema.string().describe("What to remember"),
  },
  async execute(args) {
    calls++;
    memos.set(args.key, { text: args.text, at: calls });
    fs.writeFileSync(file, JSON.stringify([...memos]));
    return `saved ${args.key} (${memos.size} total)`;
  },
});

export const recall = tool({
  description: "Recall what was remembered under a key; all keys when none is given",
  args: { key: tool.schema.string().optional() },
  async execute({ key }) {
    calls++;
    if (!key) return [...memos.keys()];
    const stored = new Map<string, { text: string }>(JSON.parse(fs.readFileSync(file, "utf8")));
    return stored.get(key)?.text ?? null;
  },
});

export const stats = () => ({ calls, size: memos.size });
