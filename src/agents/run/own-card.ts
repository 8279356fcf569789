import type { Card } from "../../core/card.ts";

/** The card of a call of an agent's own tool, by the agent's name for the tool. */
export type CardOf = (tool: string) => Card | undefined;

/** The cards of an agent whose tools have fixed names and inputs. */
export function cardsIn(table: Readonly<Record<string, Card>>): CardOf {
  return (tool) => (Object.hasOwn(table, tool) ? table[tool] : undefined);
}

/** The first of these fields that holds a text. */
export function textField(input: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  return names.find((name) => Object.hasOwn(input, name) && typeof input[name] === "string");
}

/** Longer texts are left out of the data of a result: an event of the log has a limit. */
export const MAX_CHANGES_SIZE = 400_000;
