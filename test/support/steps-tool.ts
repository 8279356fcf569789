/** The source of a tool that reports its progress. */
export const STEPS_TOOL = `export default {
  description: "Reports three steps of progress.",
  args: { ms: { type: "integer", default: 300 } },
  async execute({ ms }, { metadata, write }) {
    for (const step of [1, 2, 3]) {
      metadata({ title: "Step " + step + " of 3" });
      write("line " + step + "\\n");
      await new Promise((done) => setTimeout(done, ms));
    }
    return "All steps are done.";
  },
};
`;
