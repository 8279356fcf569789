import type { FileManifest } from "./manifest.ts";
import type { FromHost } from "./protocol.ts";

/**
 * Throws for a message that lacks what its reader takes for granted. Tools can write to the channel of their process:
 * what they write must be found out here, and not where it would be remembered, or where nobody catches.
 */
export function mustMakeSense(message: FromHost): void {
  if (!isSound(message)) throw new TypeError(`A message "${message.type}" makes no sense.`);
}

function isSound(message: FromHost): boolean {
  switch (message.type) {
    case "loaded":
      return isList(message.manifests, isManifest);
    case "changed":
      return isManifest(message.manifest);
    case "depends":
      return isText(message.file) && isList(message.imports, isStamped);
    case "response":
      return isObject(message.answer) && isText(message.answer.kind);
    case "result":
      return isObject(message.result) && isList(message.result.content, isObject);
    case "update":
      return isObject(message.update);
    case "need":
      return isNeed(message.what);
    case "ui":
      return isObject(message.request) && isText(message.request.method) && isList(message.request.args);
    case "act":
      return isText(message.sessionID) && isAction(message.action);
    case "pending":
      return isText(message.sessionID) && Number.isSafeInteger(message.count);
    default:
      return true;
  }
}

/** What the serving process takes for granted of it. */
function isNeed(need: unknown): boolean {
  if (!isObject(need)) return false;
  const { kind, request, access, key, work } = need;
  switch (kind) {
    case "ask":
      return isObject(request);
    case "permit":
      return isAccess(access);
    case "permitted":
      return isList(access, isAccess);
    case "get":
    case "set":
      return isText(key);
    default:
      return kind === "delegate" && isObject(work) && isText(work.prompt) && isText(work.agent);
  }
}

function isAccess(access: unknown): boolean {
  return isObject(access) && isText(access.kind) && isText(access.target);
}

function isAction(action: unknown): boolean {
  if (!isObject(action)) return false;
  const { type, entry, name, names, key } = action;
  if (type === "state") return isText(key);
  if (type === "entry") return isObject(entry) && isText(entry.id);
  if (type === "active-tools") return isList(names, isText);
  return isText(type) && (type !== "name" || isText(name));
}

function isManifest(manifest: unknown): manifest is FileManifest {
  if (!isObject(manifest)) return false;
  const { file, tools, problems, imports, hooks = [] } = manifest;
  return (
    isText(file) &&
    isList(tools, isTool) &&
    isList(problems, (problem) => isObject(problem) && isText(problem.message)) &&
    isList(imports, isStamped) &&
    isList(hooks, isText)
  );
}

function isTool(tool: unknown): boolean {
  if (!isObject(tool) || !isText(tool.name) || !isObject(tool.inputSchema)) return false;
  return tool.outputSchema === undefined || isObject(tool.outputSchema);
}

function isStamped(pair: unknown): boolean {
  return isList(pair, isText);
}

function isList(value: unknown, fits: (member: unknown) => boolean = () => true): boolean {
  return Array.isArray(value) && value.every(fits);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
