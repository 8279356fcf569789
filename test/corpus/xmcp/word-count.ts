import { z } from "zod";
import type { ToolExtraArguments } from "xmcp";
import { headers } from "xmcp/headers";

export const schema = { text: z.string().describe("The text") };

export const metadata = { description: "Counts the words of a text." };

export default async function wordCount({ text }: { text: string }, extra: ToolExtraArguments) {
  if (headers()["x-tenant"] !== undefined) throw new Error("no tenants here");
  await extra.sendNotification({
    method: "notifications/progress",
    params: { progressToken: 1, progress: 1, total: 1, message: "counting" },
  });
  return text.split(/\s+/).filter(Boolean).length;
}
