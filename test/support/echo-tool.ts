/** A tool file: returns its argument `text`, or fails if that is "fail". */
export const ECHO_TOOL = `
import { tool } from "toolwright";
export default tool({
  description: "Returns its text.",
  args: { text: tool.schema.string() },
  execute: ({ text }) => {
    if (text === "fail") throw new Error("failed as asked");
    return { output: text, metadata: { length: text.length } };
  },
});
`;
