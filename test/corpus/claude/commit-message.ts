import { z } from "zod";

const TYPES = ["feat", "fix", "docs", "chore"] as const;

const inputSchema = z
  .object({
    type: z.enum(TYPES),
    scope: z.string().optional(),
    subject: z.string().max(60, "Keep the subject under 60 characters"),
    breaking: z.boolean().default(false),
  })
  .refine(({ subject }) => !subject.endsWith("."), { message: "No full stop at the end", path: ["subject"] });

class CommitMessageTool {
  name = "commit_message";
  description = "Build a conventional commit message from its parts.";
  inputSchema = inputSchema;

  handler = async (input: z.infer<typeof inputSchema>, context: { signal: AbortSignal; sessionId: string }) => {
    context.signal.throwIfAborted();
    const scope = input.scope ? `(${input.scope})` : "";
    return `${input.type}${scope}${input.breaking ? "!" : ""}: ${input.subject}`;
  };
}

export const commitMessage = new CommitMessageTool();
