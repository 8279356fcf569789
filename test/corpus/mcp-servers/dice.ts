import { FastMCP, UserError } from "fastmcp";
import { z } from "zod";

const server = new FastMCP({ name: "Dice", version: "1.0.0" });

server.addTool({
  name: "sum-dice",
  description: "Adds the eyes of dice.",
  parameters: z.object({ eyes: z.array(z.number().int()).describe("The eyes of each die") }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  execute: async ({ eyes }, { log, reportProgress }) => {
    log.info("Adding", { count: eyes.length });
    await reportProgress({ progress: 1, total: 1 });
    if (eyes.some((each) => each < 1 || each > 6)) throw new UserError("A die has 1 to 6 eyes.");
    return String(eyes.reduce((sum, each) => sum + each, 0));
  },
});

server.start({ transportType: "stdio" });
