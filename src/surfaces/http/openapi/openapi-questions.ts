import {
  type ApiPart,
  answers,
  type Json,
  many,
  object,
  pathParameter,
  ref,
  refused,
  requestBody,
  text,
} from "./openapi-parts.ts";

const PATHS: Json = {
  "/api/questions": {
    get: { summary: "List the open questions", ...answers("The open questions, oldest first.", ref("Questions")) },
  },
  "/api/questions/{id}": {
    parameters: [pathParameter("id")],
    post: {
      summary: "Answer a question",
      description: "The first answer counts.",
      requestBody: requestBody(ref("Answer")),
      ...answers("The question has this answer.", object({ answered: { const: true } }), {
        400: refused("The answer does not fit the question. The message names the field, and says what is expected."),
        404: refused("There is no such question."),
        409: refused("The question has been answered, or its call has ended."),
      }),
    },
  },
};

const QUESTION_KEYS = {
  type: { const: "question.asked" },
  questionID: text,
  callID: text,
  tool: text,
  sessionID: text,
  messageID: text,
  agent: text,
  parentID: { type: "string", description: "The call that made this call." },
  at: { type: "integer", description: "Milliseconds since the epoch." },
  reason: { type: "string", description: "Why the question is asked; the title of a dialog." },
};

const REQUIRED_KEYS = Object.keys(QUESTION_KEYS).filter((key) => key !== "parentID");

/** What a call touches, as its tool declares it. */
export const ACCESS: Json = {
  anyOf: [
    { const: "undeclared" },
    object(
      {
        kind: { enum: ["read", "write", "execute", "network"] },
        target: text,
        named: { type: "boolean", description: "Only a rule that names the target allows it." },
      },
      ["kind", "target"],
    ),
  ],
};

const SCHEMAS: Json = {
  Question: { oneOf: [ref("PermissionQuestion"), ref("Dialog")] },
  PermissionQuestion: object(
    {
      ...QUESTION_KEYS,
      kind: { const: "permission" },
      input: { description: "The arguments of the call." },
      access: many(ACCESS),
      choices: many({ enum: ["once", "session", "always"] }),
      rules: {
        ...many(object({ tool: text, match: text, agent: text, action: text }, ["tool", "action"])),
        description: "The rules that remember adds.",
      },
      settingsFile: { type: "string", description: "The file to which always adds the rules." },
      request: {
        ...object({ permission: text, patterns: many(text), always: many(text), metadata: { type: "object" } }, [
          "permission",
          "patterns",
        ]),
        description: "Only if the tool itself asks while it runs.",
      },
    },
    [...REQUIRED_KEYS, "kind", "input", "access", "choices", "rules", "settingsFile"],
  ),
  Dialog: object(
    {
      ...QUESTION_KEYS,
      kind: { const: "dialog" },
      method: { enum: ["select", "confirm", "input", "editor"] },
      options: { ...many(text), description: "For select: the values to choose from." },
      message: text,
      placeholder: text,
      prefill: text,
    },
    [...REQUIRED_KEYS, "kind", "method"],
  ),
  Questions: object({ questions: many(ref("Question")) }),
  Answer: object(
    {
      allowed: { type: "boolean", description: "For a dialog, false closes it without an answer." },
      remember: { enum: ["session", "always"], description: "One of the choices of the question; once if left out." },
      reason: { type: "string", maxLength: 10_000, description: "Why not, for the model." },
      value: { description: "The answer to a dialog: one of its options, true or false (confirm), or a text." },
    },
    ["allowed"],
  ),
};

/** Questions about calls. */
export const QUESTIONS_API: ApiPart = { paths: PATHS, schemas: SCHEMAS };
