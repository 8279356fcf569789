import { nearest } from "../platform/text/nearest.ts";
import { isObject } from "../platform/values/is-object.ts";
import type { SettingsNode } from "./settings-schema.ts";

/** The path of a value in a settings file. */
export type SettingPath = readonly (string | number)[];

/** An invalid setting, and why. */
export interface SettingIssue {
  readonly path: SettingPath;
  readonly message: string;
}

/** Returns the valid parts of `value`, and an issue for each other part. Never throws. */
export function checkSettings(value: unknown, schema: SettingsNode): { value: unknown; issues: SettingIssue[] } {
  const issues: SettingIssue[] = [];
  const checked = check({ value, node: schema, path: [], root: schema, issues });
  return { value: checked, issues };
}

interface Visit {
  readonly value: unknown;
  readonly node: SettingsNode;
  readonly path: SettingPath;
  readonly root: SettingsNode;
  readonly issues: SettingIssue[];
  /** The enclosing entry that is removed as a whole if a part of it is invalid. */
  readonly entry?: SettingPath;
}

function check(visit: Visit): unknown {
  const node = fitting(visit.value, visit.node);
  if (node === undefined) return refuse(visit, `must be ${expected(visit.node)}, not ${shown(visit.value)}`);
  if (Array.isArray(visit.value)) return checkList(visit, visit.value, node);
  if (isObject(visit.value)) return checkObject(visit, visit.value, node);
  return visit.value;
}

function checkList(visit: Visit, items: readonly unknown[], node: SettingsNode): unknown {
  const inside: Visit = node.minItems === undefined ? visit : { ...visit, entry: visit.path };
  const before = visit.issues.length;
  const valid = items
    .map((value, index) => check({ ...inside, value, node: node.items ?? {}, path: [...visit.path, index] }))
    .filter((item) => item !== undefined);
  return node.minItems !== undefined && visit.issues.length > before ? undefined : valid;
}

function checkObject(visit: Visit, value: Record<string, unknown>, node: SettingsNode): unknown {
  const inside: Visit = node.required === undefined ? visit : { ...visit, entry: visit.path };
  const before = visit.issues.length;
  for (const key of node.required ?? []) {
    if (!Object.hasOwn(value, key)) refuse(inside, `needs ${quote(key)}`);
  }
  const valid: [string, unknown][] = [];
  for (const [key, child] of Object.entries(value)) {
    const path = [...visit.path, key];
    const known = childOf(node, key);
    if (known === undefined) refuseUnknown({ ...inside, path }, key, node);
    else valid.push([key, check({ ...inside, value: child, node: known, path })]);
  }
  if (node.required !== undefined && visit.issues.length > before) return undefined;
  return Object.fromEntries(valid.filter(([, child]) => child !== undefined));
}

function childOf(node: SettingsNode, key: string): SettingsNode | undefined {
  if (node.properties !== undefined && Object.hasOwn(node.properties, key)) return node.properties[key];
  return node.additionalProperties || undefined;
}

function refuse(visit: Visit, reason: string): undefined {
  const message = `${quote(nameOf(visit.path))} ${reason}. ${ignoredText(visit.entry ?? visit.path, visit.path)}`;
  visit.issues.push({ path: visit.path, message });
  return undefined;
}

function refuseUnknown(visit: Visit, key: string, node: SettingsNode): void {
  const parent = visit.path.slice(0, -1);
  const near = nearest(key, Object.keys(node.properties ?? {})).slice(0, 1);
  const meant = near.length > 0 ? near.map((name) => nameOf([...parent, name])) : elsewhere(key, visit.root);
  const hint = meant[0] === undefined ? knownHere(node) : `Did you mean ${quote(meant[0])}?`;
  const loss = visit.entry === undefined ? "" : ` ${ignoredText(visit.entry, visit.path)}`;
  visit.issues.push({ path: visit.path, message: `Unknown setting ${quote(nameOf(visit.path))}. ${hint}${loss}` });
}

/** Settings of the same name in other sections. */
function elsewhere(key: string, root: SettingsNode, path: SettingPath = []): string[] {
  return Object.entries(root.properties ?? {}).flatMap(([name, child]) => [
    ...(name === key ? [nameOf([...path, name])] : []),
    ...elsewhere(key, child, [...path, name]),
  ]);
}

function knownHere(node: SettingsNode): string {
  return `Known settings: ${Object.keys(node.properties ?? {}).join(", ")}.`;
}

function ignoredText(entry: SettingPath, path: SettingPath): string {
  return entry === path ? "It is ignored." : `${quote(nameOf(entry))} is ignored.`;
}

/** The node, or the alternative of it, that the value matches. */
function fitting(value: unknown, node: SettingsNode): SettingsNode | undefined {
  if (node.anyOf !== undefined) return node.anyOf.find((alternative) => fitting(value, alternative) !== undefined);
  if (node.enum !== undefined && !(typeof value === "string" && node.enum.includes(value))) return undefined;
  return hasType(value, node) ? node : undefined;
}

function hasType(value: unknown, node: SettingsNode): boolean {
  if (node.type === "array") return Array.isArray(value) && value.length >= (node.minItems ?? 0);
  if (node.type === "object") return isObject(value);
  if (node.type !== "integer") return node.type === undefined || typeof value === node.type;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) return false;
  return value >= (node.minimum ?? value) && value <= (node.maximum ?? value);
}

function expected(node: SettingsNode): string {
  if (node.anyOf !== undefined) return node.anyOf.map(expected).join(" or ");
  if (node.enum !== undefined) return `one of ${node.enum.map(quote).join(", ")}`;
  if (node.type === "array") return listText(node);
  if (node.type === "object") return "an object";
  if (node.type === "boolean") return "true or false";
  if (node.type === "string") return "a string";
  if (node.maximum !== undefined) return `a whole number from ${node.minimum ?? 0} to ${node.maximum}`;
  return `a whole number of at least ${node.minimum ?? 0}`;
}

function listText({ items, minItems }: SettingsNode): string {
  return `a ${minItems === undefined ? "" : "non-empty "}list${items?.type === "string" ? " of strings" : ""}`;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (isObject(value)) return "an object";
  return short(JSON.stringify(value));
}

function nameOf(path: SettingPath): string {
  if (path.length === 0) return "settings";
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? part : `${name}.${part}`;
  }, "");
}

/** As JSON, so that an untrusted file cannot send control characters to a terminal. */
function quote(name: string): string {
  return JSON.stringify(short(name));
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
