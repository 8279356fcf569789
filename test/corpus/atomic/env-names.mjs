// names only, never values
const SECRET = /(key|token|secret|password)/i

export const list = {
  description: 'Which variables of the environment start with a prefix',
  args: { prefix: { type: 'string', minLength: 2, description: 'Such as NODE_' } },
  execute: ({ prefix }) => {
    const names = Object.keys(process.env).filter((name) => name.startsWith(prefix) && !SECRET.test(name))
    return { title: prefix, output: names.sort().join('\n') || 'none', metadata: { count: names.length } }
  },
}

export default {
  description: 'Whether a name looks like the name of a secret',
  args: { name: { type: 'string' } },
  execute: ({ name }) => SECRET.test(name),
}
