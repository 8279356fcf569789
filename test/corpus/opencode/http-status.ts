#!/usr/bin/env bun
import { tool } from '@opencode-ai/plugin'

const codes: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  301: 'Moved Permanently',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

export default tool({
  description: 'Explain an HTTP status code',
  args: {
    code: tool.schema.number().int().min(100).max(599).describe('e.g. 404'),
  },
  async execute({ code }) {
    const text = codes[code]
    if (!text) return JSON.stringify({ success: false, error: `unknown status ${code}` })
    return JSON.stringify({ success: true, code, text, retry: code === 429 || code >= 500 })
  },
})
