import { tool } from 'ai'
import { z } from 'zod'

const FACTORS = { m: 1, km: 1000, mi: 1609.344, ft: 0.3048 } as const

const unit = z.enum(['m', 'km', 'mi', 'ft'])

export const convertLength = tool({
  description: 'Convert a length from one unit to another.',
  inputSchema: z.object({
    value: z.number().describe('The number to convert'),
    from: unit,
    to: unit.default('m'),
  }),
  execute: async ({ value, from, to }) => {
    const result = (value * FACTORS[from]) / FACTORS[to]
    return { result: Number(result.toFixed(3)), unit: to }
  },
})
