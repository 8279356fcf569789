import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Tool } from '@atomic/plugin'
import { z } from 'zod'

/** Sections of the project's changelog, read when the tool is made so that the versions can be offered. */
export default Tool.define('changelog', async (init) => {
  const text = await readFile(join(init.directory, 'CHANGELOG.md'), 'utf8').catch(() => '')
  const sections = new Map<string, string>()
  for (const block of text.split(/^## /m).slice(1)) {
    const [version = '', ...lines] = block.split('\n')
    sections.set(version.trim(), lines.join('\n').trim())
  }
  const versions = [...sections.keys()]

  return {
    description: `What changed in a release. Known: ${versions.join(', ') || 'none'}.`,
    parameters: z.object({ version: z.string().default(versions[0] ?? '').describe('Such as 1.2.0; the newest when left out') }),
    async execute({ version }, ctx) {
      ctx.metadata({ title: version })
      const output = sections.get(version)
      if (output === undefined) throw new Error(`No release ${version}. Known: ${versions.join(', ')}`)
      return { title: version, metadata: { lines: output.split('\n').length }, output }
    },
  }
})
