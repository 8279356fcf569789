/** Part of pi itself: it can be imported and extended, and fails when it is called or made. */
export type Unavailable = { new (...args: unknown[]): object; (...args: unknown[]): never };

/** A stand-in for whatever else pi has under a name. */
export function unavailable(name: string): Unavailable {
  function absent(): never {
    throw new Error(
      `${name} is part of the agent itself, and there is none here: Toolwright only runs the tools of this file. Do without it, or use the agent that the file was written for.`,
    );
  }
  return new Proxy(Object.defineProperty(absent, "name", { value: name }), { get: member }) as never;
}

/** Its members are as absent as it is. With a `then` it would be taken for a promise. */
function member(target: () => never, key: string | symbol): unknown {
  if (key in target || typeof key === "symbol" || key === "then") return Reflect.get(target, key);
  return unavailable(`${target.name}.${key}`);
}

export const Agent: Unavailable = unavailable("Agent");
export const agentLoop: Unavailable = unavailable("agentLoop");
export const agentLoopContinue: Unavailable = unavailable("agentLoopContinue");
export const AgentSession: Unavailable = unavailable("AgentSession");
export const AgentSessionRuntime: Unavailable = unavailable("AgentSessionRuntime");
export const anthropicMessagesApi: Unavailable = unavailable("anthropicMessagesApi");
export const ArminComponent: Unavailable = unavailable("ArminComponent");
export const AssistantMessageComponent: Unavailable = unavailable("AssistantMessageComponent");
export const AssistantMessageEventStream: Unavailable = unavailable("AssistantMessageEventStream");
export const AuthStorage: Unavailable = unavailable("AuthStorage");
export const BashExecutionComponent: Unavailable = unavailable("BashExecutionComponent");
export const BorderedLoader: Unavailable = unavailable("BorderedLoader");
export const BranchSummaryMessageComponent: Unavailable = unavailable("BranchSummaryMessageComponent");
export const buildContextEntries: Unavailable = unavailable("buildContextEntries");
export const buildSessionContext: Unavailable = unavailable("buildSessionContext");
export const buildSessionProjection: Unavailable = unavailable("buildSessionProjection");
export const calculateContextTokens: Unavailable = unavailable("calculateContextTokens");
export const calculateCost: Unavailable = unavailable("calculateCost");
export const collapseSystemMessages: Unavailable = unavailable("collapseSystemMessages");
export const collectEntriesForBranchSummary: Unavailable = unavailable("collectEntriesForBranchSummary");
export const compact: Unavailable = unavailable("compact");
export const CompactionSummaryMessageComponent: Unavailable = unavailable("CompactionSummaryMessageComponent");
export const complete: Unavailable = unavailable("complete");
export const completeSimple: Unavailable = unavailable("completeSimple");
export const convertToLlm: Unavailable = unavailable("convertToLlm");
export const convertToPng: Unavailable = unavailable("convertToPng");
export const copyToClipboard: Unavailable = unavailable("copyToClipboard");
export const createAgentSession: Unavailable = unavailable("createAgentSession");
export const createAgentSessionFromServices: Unavailable = unavailable("createAgentSessionFromServices");
export const createAgentSessionRuntime: Unavailable = unavailable("createAgentSessionRuntime");
export const createAgentSessionServices: Unavailable = unavailable("createAgentSessionServices");
export const createAssistantMessageEventStream: Unavailable = unavailable("createAssistantMessageEventStream");
export const createExtensionRuntime: Unavailable = unavailable("createExtensionRuntime");
export const createLocalBashOperations: Unavailable = unavailable("createLocalBashOperations");
export const createLocalPowerShellOperations: Unavailable = unavailable("createLocalPowerShellOperations");
export const createSyntheticSourceInfo: Unavailable = unavailable("createSyntheticSourceInfo");
export const CredentialSynchronizationError: Unavailable = unavailable("CredentialSynchronizationError");
export const CustomEditor: Unavailable = unavailable("CustomEditor");
export const CustomMessageComponent: Unavailable = unavailable("CustomMessageComponent");
export const DefaultPackageManager: Unavailable = unavailable("DefaultPackageManager");
export const DefaultResourceLoader: Unavailable = unavailable("DefaultResourceLoader");
export const detectSupportedImageMimeTypeFromFile: Unavailable = unavailable("detectSupportedImageMimeTypeFromFile");
export const discoverAndLoadExtensions: Unavailable = unavailable("discoverAndLoadExtensions");
export const estimateTokens: Unavailable = unavailable("estimateTokens");
export const ExtensionEditorComponent: Unavailable = unavailable("ExtensionEditorComponent");
export const ExtensionInputComponent: Unavailable = unavailable("ExtensionInputComponent");
export const ExtensionRunner: Unavailable = unavailable("ExtensionRunner");
export const ExtensionSelectorComponent: Unavailable = unavailable("ExtensionSelectorComponent");
export const findCutPoint: Unavailable = unavailable("findCutPoint");
export const findTurnStartIndex: Unavailable = unavailable("findTurnStartIndex");
export const FooterComponent: Unavailable = unavailable("FooterComponent");
export const formatDimensionNote: Unavailable = unavailable("formatDimensionNote");
export const formatSkillsForPrompt: Unavailable = unavailable("formatSkillsForPrompt");
export const generateBranchSummary: Unavailable = unavailable("generateBranchSummary");
export const generateDiffString: Unavailable = unavailable("generateDiffString");
export const generateSummary: Unavailable = unavailable("generateSummary");
export const generateSummaryWithUsage: Unavailable = unavailable("generateSummaryWithUsage");
export const generateUnifiedPatch: Unavailable = unavailable("generateUnifiedPatch");
export const getCurrentSystemPrompt: Unavailable = unavailable("getCurrentSystemPrompt");
export const getCurrentTools: Unavailable = unavailable("getCurrentTools");
export const getDocsPath: Unavailable = unavailable("getDocsPath");
export const getEnvApiKey: Unavailable = unavailable("getEnvApiKey");
export const getExamplesPath: Unavailable = unavailable("getExamplesPath");
export const getLastAssistantUsage: Unavailable = unavailable("getLastAssistantUsage");
export const getLatestCompactionEntry: Unavailable = unavailable("getLatestCompactionEntry");
export const getModel: Unavailable = unavailable("getModel");
export const getModels: Unavailable = unavailable("getModels");
export const getPackageDir: Unavailable = unavailable("getPackageDir");
export const getPowerShellConfig: Unavailable = unavailable("getPowerShellConfig");
export const getProviders: Unavailable = unavailable("getProviders");
export const getReadmePath: Unavailable = unavailable("getReadmePath");
export const getShellConfig: Unavailable = unavailable("getShellConfig");
export const hasTrustRequiringProjectResources: Unavailable = unavailable("hasTrustRequiringProjectResources");
export const InteractiveMode: Unavailable = unavailable("InteractiveMode");
export const loadProjectContextFiles: Unavailable = unavailable("loadProjectContextFiles");
export const loadSkills: Unavailable = unavailable("loadSkills");
export const loadSkillsFromDir: Unavailable = unavailable("loadSkillsFromDir");
export const LoginDialogComponent: Unavailable = unavailable("LoginDialogComponent");
export const main: Unavailable = unavailable("main");
export const migrateSessionEntries: Unavailable = unavailable("migrateSessionEntries");
export const ModelRuntime: Unavailable = unavailable("ModelRuntime");
export const ModelSelectorComponent: Unavailable = unavailable("ModelSelectorComponent");
export const OAuthSelectorComponent: Unavailable = unavailable("OAuthSelectorComponent");
export const openAIResponsesApi: Unavailable = unavailable("openAIResponsesApi");
export const parseArgs: Unavailable = unavailable("parseArgs");
export const parseSessionEntries: Unavailable = unavailable("parseSessionEntries");
export const parseSkillBlock: Unavailable = unavailable("parseSkillBlock");
export const prepareBranchEntries: Unavailable = unavailable("prepareBranchEntries");
export const ProjectTrustStore: Unavailable = unavailable("ProjectTrustStore");
export const readStoredCredential: Unavailable = unavailable("readStoredCredential");
export const registerApiProvider: Unavailable = unavailable("registerApiProvider");
export const renderDiff: Unavailable = unavailable("renderDiff");
export const resizeImage: Unavailable = unavailable("resizeImage");
export const resolveCliModel: Unavailable = unavailable("resolveCliModel");
export const resolveModelScopeWithDiagnostics: Unavailable = unavailable("resolveModelScopeWithDiagnostics");
export const RpcClient: Unavailable = unavailable("RpcClient");
export const runPrintMode: Unavailable = unavailable("runPrintMode");
export const runRpcMode: Unavailable = unavailable("runRpcMode");
export const serializeConversation: Unavailable = unavailable("serializeConversation");
export const sessionEntryToContextMessages: Unavailable = unavailable("sessionEntryToContextMessages");
export const SessionManager: Unavailable = unavailable("SessionManager");
export const SessionSelectorComponent: Unavailable = unavailable("SessionSelectorComponent");
export const SettingsManager: Unavailable = unavailable("SettingsManager");
export const SettingsSelectorComponent: Unavailable = unavailable("SettingsSelectorComponent");
export const shouldCompact: Unavailable = unavailable("shouldCompact");
export const ShowImagesSelectorComponent: Unavailable = unavailable("ShowImagesSelectorComponent");
export const SkillInvocationMessageComponent: Unavailable = unavailable("SkillInvocationMessageComponent");
export const stream: Unavailable = unavailable("stream");
export const streamSimple: Unavailable = unavailable("streamSimple");
export const streamSimpleAnthropic: Unavailable = unavailable("streamSimpleAnthropic");
export const streamSimpleOpenAIResponses: Unavailable = unavailable("streamSimpleOpenAIResponses");
export const ThemeSelectorComponent: Unavailable = unavailable("ThemeSelectorComponent");
export const ThinkingSelectorComponent: Unavailable = unavailable("ThinkingSelectorComponent");
export const ToolExecutionComponent: Unavailable = unavailable("ToolExecutionComponent");
export const TreeSelectorComponent: Unavailable = unavailable("TreeSelectorComponent");
export const truncateToVisualLines: Unavailable = unavailable("truncateToVisualLines");
export const UserMessageComponent: Unavailable = unavailable("UserMessageComponent");
export const UserMessageSelectorComponent: Unavailable = unavailable("UserMessageSelectorComponent");
export const validateToolArguments: Unavailable = unavailable("validateToolArguments");
export const validateToolCall: Unavailable = unavailable("validateToolCall");
export const wrapRegisteredTool: Unavailable = unavailable("wrapRegisteredTool");
export const wrapRegisteredTools: Unavailable = unavailable("wrapRegisteredTools");
