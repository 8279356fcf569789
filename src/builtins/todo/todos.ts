/** One item of a session's list. */
export interface Todo {
  readonly id: string;
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed" | "cancelled";
  readonly priority: "high" | "medium" | "low";
}

/** Where in a session's state its list is. */
export const KEY = "todos";

/** The list as it was stored. Whoever keeps sessions may have brought along something else. */
export function readTodos(stored: unknown): readonly Todo[] {
  return Array.isArray(stored) ? (stored as readonly Todo[]) : [];
}

/** The list as a model reads it back, and a line for people. */
export function formatTodos(todos: readonly Todo[]): { title: string; output: string } {
  const open = todos.filter(({ status }) => status === "pending" || status === "in_progress").length;
  const title = todos.length === 0 ? "No to-dos" : `${open} of ${todos.length} to-dos open`;
  const output = todos.length === 0 ? "The to-do list is empty." : JSON.stringify(todos, null, 2);
  return { title, output };
}
