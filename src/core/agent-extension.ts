/** The name of the extension file that `toolwright install pi` writes. Discovery skips files of this name. */
export const EXTENSION_FILE = "toolwright-extension.js";

/**
 * A word in the first lines of that file. A file with this word offers the tools of Toolwright to an agent, so Toolwright must
 * not load it as a tool file: it would start itself for ever.
 */
export const EXTENSION_MARK = "toolwright-agent-extension";

/** Set on the API that tool files get in place of pi's. The extension does nothing there, even if another file imports it. */
export const TOOL_FILE_API: unique symbol = Symbol.for("toolwright.tool-file-api");
