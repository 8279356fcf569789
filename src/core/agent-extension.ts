/** The name of the extension file that `toolwright install pi` writes. Discovery skips files of this name. */
export const EXTENSION_FILE = "toolwright-extension.js";

/**
 * A word in the first lines of that file. A file with this word offers the tools of Toolwright to an agent, so Toolwright must
 * not load it as a tool file: it would start itself for ever.
 */
export const EXTENSION_MARK = "toolwright-agent-extension";

/** The variable with the address of the session's tools, in the environment of a pi that runs a session of Toolwright. */
export const SESSION_URL_VARIABLE = "TOOLWRIGHT_SESSION_URL";

/** The method by which the extension of such a pi asks about a call of pi's own tools. */
export const PERMIT_METHOD = "toolwright/permit";

/** The method by which it reports the tokens and errors of a message of the model. */
export const MESSAGE_METHOD = "toolwright/message";

/** The key in `_meta` of a call with the id that the model gave it. Only the extension of such a pi sends it. */
export const CALL_ID_META = "toolwright/callID";

/** The same key in calls of Claude Code. */
export const CLAUDE_CALL_ID_META = "claudecode/toolUseId";

/** Set on the API that tool files get in place of pi's. The extension does nothing there, even if another file imports it. */
export const TOOL_FILE_API: unique symbol = Symbol.for("toolwright.tool-file-api");
