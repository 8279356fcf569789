import type { NewEvent } from "../../../src/core/session-store.ts";
import { HOSTILE_CONTENT, HOSTILE_DATA, hostile, hostileLine, hostileName } from "./hostile-text.ts";

const TOOLS = ".toolwright/tools";
const text = (value: unknown): string => JSON.stringify(value);

/** The files of a project in which every text that a tool file can choose is hostile, by their paths. */
export const HOSTILE_PROJECT: Readonly<Record<string, string>> = {
  [`${TOOLS}/hostile.js`]: `export default {
  description: ${text(hostile("description"))},
  hints: { title: ${text(hostileLine("hint-title"))} },
  args: {
    ${text(hostileName("property"))}: { type: "string", default: "" },
    words: { type: "string", title: ${text(hostileLine("schema-title"))}, description: ${text(hostile("schema-description"))}, default: ${text(hostile("default"))}, examples: [${text(hostile("example"))}] },
    choice: { enum: [${text(hostileLine("enum"))}, "plain"], default: "plain" },
    fixed: { anyOf: [{ const: ${text(hostileLine("const"))}, title: ${text(hostileLine("any-of-title"))} }, { type: "null", description: ${text(hostile("any-of-description"))} }], default: null },
    list: { type: "array", items: { type: "object", properties: { ${text(hostileName("item-property"))}: { type: "string", title: ${text(hostileLine("item-title"))} } } }, default: [{}] },
    address: { type: "string", format: "uri", default: "javascript:window.pwned=1" },
    markup: { type: "string", contentMediaType: "text/html", default: "<img src=x onerror=window.pwned=1>", "ui:widget": "hidden", "ui:description": "<img src=x onerror=window.pwned=1>" },
  },
  async execute(_, { metadata, write }) {
    metadata({ title: ${text(hostileLine("progress-title"))}, metadata: { output: ${text(hostile("progress-output"))} } });
    write(${text(hostile("written"))});
    await new Promise((done) => setTimeout(done, 1500));
    return { title: ${text(hostileLine("result-title"))}, content: ${text(HOSTILE_CONTENT)}, details: ${text(HOSTILE_DATA)} };
  },
};`,
  [`${TOOLS}/hostile-data.js`]: `export default {
  description: "Returns hostile data and attachments.",
  execute: () => ({ title: ${text(hostileLine("title"))}, output: ${text(hostile("plain-output"))}, metadata: ${text(HOSTILE_DATA)}, attachments: ${text(
    HOSTILE_CONTENT.flatMap((part) =>
      "name" in part && "url" in part && "mimeType" in part
        ? [{ type: "file", mime: part.mimeType, filename: part.name, url: part.url }]
        : [],
    ),
  )} }),
};`,
  [`${TOOLS}/hostile-error.js`]: `export default {
  description: "Fails with a hostile message.",
  execute() { throw new Error(${text(hostile("error"))}, { cause: new Error(${text(hostile("cause"))}) }); },
};`,
  [`${TOOLS}/hostile-ask.js`]: `export default {
  description: "Asks with hostile texts.",
  args: { target: { type: "string", default: ${text(hostileLine("question-input"))} } },
  async execute(_, { ask }) {
    await ask({ permission: ${text(hostileLine("permission"))}, patterns: [${text(hostileLine("pattern"))}], always: [${text(hostileLine("always"))}], metadata: { ${text(hostileName("ask-key"))}: ${text(hostileLine("ask-value"))} } });
    return "asked";
  },
};`,
  ".omp/tools/hostile-dialogs.ts": `export default (pi) => ({
  name: "hostile-dialogs", label: ${text(hostileLine("label"))}, description: "Opens hostile dialogs.", parameters: pi.typebox.Type.Object({}),
  async execute() {
    await pi.ui.select(${text(hostileLine("select-title"))}, [${text(hostileLine("option"))}, "plain"]);
    await pi.ui.confirm(${text(hostileLine("confirm-title"))}, ${text(hostile("confirm-message"))});
    await pi.ui.input(${text(hostileLine("input-title"))}, ${text(hostileLine("placeholder"))});
    await pi.ui.editor(${text(hostileLine("editor-title"))}, ${text(hostile("prefill"))});
    return { content: [{ type: "text", text: "all dialogs are closed" }] };
  },
});`,
  [`${TOOLS}/${hostileName("bad-name")}.js`]: `export default { description: "Has a bad name.", execute: () => "" };`,
  [`${TOOLS}/throws.js`]: `throw new Error(${text(hostile("import-error"))});`,
  [`${TOOLS}/twice.js`]: `export default { name: ${text(hostileLine("declared-name"))}, description: "Has a hostile name.", execute: () => "" };`,
  [`${TOOLS}/bidi.js`]: `export default { description: "Reads safe\\u202Egpj.exe\\u2066 \\u0007\\u001b[31mred\\u001b[0m.", args: { name: { type: "string", title: "user\\u202Enimda" } }, execute: () => "\\u202Ereversed\\u0000\\u001b]8;;javascript:window.pwned=1\\u0007link\\u001b]8;;\\u0007" };`,
};

/** Settings whose rules and unknown keys are hostile. */
export const HOSTILE_SETTINGS: object = {
  [hostileName("unknown-key")]: true,
  permissions: [
    {
      tool: hostileLine("rule-tool"),
      match: hostileLine("rule-match"),
      agent: hostileLine("rule-agent"),
      action: "ask",
    },
  ],
};

/** Two questions of a session with hostile answers: about a target, and about what a tool asks for. */
export function hostileAnswers(sessionID: string): NewEvent[] {
  const rules = [{ tool: hostileLine("answer-rule"), action: "allow" }] as const;
  const request = { permission: hostileLine("answer-permission"), patterns: [hostileLine("answer-pattern")] };
  const answered = [{}, { request }].flatMap((more, index): NewEvent[] => {
    const id = `00000000-0000-0000-0000-00000000000${index}`;
    const questionID = `${Buffer.from(sessionID).toString("base64url")}.${id}`;
    const question: NewEvent = {
      type: "question.asked",
      questionID,
      callID: "c",
      tool: hostileLine("answer-tool"),
      agent: hostileLine("answer-agent"),
      reason: hostileLine("answer-question"),
      kind: "permission",
      input: {},
      access: [{ kind: "execute", target: hostileLine("answer-target") }],
      choices: ["once", "session"],
      rules,
      settingsFile: "",
      ...more,
    };
    const answer = { allowed: true, remember: "session", reason: hostileLine("answer-reason") } as const;
    return [question, { type: "question.answered", questionID, ...answer }];
  });
  return [...answered, { type: "state.set", of: "session", key: "grants", value: rules }];
}

/** The id of the session with `hostileEvents`. Ids have at most 200 characters. */
export const HOSTILE_ID: string = hostileName("session-id");

/** The events of a session in which every text that a model, an agent or a tool can choose is hostile. */
export function hostileEvents(): NewEvent[] {
  const call = {
    callID: hostileName("call-id"),
    tool: hostileLine("call-tool"),
    messageID: hostileName("message-id"),
    agent: hostileLine("agent"),
  };
  const question = { callID: call.callID, tool: call.tool, agent: call.agent };
  return [
    {
      type: "message.user",
      messageID: "u1",
      content: [{ type: "text", text: hostile("prompt") }, ...HOSTILE_CONTENT] as never,
    },
    {
      type: "message.complete",
      messageID: call.messageID,
      thinking: hostile("thinking"),
      content: [{ type: "text", text: hostile("answer") }, ...HOSTILE_CONTENT] as never,
    },
    { type: "tool.start", ...call, input: HOSTILE_DATA },
    {
      type: "question.asked",
      ...question,
      questionID: hostileName("question-id"),
      reason: hostile("reason"),
      kind: "permission",
      input: HOSTILE_DATA,
      access: [{ kind: "run", target: hostileLine("access"), named: true }] as never,
      choices: ["once", "session", "always"],
      rules: [{ tool: hostileLine("question-rule"), match: hostileLine("question-match"), action: "allow" }],
      settingsFile: hostileLine("settings-file"),
    },
    {
      type: "question.answered",
      questionID: hostileName("question-id"),
      allowed: false,
      reason: hostile("answer-reason"),
    },
    {
      type: "tool.failed",
      ...call,
      result: {
        ok: false,
        content: HOSTILE_CONTENT as never,
        data: HOSTILE_DATA,
        error: { code: "failed" as never, message: hostile("call-error") },
        notes: {
          durationMs: 1,
          title: hostileLine("notes-title"),
          thrownAt: hostileLine("thrown-at"),
          causes: [hostile("logged-cause")],
        },
      },
    },
    { type: "tool.start", ...call, callID: "second", input: hostile("text-input") },
    {
      type: "tool.complete",
      ...call,
      callID: "second",
      result: {
        ok: true,
        content: [{ type: "text", text: hostile("call-output") }, ...HOSTILE_CONTENT] as never,
        notes: {
          durationMs: 1,
          truncated: { keptBytes: 1, totalBytes: 2, omittedLines: 1, fullOutput: hostileLine("full-output") },
        },
      },
    },
    { type: "usage", inputTokens: 1, model: hostileLine("usage-model") },
    { type: "session.error", message: hostile("agent-error"), code: hostileLine("agent-error-code") },
    { type: "message.user", messageID: "u2", content: [{ type: "text", text: "again" }] },
    {
      type: "session.interrupted",
      reason: hostile("interrupted"),
      calls: [hostileName("interrupted-call")],
      questions: [],
    },
  ];
}
