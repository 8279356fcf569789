// From an app that used the AI SDK when schemas were still called parameters.
import { z } from 'zod'

const RATES: Record<string, number> = { EUR: 1, USD: 1.1, GBP: 0.85 }
const currency = z.enum(['EUR', 'USD', 'GBP'])

export const convert = {
    description: 'Convert an amount of money at fixed rates',
    parameters: z.object({ amount: z.number(), from: currency, to: currency }),
    execute: async ({ amount, from, to }: { amount: number; from: string; to: string }) => {
        const value = (amount / RATES[from]!) * RATES[to]!
        return { value: Math.round(value * 100) / 100, currency: to, output: `${to} ${value.toFixed(2)}` }
    },
}
