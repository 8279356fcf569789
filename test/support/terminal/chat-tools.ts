import { PNG } from "../browser/page-tools.ts";
import { STEPS_TOOL } from "../steps-tool.ts";

const TOOLS = ".toolwright/tools";

/** Settings with which tools that do not declare what they touch run without a question. */
export const QUIET_SETTINGS = { permissions: [{ tool: "*", match: "undeclared", action: "allow" }] };

/** The files of a project whose tools do everything that the chat shows, by their paths. */
export const CHAT_TOOLS: Readonly<Record<string, string>> = {
  [`${TOOLS}/greet.js`]: `export default {
  description: "Greets a person by name.",
  args: { name: { type: "string", description: "The person to greet" }, loud: { type: "boolean", default: false } },
  execute: ({ name, loud }) => loud ? "HELLO, " + name.toUpperCase() + "!" : "Hello, " + name + "!",
};
`,
  [`${TOOLS}/steps.js`]: STEPS_TOOL,
  [`${TOOLS}/slow.js`]: `import { writeFileSync } from "node:fs";
import { join } from "node:path";
export default {
  description: "Takes a minute, unless it is aborted.",
  async execute(_, { metadata, abort, directory }) {
    metadata({ title: "Working slowly" });
    await new Promise((done) => { const timer = setTimeout(done, 60_000); abort.addEventListener("abort", () => { clearTimeout(timer); done(); }); });
    if (abort.aborted) writeFileSync(join(directory, "aborted.txt"), "yes");
    return "Done after a minute.";
  },
};
`,
  [`${TOOLS}/fails.js`]: `export default {
  description: "Always fails.",
  execute() { throw new Error("The flux is too low. Raise it with --flux."); },
};
`,
  [`${TOOLS}/lines.js`]: `export default {
  description: "Returns numbered lines.",
  args: { count: { type: "integer", default: 40 } },
  execute: ({ count }) => Array.from({ length: count }, (_, index) => "row " + (index + 1)).join("\\n"),
};
`,
  [`${TOOLS}/picture.js`]: `export default {
  description: "Returns an image and a text.",
  execute: () => ({ content: [{ type: "text", text: "Here it is." }, { type: "image", data: "${PNG}", mimeType: "image/png" }] }),
};
`,
  [`${TOOLS}/huge.js`]: `export default {
  description: "Returns 5 MB.",
  execute: () => Array.from({ length: 50_000 }, (_, index) => String(index).padStart(8, "0") + " " + "x".repeat(95)).join("\\n"),
};
`,
  [`${TOOLS}/flood.js`]: `export default {
  description: "Reports progress 1,000 times a second.",
  args: { seconds: { type: "number", default: 3 } },
  async execute({ seconds }, { metadata }) {
    const startedAt = performance.now();
    for (let count = 0; count < seconds * 1000; ) {
      const due = performance.now() - startedAt;
      while (count < due) metadata({ title: "count " + ++count });
      await new Promise((done) => setTimeout(done, 1));
    }
    return "Counted.";
  },
};
`,
  [`${TOOLS}/mark.js`]: `import { appendFileSync } from "node:fs";
import { join, resolve } from "node:path";
export default {
  description: "Adds a line to a file of marks.",
  args: { text: { type: "string", default: "mark" } },
  access: (_, { cwd }) => [{ kind: "write", target: resolve(cwd, "marks.txt") }],
  execute({ text }, { directory }) { appendFileSync(join(directory, "marks.txt"), text + "\\n"); return "Marked " + text + "."; },
};
`,
  ".omp/tools/card.ts": `import { Text } from "@oh-my-pi/pi-tui";
export default (pi) => ({
  name: "card", label: "Card", description: "Draws its call and its result itself.",
  parameters: pi.typebox.Type.Object({ city: pi.typebox.Type.String() }),
  async execute(id, { city }, onUpdate) {
    for (let step = 1; step <= 40; step++) {
      onUpdate?.({ content: [{ type: "text", text: "asking" }], details: { step } });
      await new Promise((done) => setTimeout(done, 100));
    }
    return { content: [{ type: "text", text: "plain: 4.5 in " + city }], details: { degrees: 4.5 } };
  },
  renderCall: (args, ...rest) => new Text("OWN CALL for " + args.city, 0, 0),
  renderResult: (result, options, theme) => {
    if (options.isPartial) return new Text("OWN PARTIAL step " + result.details.step, 0, 0);
    const colored = theme.fg("accent", "OWN RESULT " + result.details.degrees + " degrees");
    return new Text(options.expanded ? colored + "\\nEXPANDED DETAILS" : colored, 0, 0);
  },
});
`,
  ".omp/tools/broken-renderer.ts": `export default (pi) => ({
  name: "broken_renderer", label: "Broken", description: "Its renderers throw.", parameters: pi.typebox.Type.Object({}),
  execute: async () => ({ content: [{ type: "text", text: "plain text of broken" }] }),
  renderCall: () => { throw new Error("no call for you"); },
  renderResult: () => { throw new Error("no result for you"); },
});
`,
  ".omp/tools/slow-renderer.ts": `import { Text } from "@oh-my-pi/pi-tui";
const busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
export default (pi) => ({
  name: "slow_renderer", label: "Slow", description: "Its renderers take a second.", parameters: pi.typebox.Type.Object({}),
  execute: async () => ({ content: [{ type: "text", text: "plain text of slow" }] }),
  renderCall: () => { busy(1000); return new Text("SLOW CALL", 0, 0); },
  renderResult: () => { busy(1000); return new Text("SLOW RESULT", 0, 0); },
});
`,
  ".omp/tools/dialogs.ts": `export default (pi) => ({
  name: "dialogs", label: "Dialogs", description: "Opens four dialogs.", parameters: pi.typebox.Type.Object({}),
  async execute() {
    const said = [await pi.ui.select("Which fruit?", ["apple", "pear"]), await pi.ui.confirm("Are you sure?", "It cannot be undone.")];
    said.push(await pi.ui.input("Your name?", "a name"), await pi.ui.editor("Your text?", "old text"));
    return { content: [{ type: "text", text: JSON.stringify(said) }] };
  },
});
`,
  ".pi/extensions/counter.ts": `import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "counter", label: "Counter", description: "Shows a component that takes keys.", parameters: Type.Object({}),
    async execute(_id, _params, _signal, _onUpdate, ctx) {
      const said = await ctx.ui.custom((tui, _theme, _keybindings, done) => {
        let count = 0;
        return {
          render: (width) => ["COUNTED " + count, "=".repeat(width)],
          handleInput(data) {
            if (data === "q") return done("left at " + count);
            count += 1;
            tui.requestRender();
          },
          invalidate() {},
        };
      });
      return { content: [{ type: "text", text: String(said) }], details: {} };
    },
  });
}
`,
  ".pi/extensions/widgets.ts": `import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
export default function (pi: ExtensionAPI) {
  pi.registerCommand("stamp", {
    description: "Shows a stamp",
    handler: async (args, ctx) => { ctx.ui.notify("stamped " + args, "info"); },
  });
  pi.registerTool({
    name: "widgets", label: "Widgets", description: "Shows a notice, a status and a widget.", parameters: Type.Object({}),
    async execute(_id, _params, _signal, _onUpdate, ctx) {
      ctx.ui.notify("a notice of the tool", "warning");
      ctx.ui.setStatus("widgets", "own status");
      ctx.ui.setWidget("widgets", ["first line of the widget", "second line of the widget"]);
      return { content: [{ type: "text", text: "hasUI " + ctx.hasUI }], details: {} };
    },
  });
}
`,
};

/** One tool file for each of the systems of the seeds, a broken file, and a tool that is switched off. */
export const ALL_SYSTEMS: Readonly<Record<string, string>> = {
  [`${TOOLS}/native.ts`]: `import { tool } from "toolwright";
export default tool({ description: "A tool of Toolwright.", args: { text: tool.schema.string() }, execute: ({ text }) => text });
`,
  [`${TOOLS}/broken.js`]: "export default { description: ",
  [`${TOOLS}/off.js`]: `export default { description: "A tool that the settings switch off.", execute: () => "off" };\n`,
  [`${TOOLS}/queries.json`]: JSON.stringify({
    name: "queries",
    version: "1.0.0",
    tools: [
      {
        name: "json_query",
        description: "A tool of a JSON file.",
        inputSchema: { type: "object", properties: { text: { type: "string" } } },
        handler: { type: "shell", command: "printf %s {{text}}" },
      },
    ],
  }),
  ".opencode/tool/opencode.ts": `import { tool } from "@opencode-ai/plugin";
export default tool({ description: "A tool of OpenCode.", args: { text: tool.schema.string() }, async execute({ text }) { return text; } });
`,
  ".atomic/tools/atomic.ts": `import { tool } from "@atomic/plugin";
export default tool({ description: "A tool of Atomic.", args: { text: tool.schema.string() }, async execute({ text }) { return text; } });
`,
  ".omp/tools/omp.ts": `export default (pi) => ({
  name: "omp", label: "Omp", description: "A tool of oh-my-pi.", parameters: pi.typebox.Type.Object({ text: pi.typebox.Type.String() }),
  execute: async (_id, { text }) => ({ content: [{ type: "text", text }] }),
});
`,
  ".pi/extensions/pi.ts": `import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "pi_tool", label: "Pi", description: "A tool of pi.", parameters: Type.Object({ text: Type.String() }),
    execute: async (_id, { text }) => ({ content: [{ type: "text", text }], details: {} }),
  });
}
`,
};
