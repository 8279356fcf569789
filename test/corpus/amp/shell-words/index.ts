import type { PluginAPI } from '@ampcode/plugin'
import { joined } from './joined.ts'

export default async function shellWords(amp: PluginAPI): Promise<void> {
	const { stdout } = await amp.$`echo ready`
	amp.registerTool({
		name: 'shell_words',
		description: 'Passes words through a shell and joins them.',
		inputSchema: { type: 'object', properties: { words: { type: 'array', items: { type: 'string' } } }, required: ['words'] },
		async execute(input) {
			const result = await amp.$`printf '%s\n' ${input.words as string[]}`
			const missing = await amp.$`exit 3`
			return joined([stdout.trim(), ...result.stdout.trim().split('\n'), `exit ${missing.exitCode}`])
		},
	})
}
