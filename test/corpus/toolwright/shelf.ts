// A set of tools in one object, which share what they know.
import { tool } from "toolwright";

const books: string[] = [];
const { schema } = tool;

export const tools = {
  add: tool({
    description: "Put a book on the shelf",
    args: { title: schema.string() },
    execute({ title }) {
      books.push(title);
      return `${books.length} on the shelf`;
    },
  }),
  list: tool({ description: "All books on the shelf", execute: () => books }),
};
