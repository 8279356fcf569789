import { type XmcpConfig } from "xmcp";

const config: XmcpConfig = {
  http: true,
  paths: {
    // Prompts and resources are not used.
    tools: "./mcp/tools",
    prompts: false,
    resources: false,
  },
};

export default config;
