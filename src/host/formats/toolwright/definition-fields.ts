import type { Access, Hints, Limits, Tool } from "../../../core/tool.ts";
import { isCard } from "../../protocol/card-check.ts";

/** Throws if the limits are invalid. The message says what to write. */
export function readLimits(value: unknown): Limits {
  const limits = readFields("limits", value, ["timeoutMs", "maxLines", "maxBytes", "keep", "own"]);
  for (const key of ["timeoutMs", "maxLines", "maxBytes"]) {
    if (limits[key] !== undefined) requirePositive(`limits.${key}`, limits[key]);
  }
  const own = limits.own === undefined ? {} : limits.own;
  if (typeof own !== "object" || own === null) throw new Error(`limits.own is ${show(own)}. Write { name: number }.`);
  for (const [key, limit] of Object.entries(own)) requirePositive(`limits.own.${key}`, limit);
  const { keep } = limits;
  if (keep !== undefined && keep !== "head" && keep !== "tail" && keep !== "both") {
    throw new Error(`limits.keep is ${show(keep)}. Write "head", "tail" or "both".`);
  }
  return limits as Limits;
}

function requirePositive(name: string, limit: unknown): void {
  if (typeof limit === "number" && limit > 0 && Number.isFinite(limit)) return;
  throw new Error(`${name} is ${show(limit)}. Write a number above 0.`);
}

/** Throws if the hints are invalid. The message says what to write. */
export function readHints(value: unknown): Hints {
  const hints = readFields("hints", value, ["title", "readOnly", "destructive", "idempotent", "openWorld", "card"]);
  const { card, ...advice } = hints;
  if (card !== undefined && !isCard(card)) throw new Error(`hints.card is ${show(card)}. Write ${CARD_FORMS}.`);
  for (const [key, hint] of Object.entries(advice)) {
    const wanted = key === "title" ? "string" : "boolean";
    if (hint === undefined || typeof hint === wanted) continue;
    throw new Error(`hints.${key} is ${show(hint)}. Write ${wanted === "string" ? "a text" : "true or false"}.`);
  }
  return hints as Hints;
}

const CARD_FORMS =
  '{ kind: "command", command }, { kind: "file", path }, { kind: "diff", path, before, after }, { kind: "list", pattern, path } or { kind: "todos", items }, each with the names of parameters';

/** Throws if `subagents` or `providers` is invalid. The message says what to write. */
export function readAudience(definition: { readonly subagents?: unknown; readonly providers?: unknown }): Audience {
  const { subagents, providers } = definition;
  if (subagents !== undefined && typeof subagents !== "boolean") {
    throw new Error(`subagents is ${show(subagents)}. Write true or false.`);
  }
  if (providers !== undefined && !(Array.isArray(providers) && providers.every((each) => typeof each === "string"))) {
    throw new Error(`providers is ${show(providers)}. Write a list of names such as "anthropic" or "openai/gpt-*".`);
  }
  return {
    ...(subagents === false ? { subagents } : {}),
    ...(providers === undefined ? {} : { providers: [...(providers as string[])] }),
  };
}

type Audience = Pick<Tool, "subagents" | "providers">;

/** Wraps `access` of a definition. Each result is checked, because permission rules depend on it. */
export function checkedAccess(access: unknown, definition: unknown, name: string): NonNullable<Tool["access"]> {
  if (typeof access !== "function")
    throw new Error(`access is ${show(access)}. Write a function (args, { cwd }) => [{ kind, target }].`);
  return (input, at) => {
    const declared: unknown = access.call(definition, input, at);
    if (Array.isArray(declared) && declared.every(isAccess)) return declared;
    throw new Error(
      `access of "${name}" must return a list of { kind: "read" | "write" | "execute" | "network", target: "…" }, or ["undeclared"].`,
    );
  };
}

const KINDS = ["read", "write", "execute", "network"];

function isAccess(value: unknown): value is Access {
  if (value === "undeclared") return true;
  if (typeof value !== "object" || value === null) return false;
  const { kind, target, named } = value as Record<string, unknown>;
  const isNamed = named === undefined || typeof named === "boolean";
  return KINDS.includes(kind as string) && typeof target === "string" && isNamed;
}

function readFields(field: string, value: unknown, known: readonly string[]): Record<string, unknown> {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${field} is ${show(value)}. Write an object with any of ${known.join(", ")}.`);
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new Error(`${field}.${unknown} is not a known field. Use any of ${known.join(", ")}.`);
  return { ...value };
}

function show(value: unknown): string {
  return typeof value === "function" ? "a function" : (JSON.stringify(value) ?? String(value));
}
