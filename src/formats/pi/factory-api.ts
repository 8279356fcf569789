import { createRequire } from "node:module";
import type { ExecOptions, ExecResult } from "../../authoring/pi/extension-types.ts";
import { createLogger } from "../../authoring/pi/logger.ts";
import * as values from "../../authoring/pi/values.ts";
import { messageOf } from "../../core/error.ts";
import type { PendingAction } from "../contributions.ts";
import { createUi } from "./extension-ui.ts";
import type { PiRuntime } from "./pi-runtime.ts";

const require = createRequire(import.meta.url);

/** What factories of tools are called with. The libraries are loaded when a file first asks for them. */
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
    arktype: ownArktype(runtime),
    pi: withComponents({ ...values, logger }),
    pushPendingAction: (action: unknown) => host.pushPendingAction(checkedAction(action)),
  };
}

/** All that can be imported from pi: the components too, once one of them is asked for. */
function withComponents(known: object): object {
  return new Proxy(known, {
    get: (target, key) => {
      if (key in target || typeof key === "symbol" || key === "then") return Reflect.get(target, key);
      return Reflect.get(require("@earendil-works/pi-tui"), key);
    },
  });
}

/** Not among what comes with this package: a file that uses it has to have it. */
function ownArktype({ file }: PiRuntime): object {
  const load = (): ((...args: unknown[]) => unknown) => {
    try {
      return createRequire(file.path)("arktype").type;
    } catch {
      throw new Error(
        `pi.arktype is not here: run "npm install arktype" in the folder of ${file.path}, or describe the parameters with pi.typebox or pi.zod.`,
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
    throw new Error("pushPendingAction() needs a label: a short text that says what would be applied.");
  }
  if (typeof apply !== "function") {
    throw new Error("pushPendingAction() needs apply(reason): the function that does what was previewed.");
  }
  return {
    label,
    sourceToolName: sourceToolName ?? "custom_tool",
    ...(details === undefined ? {} : { details }),
    apply: async (reason) => apply.call(action, reason),
    ...(typeof reject === "function" ? { reject: async (reason: string) => reject.call(action, reason) } : {}),
  };
}

/** Runs a command for a file, without a shell. Never rejects: what goes wrong is in the result. */
export async function exec(
  runtime: PiRuntime,
  command: string,
  args: readonly string[] = [],
  options: ExecOptions = {},
): Promise<ExecResult> {
  const { signal, timeout, env } = options;
  const { runProcess } = await import("../../process/run-process.ts");
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
