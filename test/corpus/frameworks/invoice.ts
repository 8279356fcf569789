import { createTool } from "@mastra/core/tools";
import { z } from "zod";

const item = z.object({
  name: z.string(),
  price: z.number().nonnegative(),
  quantity: z.number().int().positive().default(1),
});

export const invoiceTotalTool = createTool({
  id: "invoice-total",
  description: "Works out net, tax and gross of an invoice.",
  inputSchema: z.object({
    items: z.array(item).min(1),
    taxPercent: z.number().min(0).max(100).default(20),
  }),
  outputSchema: z.object({ net: z.number(), tax: z.number(), gross: z.number() }),
  execute: async ({ items, taxPercent }, context) => {
    await context?.writer?.write({ status: "adding up", items: items.length });
    const net = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
    const tax = Math.round(net * taxPercent) / 100;
    return { net, tax, gross: net + tax };
  },
});

export const invoiceNumberTool = createTool({
  id: "invoice-number",
  description: "Makes an invoice number of a year and a running number.",
  inputSchema: z.object({ year: z.string().regex(/^\d{4}$/), running: z.string().transform((text) => Number(text)) }),
  execute: async ({ year, running }) => {
    if (Number.isNaN(running)) throw new Error("running must be a number");
    return `${year}-${String(running).padStart(5, "0")}`;
  },
});
