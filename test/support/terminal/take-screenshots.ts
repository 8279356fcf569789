/**
 * Writes the pictures of the chat in `docs/images`, with the real program in tmux; Chromium draws what the terminal shows:
 * `npm run screenshots`. Look at each before you commit it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type AnsiSpan, parseAnsi } from "../../../web/src/components/parse-ansi.ts";
import { findChromium } from "../browser/chromium.ts";
import { launchBrowser } from "../browser/launch-browser.ts";
import { CLI } from "../cli.ts";
import { makeSandbox } from "../fixture.ts";
import { startTerminal, type Terminal } from "./terminal.ts";

const FOLDER = fileURLToPath(new URL("../../../docs/images", import.meta.url));
const COLUMNS = 92;
const ROWS = 27;
/** The colors 0 to 15 of the terminal in the pictures. */
const COLORS = [
  ...["#16181d", "#e5737f", "#8fc57a", "#dbb86a", "#6fa8e8", "#c792d6", "#62c0c9", "#d6d9df"],
  ...["#6b7280", "#f08a95", "#a5d893", "#ecca82", "#8abdf5", "#d9a9e6", "#7dd5dd", "#ffffff"],
];

const FILES: Readonly<Record<string, string>> = {
  ".toolwright/tools/deploy.ts": `import { tool } from "toolwright";
export default tool({
  description: "Deploys the project to an environment.",
  args: { environment: tool.schema.enum(["staging", "production"]).describe("Where to") },
  async execute({ environment }, { metadata }) {
    for (const step of ["build", "upload", "restart"]) metadata({ title: step });
    return "Deployed to " + environment + ".\\nVersion 1.4.2 answers on all 3 machines.";
  },
});
`,
  ".opencode/tool/tickets.ts": `import { tool } from "@opencode-ai/plugin";
export default tool({
  description: "Finds open tickets by a word in their title.",
  args: { word: tool.schema.string().describe("The word") },
  execute: async ({ word }) => "#41 Slow start of the " + word + "\\n#57 Crash when the " + word + " is empty",
});
`,
  ".toolwright/tools/weather.json": JSON.stringify({
    name: "weather",
    version: "1.0.0",
    tools: [
      {
        name: "forecast",
        description: "Fetches the forecast for a city.",
        inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
        handler: { type: "http", method: "GET", url: "https://weather.example/{{city}}" },
      },
    ],
  }),
};

const ANSWER = [
  "say There are **two tickets** about the parser. The crash comes from `parse()`, which expects a first line:",
  "say ```ts",
  "say const [first] = lines;",
  'say if (first === undefined) return { ok: false, reason: "empty" };',
  "say ```",
];

/** What is typed in each picture, and a text that shows that it is complete. */
const SCENES: Readonly<Record<string, (terminal: Terminal) => Promise<unknown>>> = {
  "chat-session": async (terminal) => {
    await send(terminal, ['call tickets {"word":"parser"}', ...ANSWER]);
    await terminal.until(/✓ tickets.*reason: "empty".*\n─+\n\n─+\n/s);
  },
  "chat-question": async (terminal) => {
    await send(terminal, ['call deploy {"environment":"staging"}']);
    await terminal.until("Yes, for this session");
  },
  "chat-context": async (terminal) => {
    await terminal.resize(COLUMNS, 2 * ROWS);
    await send(terminal, ["/context"]);
    await terminal.until("- webfetch");
  },
};

async function send(terminal: Terminal, lines: readonly string[]): Promise<void> {
  await terminal.paste(lines.join("\n"));
  await terminal.settled(200);
  await terminal.keys("Enter");
}

const found = await findChromium();
if (found.missing !== undefined) throw new Error(found.missing);
const { browser, close } = await launchBrowser(found.program);
try {
  const context = await browser.newContext({ viewport: { width: 1000, height: 620 }, deviceScaleFactor: 1.5 });
  for (const [name, play] of Object.entries(SCENES)) {
    const page = await context.newPage();
    await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(toHtml(await screenOf(play)))}`);
    const bytes = await page.locator("pre").screenshot();
    writeFileSync(join(FOLDER, `${name}.png`), bytes);
    console.log(`${name}.png: ${bytes.length} bytes`);
    await page.close();
  }
} finally {
  await close();
}

/** The screen of a new chat after a scene, with its escape sequences. */
async function screenOf(play: (terminal: Terminal) => Promise<unknown>): Promise<string> {
  const at = makeSandbox();
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(at.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const settings = { permissions: [{ tool: "tickets", action: "allow" }] };
  mkdirSync(at.env.TOOLWRIGHT_HOME as string, { recursive: true });
  writeFileSync(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify(settings));
  const terminal = await startTerminal({
    ...{ command: process.execPath, args: [CLI, "chat", "--trust", "--agent", "demo"] },
    ...{ env: at.env, cwd: at.project, columns: COLUMNS, rows: ROWS },
  });
  try {
    await terminal.until("demo · default");
    await play(terminal);
    await terminal.until((screen) => !screen.includes("· Esc stops\n"));
    // The spinner of a call that waits for an answer never stops.
    await sleep(500);
    return (await terminal.screen({ colors: true }))
      .replaceAll(at.project, "/home/ada/shop")
      .replaceAll(at.home, "/home/ada");
  } finally {
    await terminal.stop();
    at.remove();
  }
}

function toHtml(screen: string): string {
  const lines = screen.trimEnd().split("\n");
  const variables = COLORS.map((color, index) => `--ansi-${index}:${color}`).join(";");
  const text = lines.map((line) => parseAnsi(line).map(toSpan).join("")).join("\n");
  return `<style>:root{${variables}}</style><body style="margin:0;background:#fff"><pre style="display:inline-block;margin:0;padding:16px 20px;background:#16181d;color:#d6d9df;font:14px/1.35 'DejaVu Sans Mono',monospace">${text}</pre></body>`;
}

function toSpan({ text, color, background, bold, dim, italic, underline, inverse }: AnsiSpan): string {
  const style = [
    color && `color:${color}`,
    background && `background:${background}`,
    bold && "font-weight:bold",
    dim && "opacity:.6",
    italic && "font-style:italic",
    underline && "text-decoration:underline",
    inverse && "background:#d6d9df;color:#16181d",
  ].filter(Boolean);
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<span style="${style.join(";")}">${escaped}</span>`;
}
