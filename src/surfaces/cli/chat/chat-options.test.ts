import { expect, it } from "vitest";
import type { Invocation } from "../args/command.ts";
import { sayHowToResume } from "./chat-options.ts";

function said(cwd: string, values: Invocation["values"] = {}): string {
  let text = "";
  const report = (part: string): void => {
    text += part;
  };
  const terminal = { cwd: "/project", stderr: { report } };
  sayHowToResume("id 1", { terminal, globals: { cwd }, values } as unknown as Invocation, true);
  return text;
}

it("[U2] the command that continues a session has the options that it needs", () => {
  expect(said("/project")).toBe("To continue: toolwright chat --resume 'id 1'\n");
  expect(said("/my other", { "base-url": "http://localhost:1/v1" })).toBe(
    "To continue: toolwright chat --resume 'id 1' --base-url http://localhost:1/v1 --cwd '/my other'\n",
  );
});
