import { APP_NAME, createStructuredOutputTool, getEnvValue, type ExtensionAPI } from "@bastani/atomic";
import { Type } from "typebox";

const Verdict = Type.Object({
	approved: Type.Boolean({ description: "Whether the change can be merged" }),
	remarks: Type.Array(Type.String(), { description: "What has to change first" }),
});

export default function (atomic: ExtensionAPI) {
	const capture = { called: false, value: undefined };
	const tool = createStructuredOutputTool({ schema: Verdict, capture, name: "verdict" });
	atomic.registerTool({ ...tool, description: `The verdict of a review in ${APP_NAME}` });
	atomic.registerTool({
		name: "last-verdict",
		label: "Last verdict",
		description: "The last verdict",
		parameters: Type.Object({}),
		async execute(_id, _params, signal, onUpdate) {
			onUpdate?.({ content: [{ type: "text", text: "looking" }], details: {} });
			const level = getEnvValue("ATOMIC_REVIEW_LEVEL") ?? "normal";
			const text = capture.called ? JSON.stringify(capture.value) : "none";
			return { content: [{ type: "text", text: `${level}: ${text}${signal?.aborted ? "!" : ""}` }], details: {} };
		},
	});
}
