// Two tools of one factory that share what they know; Zod from the API; results as JSON texts.
import type { CustomToolAPI } from "@oh-my-pi/pi-coding-agent";

export default async function pair({ zod: z, logger }: CustomToolAPI) {
  const stored = new Map<string, string>();
  await Promise.resolve();
  logger.debug("pair is loaded");
  return [
    {
      name: "pair_set",
      label: "Set",
      description: "Stores a value under a key",
      parameters: z.object({ key: z.string().min(1).describe("The key"), value: z.string() }),
      async execute(_id: string, { key, value }: { key: string; value: string }) {
        stored.set(key, value);
        return { content: [{ type: "text" as const, text: JSON.stringify({ stored: stored.size }) }] };
      },
    },
    {
      name: "pair_get",
      label: "Get",
      description: "Reads the value of a key",
      approval: "read",
      parameters: z.object({ key: z.string() }),
      async execute(_id: string, { key }: { key: string }) {
        const value = stored.get(key);
        if (value === undefined) throw new Error(`Nothing is stored under "${key}"`);
        return { content: [{ type: "text" as const, text: JSON.stringify({ key, value }) }] };
      },
    },
  ];
}
