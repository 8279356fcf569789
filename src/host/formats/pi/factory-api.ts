import { createRequire } from "node:module";
import type { ExecOptions, ExecResult } from "../../../authoring/pi/extension-types.ts";
import { createLogger } from "../../../authoring/pi/logger.ts";
import * as values from "../../../authoring/pi/values.ts";
import { messageOf } from "../../../core/error.ts";
import type { PendingAction } from "../contributions.ts";
import { createUi } from "./extension-ui.ts";
import type { PiRuntime } from "./pi-runtime.ts";

const require = createRequire(import.meta.url);

/** The members that tool factories of oh-my-pi have. Libraries are loaded on first use. */
export function factoryApi(runtime: PiRuntime): object {
  const { host } = runtime;
  const logger = createLogger((level, message, data) => host.log(level, `${runtime.file.path}: ${message}`, data));
  return {
    get cwd() {
      return runtime.directory();
    },
    get hasUI() {
      return host.hasUI;
    },
    ui: createUi(runtime, () => host.hasUI),
    exec: exec.bind(undefined, runtime),
    logger,
    get typebox() {
      return require("@sinclair/typebox");
    },
    get zod() {
      return require("zod");
    },
    arktype: projectArktype(runtime),
    pi: withComponents({ ...values, logger }),
    pushPendingAction: (action: unknown) => host.pushPendingAction(checkedAction(action)),
  };
}

/** All exports of pi. The components of pi-tui are loaded when one of them is used, or a name that we lack. */
function withComponents(known: object): object {
  return new Proxy(known, {
    get: (target, key) => {
      if (key in target || typeof key === "symbol" || key === "then") return Reflect.get(target, key);
      return Reflect.get(require("@earendil-works/pi-tui"), key) ?? values.unavailable(key);
    },
  });
}

/** Not a dependency of Toolwright: it is loaded from the project of the file. */
function projectArktype({ file }: PiRuntime): object {
  const load = (): ((...args: unknown[]) => unknown) => {
    try {
      return createRequire(file.path)("arktype").type;
    } catch {
      throw new Error(
        `pi.arktype is not installed: run "npm install arktype" in the folder of ${file.path}, or describe the parameters with pi.typebox or pi.zod.`,
      );
    }
  };
  return new Proxy(() => {}, {
    apply: (_target, _self, args) => load()(...args),
    get: (_target, key) => Reflect.get(load(), key),
  });
}

function checkedAction(action: unknown): PendingAction {
  const { label, apply, reject, sourceToolName, details } = Object(action) as Partial<PendingAction>;
  if (typeof label !== "string" || label.trim() === "") {
    throw new Error("pushPendingAction() needs label, a short text that describes the change.");
  }
  if (typeof apply !== "function") {
    throw new Error("pushPendingAction() needs apply(reason), the function that makes the change.");
  }
  return {
    label,
    sourceToolName: sourceToolName ?? "custom_tool",
    ...(details === undefined ? {} : { details }),
    apply: async (reason) => apply.call(action, reason),
    ...(typeof reject === "function" ? { reject: async (reason: string) => reject.call(action, reason) } : {}),
  };
}

/** Runs a command without a shell. Never rejects: a failure is in the result. */
export async function exec(
  runtime: PiRuntime,
  command: string,
  args: readonly string[] = [],
  options: ExecOptions = {},
): Promise<ExecResult> {
  const { signal, timeout, env } = options;
  const { runProcess } = await import("../../../platform/processes/run-process.ts");
  try {
    const { stdout, stderr, code, killed } = await runProcess(command, args.map(String), {
      cwd: options.cwd ?? runtime.directory(),
      signal,
      ...(timeout && timeout > 0 ? { timeoutMs: timeout } : {}),
      ...(env ? { env: { ...process.env, ...env } } : {}),
    });
    return { stdout, stderr, code: code ?? 1, killed };
  } catch (error) {
    return { stdout: "", stderr: messageOf(error), code: 1, killed: false };
  }
}
