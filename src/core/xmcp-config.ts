/** The files that configure xmcp. A folder with one of them is a project of xmcp. */
export const XMCP_CONFIG_FILES: readonly string[] = ["xmcp.config.ts", "xmcp.config.js", "xmcp.config.mjs"];
