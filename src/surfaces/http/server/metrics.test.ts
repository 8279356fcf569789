import { expect, it } from "vitest";
import { open } from "../../../../test/support/toolbox.ts";
import { Metrics } from "./metrics.ts";

it("[S1][X1] counts up to 2,000 tools by name and the rest together, so that memory is bounded", async () => {
  const many = Array.from({ length: 2_005 }, (_, index) => ({
    name: `tool_${index}`,
    description: "Says hello.",
    inputSchema: { type: "object" },
    handler: () => "hello",
  }));
  const { toolbox } = await open({}, { tools: many });
  const metrics = new Metrics(toolbox);
  for (const { name } of many) await toolbox.call({ name }).result;
  metrics.close();
  const text = metrics.text({ mcpSessions: 0, turns: { running: 0, waiting: 0 }, readers: 0 });
  expect(text.match(/^toolwright_calls_total/gm)?.length).toBe(2_001);
  expect(text).toContain('toolwright_calls_total{tool="tool_1999",outcome="ok"} 1\n');
  expect(text).toContain('toolwright_calls_total{tool="",outcome="ok"} 5\n');
});
