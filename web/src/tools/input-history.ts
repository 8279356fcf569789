import { readStored, writeStored } from "../stored.ts";

/** An input of an earlier call. */
interface PastInput {
  readonly at: number;
  readonly input: Readonly<Record<string, unknown>>;
}

const MOST = 20;
/** Larger inputs would soon fill the storage of the browser. */
const MOST_CHARACTERS = 20_000;

/** The last inputs of a tool in this browser, newest first. */
export function pastInputs(tool: string): readonly PastInput[] {
  const stored = readStored(keyOf(tool));
  return Array.isArray(stored) ? stored.filter(isPastInput).slice(0, MOST) : [];
}

/** Values of fields whose name looks like that of a secret are left out. */
export function rememberInput(tool: string, input: Readonly<Record<string, unknown>>, at: number = Date.now()): void {
  const entry = { at, input: withoutSecrets(input) as Readonly<Record<string, unknown>> };
  const text = JSON.stringify(entry.input);
  if (text.length > MOST_CHARACTERS) return;
  const others = pastInputs(tool).filter((past) => JSON.stringify(past.input) !== text);
  writeStored(keyOf(tool), [entry, ...others].slice(0, MOST));
}

export function forgetInputs(tool: string): void {
  writeStored(keyOf(tool), undefined);
}

const SECRET =
  /pass(?:word|wd|phrase|code)|(?:^|[-_])pass$|^pwd$|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|credential|authorization|^auth$|bearer|cookie|session[-_ ]?id|^pin$|otp$|signature/i;

export function looksSecret(name: string): boolean {
  return SECRET.test(name);
}

/** The value without fields whose name looks like that of a secret, at any depth. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !looksSecret(name) && name !== "__proto__");
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutSecrets(item)]));
}

function keyOf(tool: string): string {
  return `inputs:${tool}`;
}

function isPastInput(value: unknown): value is PastInput {
  if (typeof value !== "object" || value === null || !("at" in value) || !("input" in value)) return false;
  return typeof value.at === "number" && typeof value.input === "object" && value.input !== null;
}
