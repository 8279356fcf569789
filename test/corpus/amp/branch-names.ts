import type { PluginAPI } from '@ampcode/plugin'

const KINDS = ['feature', 'fix', 'chore'] as const

function slug(title: string): string {
	return title
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '-')
		.replaceAll(/^-|-$/g, '')
}

export default function (amp: PluginAPI) {
	amp.logger.log('branch-names loaded')

	amp.registerTool({
		name: 'branch_name',
		title: 'Name a branch',
		description: 'Makes the name of a branch from the kind of a change and its title.',
		inputSchema: {
			type: 'object',
			properties: {
				kind: { type: 'string', enum: [...KINDS], description: 'The kind of the change' },
				title: { type: 'string', description: 'A short title' },
			},
			required: ['kind', 'title'],
		},
		async execute(input, ctx) {
			const title = typeof input.title === 'string' ? input.title : ''
			if (!slug(title)) return 'The title has no letters.'
			ctx.logger.log(`named a branch in ${ctx.thread.id}`)
			return `${input.kind}/${slug(title)}`
		},
	})

	amp.registerCommand('show-kinds', { title: 'Show kinds', category: 'branch', description: 'Shows the kinds.' }, async (ctx) => {
		await ctx.ui.notify(KINDS.join(', '))
	})
}
