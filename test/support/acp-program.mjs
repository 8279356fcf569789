/* A program that speaks ACP on its standard streams, without a model. A prompt is a list of steps, as JSON. */
import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const sessionId = "acp-1";
const [, , folder, hangs = ""] = process.argv;
const waiting = new Map();
const answers = [];
let next = 1;
let turn;
let capabilities;

function write(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** Hangs the first time that this request arrives in any process of the folder, if it is to hang. */
function isHanging(method) {
  const file = `${folder}/${method.replace("/", "-")}`;
  if (hangs !== method || existsSync(file)) return false;
  writeFileSync(file, "");
  return true;
}

async function request(method, params) {
  const id = `ask-${next++}`;
  const answered = new Promise((resolve) => waiting.set(id, resolve));
  write({ id, method, params });
  return answered;
}

const STEPS = {
  update: (update) => write({ method: "session/update", params: { sessionId, update } }),
  notify: (message) => write(message),
  raw: (line) => void process.stdout.write(`${line}\n`),
  say: (text) => STEPS.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }),
  /** Says what the answer to a request for permission is. */
  ask: async (params) => {
    const { result, error } = await request("session/request_permission", params);
    answers.push(error ? "error" : (result.outcome.optionId ?? result.outcome.outcome));
    STEPS.say(`${answers.at(-1)} `);
  },
  /** Says the answer to an elicitation, or the message of its error. */
  elicit: async (params) => {
    const { result, error } = await request("elicitation/create", { sessionId, ...params });
    answers.push(error ? error.message : JSON.stringify(result));
    STEPS.say(`${answers.at(-1)}\n`);
  },
  /** At once. */
  elicitAll: (all) => Promise.all(all.map(STEPS.elicit)),
  /** Sends a notification while the elicitation has no answer yet, and says what its answer then is. */
  elicitAndNotify: async ([params, notification]) => {
    const answered = STEPS.elicit(params);
    await STEPS.sleep(500);
    write(notification);
    await answered;
  },
  /** Says what the client can be asked. */
  capabilities: () => STEPS.say(JSON.stringify(capabilities.elicitation)),
  /** Says all answers so far. */
  answers: () => STEPS.say(`${answers.join(" ")} `),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  untilCancelled: () => turn.cancelled.promise,
  never: () => new Promise(() => {}),
  exit: (code) => process.exit(code),
  /** After the response to the prompt. */
  after: (step) => void turn.after.push(step),
};

async function follow(steps) {
  for (const step of steps) for (const [name, value] of Object.entries(step)) await STEPS[name](value);
}

async function serve({ id, method, params, result, error }) {
  if (method === undefined) return waiting.get(id)?.({ result, error });
  if (method === "session/cancel") return turn?.cancelled.resolve();
  if (id === undefined || isHanging(method)) return;
  if (method === "initialize") {
    capabilities = params.clientCapabilities;
    return write({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } });
  }
  if (method === "session/new") return write({ id, result: { sessionId } });
  if (method !== "session/prompt") return write({ id, result: {} });
  turn = { cancelled: Promise.withResolvers(), after: [] };
  const { after } = turn;
  const text = params.prompt.at(-1).text;
  const steps = text.startsWith("[") ? JSON.parse(text) : [{ say: `You said: ${text}` }];
  await follow(steps);
  const last = steps.find((step) => "result" in step);
  write({ id, result: last ? last.result : { stopReason: "end_turn" } });
  await follow(after);
}

STEPS.result = () => {};
createInterface({ input: process.stdin }).on("line", (line) => void serve(JSON.parse(line)));
