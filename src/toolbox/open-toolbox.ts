import { defined } from "../platform/values/defined.ts";
import { isObject } from "../platform/values/is-object.ts";
import { checkSettings } from "../settings/check-settings.ts";
import { settingsSchema } from "../settings/settings-schema.ts";
import { ServedToolbox } from "./served-toolbox.ts";
import type { RunPermissions, Toolbox, ToolboxOptions } from "./toolbox.ts";
import { prepareParts } from "./toolbox-parts.ts";

/** Finds, checks and serves tools for a directory. Never rejects because of a tool file. */
export async function openToolbox(options: ToolboxOptions = {}): Promise<Toolbox> {
  const { toolbox, reading } = await prepare(options);
  await reading;
  return toolbox;
}

/** Like `openToolbox`, but resolves before the files are read: see `Toolbox.ready`. */
export async function startToolbox(options: ToolboxOptions = {}): Promise<Toolbox> {
  const { toolbox, reading } = await prepare(options);
  // Reading rejects only because of a bug. Then the list is empty until the next reload.
  reading.catch(() => {});
  return toolbox;
}

async function prepare(options: ToolboxOptions): Promise<{ toolbox: Toolbox; reading: Promise<unknown> }> {
  assertStore(options.sessions);
  assertPermissions(options.permissions);
  const { parts, inspected } = await prepareParts(options);
  const toolbox = new ServedToolbox(parts, inspected);
  return { toolbox, reading: toolbox.begin() };
}

/** A misspelled rule must not be dropped: it may be one that denies. */
function assertPermissions({ mode, rules }: RunPermissions = {}): void {
  const given = defined({ mode, permissions: rules });
  const [issue] = checkSettings(given, settingsSchema).issues;
  if (issue) throw new TypeError(`The option "permissions" of createToolbox is wrong. ${issue.message}`);
}

/** A misspelled "disk" must not keep sessions only in memory. */
function assertStore(store: unknown = "memory"): void {
  if (store === "memory" || store === "disk" || (isObject(store) && "append" in store)) return;
  const given = typeof store === "string" ? `, not ${JSON.stringify(store)}` : "";
  throw new TypeError(`"sessions" of createToolbox must be "memory", "disk" or a SessionStore${given}.`);
}
