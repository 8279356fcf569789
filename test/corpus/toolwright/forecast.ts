// Written for the AI SDK, by somebody who did not need its package for it.
import { z } from "zod";

export const forecast = {
  description: "The forecast for a city",
  inputSchema: z.object({ city: z.string(), unit: z.enum(["C", "F"]).default("C") }),
  async *execute({ city, unit }: { city: string; unit: "C" | "F" }, options: { abortSignal?: AbortSignal }) {
    yield { status: "asking", city };
    options.abortSignal?.throwIfAborted();
    yield { status: "done", city, degrees: unit === "C" ? 21 : 70 };
  },
  toModelOutput: ({ output }: { output: { city: string; degrees: number } }) => ({
    type: "text",
    value: `${output.city}: ${output.degrees}`,
  }),
};
