import { defineTool } from "@github/copilot-sdk";
import { z } from "zod";

interface Ticket {
  id: string;
  title: string;
  open: boolean;
}

const tickets: Ticket[] = [
  { id: "OPS-1", title: "Disk is full", open: true },
  { id: "OPS-2", title: "Certificate runs out", open: false },
];

export const lookup = defineTool("lookup_ticket", {
  description: "Fetch a ticket from the tracker",
  parameters: z.object({ id: z.string().describe("Such as OPS-1") }),
  handler: async ({ id }) => {
    const ticket = tickets.find((each) => each.id === id);
    if (!ticket) return { textResultForLlm: `No ticket ${id}`, resultType: "failure" as const };
    return { textResultForLlm: `${ticket.id}: ${ticket.title}`, resultType: "success" as const };
  },
});

export const openTickets = defineTool("open_tickets", {
  description: "All open tickets",
  handler: async (_args, { sessionId }) => ({
    asked: typeof sessionId === "string",
    tickets: tickets.filter((ticket) => ticket.open).map((ticket) => ticket.id),
  }),
});
