/** A script for the agent `demo` with tools that exist, so that a newcomer sees messages, progress, a question and results. */
export function examplePrompt(toolNames: readonly string[]): string {
  const calls = [
    ["hello", '{"name": "you"}'],
    ["countdown", '{"from": 30}'],
    ["workspace-info", "{}"],
  ].filter(([name = ""]) => toolNames.includes(name));
  return [
    "say Hello! I am the **demo** agent. I need no model: each line of your message is one step.",
    ...calls.map(([name, input]) => `call ${name} ${input}`),
    calls.length === 0
      ? "say This project has no tool that I know. Add a line such as: call NAME {}"
      : "say Done. Each call is a card: open one to see its input and its result.",
  ].join("\n");
}
