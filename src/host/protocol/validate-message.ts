import type { ToolErrorCode } from "../../core/error.ts";
import type { Update } from "../../core/events.ts";
import type { Content, ShapedResult, Truncated } from "../../core/result.ts";
import type { Issue } from "../../core/schema.ts";
import type { SessionAction } from "../../core/session.ts";
import type { AskRequest, DeclaredAccess, Delegation } from "../../core/tool.ts";
import { isObject } from "../../platform/values/is-object.ts";
import {
  type Check,
  type Fields,
  isCount,
  isFlag,
  isId,
  isJson,
  isJsonObject,
  isText,
  listOf,
  object,
  oneOf,
  optional,
  sizeOf,
  union,
} from "./checks.ts";
import { isDrawnLines } from "./drawn-lines.ts";
import type { FromHost, HostRequest, HostResult, QueryAnswer, UiRequest, ViewRequest } from "./messages.ts";
import { MAX_UPDATE } from "./progress.ts";
import { isImports, isManifest } from "./validate-manifest.ts";

/** A message that the host's own code does not send: a tool wrote to the channel of its process. */
export class InvalidMessage extends Error {
  constructor(why: string) {
    super(`it sent an invalid message (${why})`);
  }
}

/**
 * Throws `InvalidMessage` unless every field of a message is valid: tools can write to the channel of their process, and an
 * invalid field would throw later, in the serving process. `HostProcess` checks which calls, files and sessions a host may name.
 */
export function validateMessage(value: unknown): FromHost {
  if (!isObject(value)) throw new InvalidMessage("not an object");
  const { type } = value;
  if (!isType(type)) throw new InvalidMessage(`unknown type ${shown(type)}`);
  if (!CHECKS[type](value)) throw new InvalidMessage(`"${type}": ${faultIn(value, MESSAGES[type])}`);
  return value as unknown as FromHost;
}

type Type = FromHost["type"];
type ViewDrawing = NonNullable<Extract<ViewRequest, { readonly kind: "next" }>["drawn"]>;

function isType(type: unknown): type is Type {
  return typeof type === "string" && Object.hasOwn(MESSAGES, type);
}

function shown(type: unknown): string {
  return typeof type === "string" ? JSON.stringify(type.slice(0, 40)) : typeof type;
}

/** The invalid field of an invalid message. */
function faultIn(value: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, Check>>): string {
  const wrong = Object.keys(fields).find((name) => fields[name]?.(value[name]) === false);
  if (wrong !== undefined) return `"${wrong}" is not valid`;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name)) ?? "";
  return `unknown field ${shown(unknown)}`;
}

const isContent: Check = union<"type", Content>("type", {
  text: { type: isText, text: isText },
  image: { type: isText, data: isText, mimeType: isText },
  file: { type: isText, mimeType: isText, name: optional(isText), data: optional(isText), url: optional(isText) },
});

const isTruncated = object<Truncated>({
  keptBytes: isCount,
  totalBytes: isCount,
  omittedLines: isCount,
  fullOutput: optional(isText),
});

const isIssue = object<Issue>({ path: isText, message: isText });

const isErrorCode = oneOf<ToolErrorCode>({
  unknown_tool: true,
  invalid_input: true,
  denied: true,
  timeout: true,
  aborted: true,
  crashed: true,
  failed: true,
  invalid_output: true,
});

const RESULT_FIELDS = {
  content: listOf(isContent),
  data: isJson,
  title: optional(isText),
  truncated: optional(isTruncated),
  returnedNothing: optional((value) => value === true),
};

const isSuccess = object<HostResult & { ok: true }>({ ...RESULT_FIELDS, ok: isFlag });
const isFailure = object<HostResult & { ok: false }>({
  ...RESULT_FIELDS,
  ok: isFlag,
  code: isErrorCode,
  message: isText,
  issues: optional(listOf(isIssue)),
  slow: optional(listOf(isText)),
  thrownAt: optional(isText),
  causes: optional(listOf(isText)),
});

const isResult: Check = (value) => isObject(value) && (value.ok === true ? isSuccess : isFailure)(value);

/** Limited as in `progress.ts`: many updates may wait for a slow client. */
const isUpdate = object<Update>({
  title: optional((title) => typeof title === "string" && title.length <= MAX_UPDATE),
  metadata: optional((metadata) => isJsonObject(metadata) && sizeOf(metadata) <= MAX_UPDATE),
});

const isAccess = object<DeclaredAccess>({
  kind: oneOf<DeclaredAccess["kind"]>({ read: true, write: true, execute: true, network: true }),
  target: isText,
  named: optional(isFlag),
});

const isAskRequest = object<AskRequest>({
  permission: isText,
  patterns: listOf(isText),
  always: optional(listOf(isText)),
  metadata: optional(isJsonObject),
});

const isHostRequest = union<"kind", HostRequest>("kind", {
  ask: { kind: isText, request: isAskRequest },
  permit: { kind: isText, access: isAccess },
  permitted: { kind: isText, access: listOf(isAccess) },
  "permitted-below": { kind: isText, folder: isText },
  get: { kind: isText, key: isText },
  set: { kind: isText, key: isText, value: isJson },
  delegate: {
    kind: isText,
    work: object<Delegation>({ description: isText, prompt: isText, agent: isText, sessionID: optional(isText) }),
  },
  call: { kind: isText, tool: isText, input: isJson },
});

const isViewRequest = union<"kind", ViewRequest>("kind", {
  open: { kind: isText, title: optional((title) => typeof title === "string" && title.length <= 200), overlay: isFlag },
  next: { kind: isText, drawn: optional(object<ViewDrawing>({ id: isId, lines: isDrawnLines })) },
  changed: { kind: isText },
  close: { kind: isText },
});

const isUiRequest = object<UiRequest>({
  method: isText,
  args: (args) => Array.isArray(args) && isJson(args),
  callID: optional(isText),
  sessionID: optional(isText),
  dialogID: optional(isText),
  view: optional(isViewRequest),
});

/** An entry may have further fields. */
const isEntry: Check = (entry) =>
  isObject(entry) &&
  isText(entry.id) &&
  (entry.parentId === null || isText(entry.parentId)) &&
  isText(entry.type) &&
  isText(entry.timestamp) &&
  isJson(entry);

const isAction = union<"type", SessionAction>("type", {
  entry: { type: isText, entry: isEntry },
  message: { type: isText, message: isJson, options: isJson },
  "user-message": { type: isText, content: isJson, options: isJson },
  name: { type: isText, name: isText },
  stop: { type: isText },
  "active-tools": { type: isText, names: listOf(isText) },
  state: { type: isText, key: isText, value: isJson },
});

const isHookedResult = object<ShapedResult>({
  content: listOf(isContent),
  data: isJson,
  title: optional(isText),
  isError: isFlag,
});

const isAnswer = union<"kind", QueryAnswer>("kind", {
  prepared: { kind: isText, access: listOf((access) => access === "undeclared" || isAccess(access)) },
  invalid: { kind: isText, issues: listOf(isIssue) },
  slow: { kind: isText, parts: listOf(isText) },
  rendered: { kind: isText, lines: optional(isDrawnLines) },
  passed: { kind: isText },
  changed: { kind: isText, input: isJson },
  refused: { kind: isText, reason: isText },
  after: { kind: isText, result: optional(isHookedResult), truncated: optional(isTruncated) },
  handled: { kind: isText },
  failed: { kind: isText, message: isText },
});

/** A new message, or a new field of one, does not compile until it has a check. */
const MESSAGES: { readonly [T in Type]: Fields<Extract<FromHost, { readonly type: T }>> } = {
  ready: { type: isText },
  loading: { type: isText, load: isId },
  "imports-changed": { type: isText, file: isText, imports: isImports },
  loaded: { type: isText, load: isId, manifests: listOf(isManifest) },
  "manifest-changed": { type: isText, manifest: isManifest },
  answer: { type: isText, id: isId, answer: isAnswer },
  started: { type: isText, id: isId },
  "not-started": { type: isText, id: isId },
  update: { type: isText, id: isId, update: isUpdate },
  request: { type: isText, id: isId, requestID: isId, request: isHostRequest },
  "cancel-request": { type: isText, id: isId, requestID: isId },
  "ui-request": { type: isText, id: optional(isId), requestID: isId, request: isUiRequest },
  "session-action": { type: isText, sessionID: isText, action: isAction },
  previews: { type: isText, sessionID: isText, count: isCount },
  result: { type: isText, id: isId, result: isResult },
  pong: { type: isText },
  idle: { type: isText },
  ending: { type: isText, reason: isText, started: listOf(isId) },
};

const CHECKS = Object.fromEntries(Object.entries(MESSAGES).map(([type, fields]) => [type, object(fields)])) as Readonly<
  Record<Type, Check>
>;
