import { setTimeout as sleep } from "node:timers/promises";
import type { InputRequest, InputResponse } from "@modelcontextprotocol/server";
import { type ToolContext, tool } from "../../src/index.ts";
import type { McpClient } from "../../src/surfaces/mcp/index.ts";
import { form, PNG, WAV } from "./conformance-content.ts";

const z = tool.schema;
const NAME = form("What is your name?", { name: { type: "string" } });
const CONFIRM = form("Please confirm", { ok: { type: "boolean" } });
const ROOTS: InputRequest = { method: "roots/list", params: {} };

function sampling(text: string, maxTokens: number): InputRequest {
  return {
    method: "sampling/createMessage",
    params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens },
  };
}

/** The tools that the suite calls by name. `clientOf` finds the client of a call, `change` changes the list of tools. */
export function conformanceTools(
  clientOf: (context: ToolContext) => McpClient,
  change: () => Promise<void>,
): Record<string, unknown> {
  /** A tool that asks the client these questions in order, and returns the answers. */
  const asking = (
    description: string,
    rounds: readonly Readonly<Record<string, InputRequest>>[],
    say: (answers: Record<string, InputResponse>) => string,
  ): unknown =>
    tool({
      description,
      args: {},
      execute: async (_args, context) => {
        let answers: Record<string, InputResponse> = {};
        for (const round of rounds) answers = { ...answers, ...(await clientOf(context).ask(round)) };
        return say(answers);
      },
    });
  const told = (answers: Record<string, InputResponse>): string => JSON.stringify(answers);
  const completed = ({ answer }: Record<string, InputResponse>): string => {
    const { action, content } = answer as { action: string; content?: unknown };
    return `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`;
  };

  return {
    test_simple_text: tool({
      description: "Answers with text.",
      args: {},
      execute: () => "This is a simple text response for testing.",
    }),
    test_image_content: returning("Answers with a picture.", [{ type: "image", data: PNG, mimeType: "image/png" }]),
    test_audio_content: returning("Answers with a sound.", [{ type: "audio", data: WAV, mimeType: "audio/wav" }]),
    test_embedded_resource: returning("Answers with a file.", [
      file("test://embedded-resource", "text/plain", "This is an embedded resource content."),
    ]),
    test_multiple_content_types: returning("Answers with several things.", [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: PNG, mimeType: "image/png" },
      file("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ]),
    test_tool_with_logging: logging("Logs while it works.", clientOf),
    test_logging_tool: logging("Logs while it works, for those who want it.", clientOf),
    test_error_handling: tool({
      description: "Fails.",
      args: {},
      execute: () => {
        throw new Error("This tool intentionally returns an error for testing");
      },
    }),
    test_tool_with_progress: tool({
      description: "Says how far it is.",
      args: {},
      execute: async (_args, context) => {
        for (const progress of [0, 50, 100]) {
          context.metadata({ metadata: { progress, total: 100 } });
          await sleep(60);
        }
        return "Done.";
      },
    }),
    test_sampling: tool({
      description: "Asks the client's model.",
      args: { prompt: z.string().describe("What to ask.") },
      execute: async ({ prompt }, context) => {
        const { answer } = await clientOf(context).ask({ answer: sampling(prompt, 100) });
        const { content } = answer as { content: { text?: string } };
        return `LLM response: ${content.text}`;
      },
    }),
    test_elicitation: tool({
      description: "Asks the client's user.",
      args: { message: z.string().describe("What to ask.") },
      execute: async ({ message }, context) => {
        const fields = {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        } as const;
        const { answer } = await clientOf(context).ask({ answer: form(message, fields) });
        const { action, content } = answer as { action: string; content?: unknown };
        return `User response: <action: ${action}, content: ${JSON.stringify(content ?? {})}>`;
      },
    }),
    test_elicitation_sep1034_defaults: asking("Asks with defaults.", [{ answer: DEFAULTS }], completed),
    test_elicitation_sep1330_enums: asking("Asks with choices.", [{ answer: CHOICES }], completed),
    test_input_required_result_elicitation: asking(
      "Asks for a name.",
      [{ user_name: NAME }],
      ({ user_name }) => `Hello, ${(user_name as { content?: { name?: string } }).content?.name}!`,
    ),
    test_streaming_elicitation: asking("Asks for a name while it streams.", [{ user_name: NAME }], told),
    test_input_required_result_sampling: asking(
      "Asks the model.",
      [{ capital_question: sampling("What is the capital of France?", 100) }],
      told,
    ),
    test_input_required_result_list_roots: asking("Asks for the roots.", [{ client_roots: ROOTS }], told),
    test_input_required_result_request_state: asking("Asks once.", [{ confirm: CONFIRM }], () => "state-ok"),
    test_input_required_result_tampered_state: asking("Asks once, carefully.", [{ confirm: CONFIRM }], told),
    test_input_required_result_multiple_inputs: asking(
      "Asks for three things at once.",
      [{ user_name: NAME, greeting: sampling("Generate a greeting", 50), client_roots: ROOTS }],
      told,
    ),
    test_input_required_result_multi_round: asking(
      "Asks twice.",
      [
        { step1: form("Step 1: What is your name?", { name: { type: "string" } }) },
        { step2: form("Step 2: What is your favorite color?", { color: { type: "string" } }) },
      ],
      told,
    ),
    test_input_required_result_capabilities: tool({
      description: "Asks for what the client can answer.",
      args: {},
      execute: async (_args, context) => {
        const client = clientOf(context);
        const { elicitation, sampling: samples } = client.capabilities;
        const requests: Record<string, InputRequest> = {
          ...(elicitation ? { user_name: NAME } : {}),
          ...(samples ? { greeting: sampling("Generate a greeting", 50) } : {}),
        };
        return told(await client.ask(requests));
      },
    }),
    test_missing_capability: asking("Needs a model.", [{ greeting: sampling("Generate a greeting", 50) }], told),
    json_schema_2020_12_tool: {
      name: "json_schema_2020_12_tool",
      description: "Has a schema with whatever 2020-12 allows.",
      inputSchema: SCHEMA,
      handler: () => "",
    },
    test_trigger_tool_change: tool({
      description: "Changes the list of tools.",
      args: {},
      execute: async () => {
        await change();
        return "Changed.";
      },
    }),
  };
}

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "address",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" }, kind: { type: "string" } },
  allOf: [{ anyOf: [{ required: ["name"] }, { required: ["address"] }] }],
  if: { properties: { kind: { const: "person" } } },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
  then: { required: ["name"] },
  else: {},
  additionalProperties: false,
};

const DEFAULTS = form(
  "Who is it?",
  {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  [],
);

const OPTIONS = ["option1", "option2", "option3"];

function titled(kind: string): { const: string; title: string }[] {
  return ["First", "Second", "Third"].map((title, index) => ({
    const: `value${index + 1}`,
    title: `${title} ${kind}`,
  }));
}

const CHOICES = form(
  "Which is it?",
  {
    untitledSingle: { type: "string", enum: OPTIONS },
    titledSingle: { type: "string", oneOf: titled("Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
    titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
  },
  [],
);

function returning(description: string, content: readonly object[]): unknown {
  return tool({ description, args: {}, execute: () => ({ content }) });
}

function file(url: string, mimeType: string, text: string): object {
  return { type: "file", url, mimeType, data: Buffer.from(text).toString("base64") };
}

function logging(description: string, clientOf: (context: ToolContext) => McpClient): unknown {
  return tool({
    description,
    args: {},
    execute: async (_args, context) => {
      const client = clientOf(context);
      for (const text of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await client.log("info", text);
        await sleep(50);
      }
      return "Logged.";
    },
  });
}
