// No tools: only what happens around a session.
import type { Plugin } from "@opencode-ai/plugin"

export const Notify: Plugin = async () => {
  if (!process.env.NOTIFY_URL) return {}
  return { event: async ({ event }) => void (await fetch(process.env.NOTIFY_URL!, { method: "POST", body: event.type })) }
}
