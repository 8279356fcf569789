import { Tool, tool } from "../index.ts";
import { formatTodos, KEY, readTodos } from "./todo/todos.ts";

const z = tool.schema;

const todo = z.object({
  id: z.string().min(1).describe("A short id that does not change"),
  content: z.string().min(1).describe("What is to be done, in a few words"),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]).describe("The state of the item"),
  priority: z.enum(["high", "medium", "low"]).describe("The importance of the item"),
});

const LIMITS = { items: 200, characters: 2_000 };

export default Tool.define("todowrite", {
  parameters: z.object({ todos: z.array(todo).describe("The whole list. Items that are left out are deleted") }),
  limits: { own: LIMITS },
  hints: {
    title: "Write the to-do list",
    readOnly: false,
    destructive: false,
    idempotent: true,
    openWorld: false,
    card: { kind: "todos", items: "todos" },
  },
  subagents: false,
  access: () => [],
  async execute({ todos }, context) {
    const limits = { ...LIMITS, ...context.limits.own };
    if (todos.length > limits.items) {
      throw new Error(
        `A list has at most ${limits.items} items, and this has ${todos.length}. Remove completed items.`,
      );
    }
    const long = todos.find(({ content }) => content.length > limits.characters);
    if (long) {
      throw new Error(`The item "${long.id}" is longer than ${limits.characters} characters. Shorten it.`);
    }
    const twice = todos.find(({ id }, at) => todos.findIndex((other) => other.id === id) < at);
    if (twice) throw new Error(`Two items have the id "${twice.id}". Give each item its own id.`);
    const before = readTodos(await context.state.get(KEY));
    await context.state.set(KEY, todos);
    return { title: formatTodos(todos).title, metadata: { todos, before }, output: formatTodos(todos).output };
  },
});
