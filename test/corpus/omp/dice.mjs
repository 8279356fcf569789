/**
 * Dice for tabletop sessions. Seeded, so that a roll can be repeated.
 * @type {import("@oh-my-pi/pi-coding-agent").CustomToolFactory}
 */
const factory = (pi) => {
  const { Type } = pi.typebox
  let rolls = 0

  const next = (seed) => (Math.imul(seed, 1664525) + 1013904223) >>> 0

  return {
    name: 'dice',
    label: 'Dice',
    description: 'Roll dice, written as 2d6+1.',
    parameters: Type.Object({
      roll: Type.String({ pattern: '^\\d+d\\d+([+-]\\d+)?$', description: 'Such as 2d6+1' }),
      seed: Type.Optional(Type.Integer({ default: 1 })),
    }),
    async execute(_id, { roll, seed = 1 }, onUpdate) {
      const [, count, sides, plus = '0'] = /^(\d+)d(\d+)([+-]\d+)?$/.exec(roll)
      let state = seed
      let sum = Number(plus)
      for (let i = 0; i < Number(count); i++) {
        state = next(state)
        const eyes = (state >>> 16) % Number(sides) + 1
        onUpdate?.({ content: [{ type: 'text', text: `rolled ${eyes}` }] })
        sum += eyes
      }
      rolls++
      return { content: [{ type: 'text', text: `${roll} = ${sum}` }], details: { rolls } }
    },
  }
}

export default factory
