import { isObject } from "../../../platform/values/is-object.ts";
import { importsPackage } from "../factory-evidence.ts";
import type { FormRule } from "../form-rule.ts";

const isText = (value: unknown): value is string => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";

export type LibraryForm = "anthropic" | "llamaindex" | "strands" | "voltagent" | "tanstack-ai" | "agentkit" | "adk";

/** The mark of every tool object of ADK since version 0.3. */
const ADK_TOOL = Symbol.for("google.adk.baseTool");

/** The tools of agent libraries whose objects carry marks of their own, or whose file imports the library. */
export const LIBRARY_RULES: readonly FormRule<LibraryForm>[] = [
  {
    form: "tanstack-ai",
    why: 'it exports an object with "name" and "__toolSide", the shape that toolDefinition() of TanStack AI returns',
    fits: ({ name, __toolSide: side }) => isText(name) && isText(side),
  },
  {
    form: "voltagent",
    why: 'it exports an object with type "user-defined" and "name", the shape that createTool() of VoltAgent returns',
    fits: ({ type, name }) => type === "user-defined" && isText(name),
  },
  {
    form: "strands",
    why: 'it exports an object with "toolSpec" and "stream" or "invoke", the shape that tool() of Strands Agents returns',
    fits: ({ toolSpec, stream, invoke }) =>
      isObject(toolSpec) && isText(toolSpec.name) && [stream, invoke].some(isFunction),
  },
  {
    form: "anthropic",
    why: 'it exports an object with "name", "run" and "input_schema" or "parse", the shape that betaTool() of the Anthropic SDK returns',
    fits: ({ name, run, input_schema: schema, parse }) =>
      isText(name) && isFunction(run) && (isObject(schema) || isFunction(parse)),
  },
  {
    form: "llamaindex",
    why: 'it exports an object with "metadata" and "call", the shape that tool() of LlamaIndex returns',
    fits: ({ metadata, call, schema }) =>
      isFunction(call) && schema === undefined && isObject(metadata) && isText(metadata.name),
  },
  {
    form: "adk",
    why: 'it exports a tool of Google\'s Agent Development Kit, an object with "runAsync" and "_getDeclaration"',
    fits: (value, { from }) =>
      isText(value.name) &&
      isFunction(value.runAsync) &&
      isFunction(value._getDeclaration) &&
      (ADK_TOOL in value || importsPackage(from, /^@google\/adk(?:\/|$)/)),
  },
  {
    form: "agentkit",
    why: 'it exports an object with "name" and "handler" and imports @inngest/agent-kit, the shape that createTool() of AgentKit returns',
    fits: ({ name, handler }, { from }) =>
      isText(name) && isFunction(handler) && importsPackage(from, /^@inngest\/agent-kit(?:\/|$)/),
  },
];
