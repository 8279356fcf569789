import { join } from "node:path";
import type { RegistryEntry } from "../catalog/registry/registry-entry.ts";
import { NOT_STARTED, TIMEOUT } from "../host/protocol/hosts.ts";
import type { Settings } from "../settings/settings.ts";
import type { CallLimits } from "./call.ts";
import { Clock } from "./clock.ts";

/** How long a call waits for a host process to start, in addition to the time that importing its file may take. */
const HOST_START_MS = 20_000;

/** Returns a function that computes the limits of a tool. It caches them for as long as the settings stay the same. */
export function createCallLimits(toolwrightHome: string): (entry: RegistryEntry, settings: Settings) => CallLimits {
  const folder = join(toolwrightHome, "outputs");
  const cache = new WeakMap<RegistryEntry, { readonly settings: Settings; readonly limits: CallLimits }>();
  return (entry, settings) => {
    const cached = cache.get(entry);
    if (cached?.settings === settings) return cached.limits;
    const limits = limitsFor(entry, settings, folder);
    cache.set(entry, { settings, limits });
    return limits;
  };
}

/** Settings for this tool override the limits that its author declares, and those override the settings for all tools. */
function limitsFor({ manifest }: RegistryEntry, settings: Settings, folder: string): CallLimits {
  const set = settings.toolLimits[manifest.name];
  const all = { keep: "head" as const, ...settings.limits, ...manifest.limits, ...set };
  const { timeoutMs, maxLines, maxBytes, keep } = all;
  const own = set?.own ? { ...manifest.limits.own, ...set.own } : manifest.limits.own;
  return { timeoutMs, output: { maxLines, maxBytes, keep, folder }, ...(own ? { own } : {}) };
}

/** A clock that aborts a call when its time is used up, or when no host begins it in time. */
export function createCallClock(ms: number, { limits }: Settings, controller: AbortController, outer?: Clock): Clock {
  return new Clock({ ms, waitMs: limits.importMs + HOST_START_MS, outer }, (why) =>
    controller.abort(why === "not started" ? NOT_STARTED : TIMEOUT),
  );
}
