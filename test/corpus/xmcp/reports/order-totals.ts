import { z } from "zod";
import type { InferSchema, ToolMetadata } from "xmcp";

export const schema = { prices: z.array(z.number()).describe("The price of each order") };
export const outputSchema = { total: z.number(), count: z.number() };
export const metadata: ToolMetadata = { name: "order-totals", description: "Sums the prices of orders." };

export default function orderTotals({ prices }: InferSchema<typeof schema>) {
  return { total: prices.reduce((sum, price) => sum + price, 0), count: prices.length };
}
