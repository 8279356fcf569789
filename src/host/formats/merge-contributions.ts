import type { Tool } from "../../core/tool.ts";
import type {
  CallHooks,
  Contributions,
  ExportProblem,
  FileCommand,
  FormatInfo,
  HookedCall,
  ShapedResult,
} from "./contributions.ts";

/** Merges the contributions of several exports of a file. If two tools have the same name, the second is reported. */
export function mergeContributions(parts: readonly Contributions[]): Contributions {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const about = mergeFormatInfo(parts.flatMap((part) => part.about ?? []));
  const reads = [...new Set(parts.flatMap((part) => part.reads ?? []))];
  const listeners = parts.filter((part) => part.onSession);
  return {
    get tools() {
      return uniqueTools(parts).tools;
    },
    get problems() {
      return [...parts.flatMap(({ problems }) => problems), ...uniqueTools(parts).problems];
    },
    ...(about ? { about } : {}),
    ...(parts.some(({ dependsOnHost }) => dependsOnHost) ? { dependsOnHost: true } : {}),
    ...(reads.length > 0 ? { reads } : {}),
    ...(listeners.length > 0 ? { onSession: (...event) => notifyAll(listeners, event) } : {}),
    ...(parts.some((part) => part.onChange)
      ? { onChange: (listener) => parts.forEach((part) => void part.onChange?.(listener)) }
      : {}),
    ...(parts.some((part) => part.close)
      ? { close: async () => void (await Promise.all(parts.map((part) => part.close?.()))) }
      : {}),
    get hooks() {
      return mergeHooks(parts.flatMap((part) => part.hooks ?? []));
    },
    get commands() {
      return uniqueCommands(parts.flatMap((part) => part.commands ?? []));
    },
  } as Contributions;
}

/** The same contributions with other tools. `change` is called whenever they are read. */
export function changeTools(part: Contributions, change: (tools: readonly Tool[]) => readonly Tool[]): Contributions {
  const copy = mergeContributions([part, { tools: [], problems: [] }]);
  return Object.defineProperty(copy, "tools", { enumerable: true, get: () => change(part.tools) });
}

function uniqueTools(parts: readonly Contributions[]): { tools: Tool[]; problems: ExportProblem[] } {
  const tools = new Map<string, Tool>();
  const problems: ExportProblem[] = [];
  for (const tool of parts.flatMap((part) => part.tools)) {
    const first = tools.get(tool.name);
    if (first === undefined) tools.set(tool.name, tool);
    else problems.push(nameTaken(tool, first));
  }
  return { tools: [...tools.values()], problems };
}

/** If two exports register a command of the same name, the first is served. */
function uniqueCommands(commands: readonly FileCommand[]): FileCommand[] {
  return commands.filter(({ name }, at) => commands.findIndex((other) => other.name === name) === at);
}

function nameTaken({ name, origin }: Tool, first: Tool): ExportProblem {
  const [here, there] = [origin.exportName, first.origin.exportName];
  return {
    file: origin.file ?? "",
    code: "name_taken",
    tool: name,
    ...(here === undefined ? {} : { exportName: here.split(".", 1).join() }),
    message: `The exports "${there}" and "${here}" are both called "${name}". Rename one of them. Until then "${there}" is served.`,
  };
}

function mergeFormatInfo(infos: readonly FormatInfo[]): FormatInfo | undefined {
  const [first] = infos;
  return (
    first && {
      ...first,
      unsupportedFeatures: [...new Set(infos.flatMap(({ unsupportedFeatures }) => unsupportedFeatures))],
    }
  );
}

/** Each hook sees the call and the result as the hooks before it changed them. */
function mergeHooks(hooks: readonly CallHooks[]): CallHooks | undefined {
  if (hooks.length === 0) return undefined;
  return {
    before: async (call) => {
      let current: HookedCall = call;
      for (const hook of hooks) {
        const answer = await hook.before?.(current);
        if (answer && "refuse" in answer) return answer;
        if (answer) current = { ...current, input: answer.input };
      }
      return current === call ? undefined : { input: current.input };
    },
    after: async (call, result) => {
      let changes: Partial<ShapedResult> = {};
      for (const hook of hooks) changes = { ...changes, ...(await hook.after?.(call, { ...result, ...changes })) };
      return changes;
    },
  };
}

type SessionArguments = Parameters<NonNullable<Contributions["onSession"]>>;

/** An error of one listener does not keep the event from the others. The first error is thrown at the end. */
async function notifyAll(parts: readonly Contributions[], event: SessionArguments): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) await part.onSession?.(...event).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
