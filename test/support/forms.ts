import type { CallContext, ToolContext } from "../../src/core/tool.ts";
import type { FormatHost, ModuleFile } from "../../src/host/formats/contributions.ts";
import type { ExportContext } from "../../src/host/formats/export-context.ts";

/** A tool file. */
export const FILE: ModuleFile = {
  path: "/p/tools/lint.ts",
  name: "lint",
  source: "custom",
  place: "project",
  system: "toolwright",
};

/** A host without user interface and session, which records its log. */
export function formatHost(changes: Partial<FormatHost> = {}): FormatHost & { logged: unknown[][] } {
  const logged: unknown[][] = [];
  return {
    cwd: "/p/app",
    worktree: "/p",
    hasUI: false,
    hasViews: false,
    ui: async () => undefined,
    show: async () => undefined,
    log: (...entry) => logged.push(entry.filter((part) => part !== undefined)),
    pushPendingAction: () => {},
    act: () => {},
    session: () => ({ id: "" }),
    allTools: () => [],
    ...changes,
    logged,
  };
}

/** The context of the default export of `FILE`. */
export function exportAt(changes: Partial<ExportContext> = {}): ExportContext {
  return {
    exportName: "default",
    name: "lint",
    file: FILE,
    source: "",
    host: formatHost(),
    why: "it is one",
    ...changes,
  };
}

/** Default services of a call. */
export const NEEDS: Pick<
  ToolContext,
  "write" | "permit" | "permitted" | "permittedBelow" | "state" | "limits" | "delegate"
> = {
  write: () => {},
  permit: async () => {},
  permitted: async (access) => access.map(() => true),
  permittedBelow: async () => true,
  state: { get: async () => undefined, set: async () => {} },
  limits: { timeoutMs: 120_000, maxLines: 2_000, maxBytes: 50_000, keep: "head", own: {} },
  delegate: async () => ({ sessionID: "s2", output: "" }),
};

/** The fields of a call, and those of its author's context. */
export type CallChanges = Partial<ToolContext> & Partial<Omit<CallContext, "author">>;

/** The context of a call. It records progress and questions. */
export function callContext(changes: CallChanges = {}): CallContext & { shown: unknown[]; asked: unknown[] } {
  const { session = { id: "s1", messages: ["hello"] }, partial, callBuiltin, ...own } = changes;
  const shown: unknown[] = [];
  const asked: unknown[] = [];
  const author: ToolContext = {
    sessionID: "s1",
    messageID: "m1",
    callID: "c1",
    agent: "tester",
    directory: "/p/app",
    worktree: "/p",
    abort: new AbortController().signal,
    extra: {},
    metadata: (update) => void shown.push(update),
    messages: session.messages ?? [],
    ask: async (request) => void asked.push(request),
    ...NEEDS,
    ...own,
  };
  return {
    author,
    session,
    partial: partial ?? ((result) => void shown.push(result)),
    callBuiltin: callBuiltin ?? (async () => ({ ok: true, content: [] })),
    shown,
    asked,
  };
}
