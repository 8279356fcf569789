interface Todo {
  readonly id: string;
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed" | "cancelled";
  readonly priority: "high" | "medium" | "low";
}

/** The key in the state of a session. */
export const KEY = "todos";

/** Accepts any value, since the application may restore session state from elsewhere. */
export function readTodos(stored: unknown): readonly Todo[] {
  return Array.isArray(stored) ? (stored as readonly Todo[]) : [];
}

/** The list for the model, and a title for people. */
export function formatTodos(todos: readonly Todo[]): { title: string; output: string } {
  const open = todos.filter(({ status }) => status === "pending" || status === "in_progress").length;
  const title = todos.length === 0 ? "No to-dos" : `${open} of ${todos.length} to-dos open`;
  const output = todos.length === 0 ? "The to-do list is empty." : JSON.stringify(todos, null, 2);
  return { title, output };
}
