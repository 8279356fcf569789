import { tool } from "@opencode-ai/plugin"

const round = (n: number) => Math.round(n * 10) / 10

export const toFahrenheit = tool({
  description: "Celsius to Fahrenheit",
  args: { celsius: tool.schema.number() },
  execute: async ({ celsius }) => `${round(celsius * 1.8 + 32)}°F`,
})

export default tool({
  description: "Fahrenheit to Celsius",
  args: { fahrenheit: tool.schema.number() },
  execute: async ({ fahrenheit }) => `${round((fahrenheit - 32) / 1.8)}°C`,
})
