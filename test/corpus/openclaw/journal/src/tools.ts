import { Type } from "@sinclair/typebox";

const text = (text: string) => ({ content: [{ type: "text" as const, text }], details: {} });

export function createEntryTools(session: string) {
  const entries: string[] = [];
  return [
    {
      name: "journal_add",
      label: "Journal",
      description: "Adds an entry to the journal of this session.",
      parameters: Type.Object({ text: Type.String({ description: "The entry" }) }),
      async execute(_id: string, { text: entry }: { text: string }) {
        entries.push(entry);
        return text(`Entry ${entries.length} in ${session.split(":").at(-1)}`);
      },
    },
    {
      name: "journal_list",
      description: "Lists the entries of the journal.",
      parameters: Type.Object({}),
      execute: async () => text(entries.join("\n") || "No entries."),
    },
  ];
}
