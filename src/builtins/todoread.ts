import { Tool, tool } from "../index.ts";
import { formatTodos, KEY, readTodos } from "./todo/todos.ts";

export default Tool.define("todoread", {
  parameters: tool.schema.object({}),
  hints: {
    title: "Read the to-do list",
    readOnly: true,
    idempotent: true,
    openWorld: false,
    card: { kind: "todos", items: "todos" },
  },
  subagents: false,
  access: () => [],
  async execute(_args, context) {
    const todos = readTodos(await context.state.get(KEY));
    return { ...formatTodos(todos), metadata: { todos } };
  },
});
