import { expect, it } from "vitest";
import { handleKey, type KeyActions } from "./chat-keys.ts";

const STATE = {
  isGrabbed: false,
  hasPanel: false,
  isCompleting: false,
  isRunning: false,
  hasText: false,
  isLeaving: false,
};
const ACTIONS = [
  "stop",
  "clearText",
  "warnLeave",
  "leave",
  "toggleExpanded",
  "toggleThinking",
  "nextMode",
  "suspend",
  "redraw",
] as const;

/** The actions that a key calls in a state, and whether the input gets the key too. */
function pressed(key: string, state: Partial<typeof STATE>): string[] {
  const done: string[] = [];
  const actions = Object.fromEntries(ACTIONS.map((name) => [name, () => done.push(name)]));
  const result = handleKey(key, { ...STATE, ...state, ...actions } as unknown as KeyActions);
  return result?.consume ? done : [...done, "passed on"];
}

const [CTRL_C, CTRL_D, ESCAPE, CTRL_O, SHIFT_TAB] = ["\x03", "\x04", "\x1b", "\x0f", "\x1b[Z"];

it.each<[string, string, Partial<typeof STATE>, string[]]>([
  ["the first Ctrl-C warns", CTRL_C, {}, ["warnLeave"]],
  ["the first Ctrl-C clears the input", CTRL_C, { hasText: true }, ["clearText", "warnLeave"]],
  ["the second Ctrl-C leaves", CTRL_C, { isLeaving: true }, ["leave"]],
  ["Ctrl-C works while a question is open", CTRL_C, { hasPanel: true, hasText: true }, ["warnLeave"]],
  ["Escape stops what runs", ESCAPE, { isRunning: true }, ["stop"]],
  ["Escape does nothing while nothing runs", ESCAPE, {}, ["passed on"]],
  ["Escape closes a completion first", ESCAPE, { isRunning: true, isCompleting: true }, ["passed on"]],
  ["Escape belongs to an open panel", ESCAPE, { isRunning: true, hasPanel: true }, ["passed on"]],
  ["Ctrl-D leaves if the input is empty", CTRL_D, {}, ["leave"]],
  ["Ctrl-D deletes if there is text", CTRL_D, { hasText: true }, ["passed on"]],
  ["Ctrl-O expands", CTRL_O, { hasPanel: true }, ["toggleExpanded"]],
  ["Shift-Tab changes the mode", SHIFT_TAB, {}, ["nextMode"]],
  ["text goes to the input", "x", { isRunning: true }, ["passed on"]],
  ["a component of a tool file gets all keys", CTRL_C, { isGrabbed: true, isLeaving: true }, ["passed on"]],
])("[U2] %s", (_, key, state, done) => {
  expect(pressed(key, state)).toEqual(done);
});
