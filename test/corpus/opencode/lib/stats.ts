import { z } from "zod/v3"

const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b)

// written for the old zod, and never touched since
export const median = {
  description: "The median of some numbers",
  args: { numbers: z.array(z.number()).nonempty().describe("At least one") },
  async execute({ numbers }: { numbers: number[] }) {
    const all = sorted(numbers)
    const half = all.length >> 1
    return String(all.length % 2 ? all[half] : (all[half - 1] + all[half]) / 2)
  },
}
