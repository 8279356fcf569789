import type { Tool } from "../core/tool.ts";
import type { CallHooks, Contributions, ExportProblem, FormatInfo, HookedCall, HookedResult } from "./contributions.ts";

/** What several exports of one file give, as one. Of two tools of one name the first stays, and the other is a problem. */
export function mergeContributions(parts: readonly Contributions[]): Contributions {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const about = mergeAbout(parts.flatMap((part) => part.about ?? []));
  const reads = [...new Set(parts.flatMap((part) => part.reads ?? []))];
  const listening = parts.filter((part) => part.onSession);
  return {
    get tools() {
      return byName(parts).tools;
    },
    get problems() {
      return [...parts.flatMap(({ problems }) => problems), ...byName(parts).problems];
    },
    ...(about ? { about } : {}),
    ...(parts.some(({ dependsOnHost }) => dependsOnHost) ? { dependsOnHost: true } : {}),
    ...(reads.length > 0 ? { reads } : {}),
    ...(listening.length > 0 ? { onSession: (...event) => tellAll(listening, event) } : {}),
    ...(parts.some((part) => part.close) ? { close: async () => void (await Promise.all(parts.map(closed))) } : {}),
    get hooks() {
      return mergeHooks(parts.flatMap((part) => part.hooks ?? []));
    },
  } as Contributions;
}

function byName(parts: readonly Contributions[]): { tools: Tool[]; problems: ExportProblem[] } {
  const tools = new Map<string, Tool>();
  const problems: ExportProblem[] = [];
  for (const tool of parts.flatMap((part) => part.tools)) {
    const first = tools.get(tool.name);
    if (first === undefined) tools.set(tool.name, tool);
    else problems.push(nameTaken(tool, first));
  }
  return { tools: [...tools.values()], problems };
}

function nameTaken({ name, origin }: Tool, first: Tool): ExportProblem {
  const [here, there] = [origin.exportName, first.origin.exportName];
  return {
    file: origin.file ?? "",
    code: "name_taken",
    tool: name,
    ...(here === undefined ? {} : { exportName: here.split(".", 1).join() }),
    message: `The exports "${there}" and "${here}" are both called "${name}". Rename one of them; until then "${there}" is served.`,
  };
}

function mergeAbout(abouts: readonly FormatInfo[]): FormatInfo | undefined {
  const [first] = abouts;
  return (
    first && {
      ...first,
      unsupportedFeatures: [...new Set(abouts.flatMap(({ unsupportedFeatures }) => unsupportedFeatures))],
    }
  );
}

/** Each sees what those before it have left of the call and of the result. */
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
      let changes: Partial<HookedResult> = {};
      for (const hook of hooks) changes = { ...changes, ...(await hook.after?.(call, { ...result, ...changes })) };
      return changes;
    },
  };
}

function closed(part: Contributions): Promise<void> | undefined {
  return part.close?.();
}

type Told = Parameters<NonNullable<Contributions["onSession"]>>;

/** One that fails does not keep the event from the others. */
async function tellAll(parts: readonly Contributions[], event: Told): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) await part.onSession?.(...event).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
