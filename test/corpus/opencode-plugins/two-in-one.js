// Every exported function is a plugin.
export const First = async ({ $ }) => ({
  tool: {
    first_of_two: {
      description: "The first of two plugins in one file",
      args: {},
      execute: async () => (await $`printf first`.text()).trim(),
    },
  },
})

export const Second = async (ctx) => ({
  tool: {
    second_of_two: {
      description: "The second of two plugins in one file",
      args: {},
      execute: async () => `second in ${ctx.worktree.split("/").at(-1)}`,
    },
  },
})
