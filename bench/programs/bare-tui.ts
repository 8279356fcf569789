/** Shows the same as the chat with components of pi-tui only. Started in a pseudo-terminal by the cases of `chat-terminal.ts`. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Container, Editor, Markdown, ProcessTerminal, Text, TuiMainScreen } from "@earendil-works/pi-tui";
import { createChatTheme } from "../../src/surfaces/tui/chat-theme.ts";
import { type ChatScript, count, LAST_LINE, LAST_WORD, linesOf, SCRIPTS, type ShownStep } from "../chat-scripts.ts";

/** How much of an output is kept, as Toolwright does, and how many of its lines are shown. */
const MAX_BYTES = 50_000;
const SHOWN_LINES = 10;
/** How many lines of a prompt the chat shows. */
const PROMPT_LINES = 20;

const [script = "tokens"] = process.argv.slice(2) as [ChatScript?];
if (process.send) await runTool();
else runScreen();

/** A tool: a process of its own, as in Toolwright. */
async function runTool(): Promise<void> {
  const [step] = (await once(process, "message")) as [ShownStep];
  const send = (message: object): Promise<void> => new Promise((done) => process.send?.(message, () => done()));
  if (step.kind === "progress") await count(step.seconds, (counted) => void send({ progress: `count ${counted}` }));
  await send({ output: step.kind === "output" ? linesOf(step.bytes) : "Counted." });
  process.disconnect();
}

function runScreen(): void {
  const theme = createChatTheme({ color: true });
  const tui = new TuiMainScreen(new ProcessTerminal());
  const transcript = new Container();
  const editor = new Editor(tui, theme.editor);
  for (const each of [transcript, editor, new Text("bare · default", 0, 0)]) tui.addChild(each);
  tui.setFocus(editor);
  editor.onSubmit = (prompt) => {
    transcript.addChild(new Text(prompt.split("\n").slice(0, PROMPT_LINES).join("\n"), 1, 1));
    void show(SCRIPTS[script], transcript, tui);
  };
  tui.start();
}

async function show(steps: readonly ShownStep[], transcript: Container, tui: TuiMainScreen): Promise<void> {
  const theme = createChatTheme({ color: true });
  const answer = new Markdown("", 1, 1, theme.markdown);
  transcript.addChild(answer);
  let text = "";
  const say = async (line: string): Promise<void> => {
    for (const token of `${text === "" ? "" : "\n"}${line}`.split(/(?<=\s)(?=\S)/)) {
      text += token;
      answer.setText(text);
      tui.requestRender();
      await undefined;
    }
  };
  for (const step of steps) {
    if (step.kind === "say") await say(step.text);
    else if (step.kind === "sleep") await sleep(step.ms);
    else await callTool(step, transcript, tui);
  }
  await say(`${LAST_LINE} is not a command. ${LAST_WORD} none.`);
}

async function callTool(step: ShownStep, transcript: Container, tui: TuiMainScreen): Promise<void> {
  const card = new Text(step.kind, 1, 1);
  transcript.addChild(card);
  const tool = fork(import.meta.filename, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  tool.on("message", (message: { progress?: string; output?: string }) => {
    const { progress, output = "" } = message;
    const shown = output.slice(0, MAX_BYTES).split("\n").slice(0, SHOWN_LINES).join("\n");
    card.setText(progress ?? shown);
    tui.requestRender();
  });
  tool.send(step);
  await once(tool, "exit");
}
