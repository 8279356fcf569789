import { homedir } from "node:os";
import { join } from "node:path";
import { isObject } from "../../platform/values/is-object.ts";

export const DEFAULT_ACCOUNT_ID: string = "default";

export function normalizeAccountId(id?: string | null): string {
  return id?.trim().toLowerCase() || DEFAULT_ACCOUNT_ID;
}

/** The folder in which OpenClaw keeps its files. */
export function resolveStateDir(env: NodeJS.ProcessEnv = process.env): string {
  return env.OPENCLAW_STATE_DIR || join(homedir(), ".openclaw");
}

/** A reference to a secret in a configuration: `{ source, provider, id }`. */
export function isSecretRef(value: unknown): boolean {
  return isObject(value) && [value.source, value.provider, value.id].every((field) => typeof field === "string");
}

/** A variable of a plugin that `setRuntime` fills. */
export function createPluginRuntimeStore<Runtime>(
  options: string | { readonly errorMessage?: string; readonly pluginId?: string } = {},
): {
  setRuntime(runtime: Runtime): void;
  clearRuntime(): void;
  tryGetRuntime(): Runtime | null;
  getRuntime(): Runtime;
} {
  const message = typeof options === "string" ? options : options.errorMessage;
  let current: Runtime | null = null;
  return {
    setRuntime: (runtime) => {
      current = runtime;
    },
    clearRuntime: () => {
      current = null;
    },
    tryGetRuntime: () => current,
    getRuntime: () => {
      if (current === null)
        throw new Error(message ?? "The runtime of the plugin is not set. Call setRuntime() first.");
      return current;
    },
  };
}

type Line = (message: string, meta?: unknown) => void;

/** A logger that writes to stderr. */
export function createSubsystemLogger(subsystem: string): Record<
  "trace" | "debug" | "info" | "warn" | "error",
  Line
> & {
  readonly subsystem: string;
} {
  const line: Line = (message) => void process.stderr.write(`[${subsystem}] ${message}\n`);
  return { subsystem, trace: () => {}, debug: () => {}, info: line, warn: line, error: line };
}

const MEGABYTE = 1024 * 1024;

/** The largest file of a kind that OpenClaw delivers. */
export function maxBytesForKind(kind: string): number {
  if (kind === "image") return 6 * MEGABYTE;
  return (kind === "audio" || kind === "video" ? 16 : 100) * MEGABYTE;
}
