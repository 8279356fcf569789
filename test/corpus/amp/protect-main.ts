// Rejects commands that would rewrite the main branch.
import type { PluginAPI } from '@ampcode/plugin'

export default function (amp: PluginAPI) {
	amp.on('tool.call', async (event) => {
		const command = amp.helpers.shellCommandFromToolCall(event)?.command ?? String(event.input.command ?? '')
		if (/git\s+push\b.*--force\b.*\bmain\b/.test(command)) {
			return { action: 'reject-and-continue', message: 'main is protected. Push to a branch.' }
		}
		return { action: 'allow' }
	})

	amp.registerTool({
		name: 'push_plan',
		description: 'Says what a push would do, without doing it.',
		inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
		async execute({ command }) {
			return [
				{ type: 'text', text: `Would run: ${command}` },
				{ type: 'text', text: 'Nothing was pushed.' },
			]
		},
	})
}
