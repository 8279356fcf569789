// Puts its state together again from the history whenever the session changes.
import type { CustomToolContext, CustomToolFactory } from "@oh-my-pi/pi-coding-agent";

const factory: CustomToolFactory = (pi) => {
  const reasons: string[] = [];
  let messages = 0;
  const look = (ctx: CustomToolContext) => {
    messages = ctx.sessionManager.getEntries().filter((entry) => entry.type === "message").length;
  };
  return {
    name: "session_facts",
    label: "Session facts",
    description: "Says what is known of the session",
    parameters: pi.typebox.Type.Object({}),
    async execute(_id, _params, _onUpdate, ctx) {
      const facts = {
        session: ctx.sessionManager.getSessionId(),
        messages,
        reasons,
        model: ctx.model?.id ?? null,
        queued: ctx.hasQueuedMessages(),
        ui: pi.hasUI,
      };
      return { content: [{ type: "text", text: JSON.stringify(facts) }], details: facts };
    },
    onSession(event, ctx) {
      reasons.push(event.reason);
      look(ctx);
    },
  };
};

export default factory;
