import { Type } from "typebox";
import { definePluginEntry, emptyPluginConfigSchema } from "openclaw/plugin-sdk/plugin-entry";
import { jsonResult, readNumberParam, readStringParam } from "openclaw/plugin-sdk/core";

const METRES: Record<string, number> = { m: 1, km: 1000, mi: 1609.344, ft: 0.3048 };

const parameters = Type.Object(
	{
		value: Type.Number({ description: "The length" }),
		from: Type.String({ description: "The unit of the length: m, km, mi or ft" }),
		to: Type.String({ description: "The unit of the result" }),
	},
	{ additionalProperties: false },
);

function factor(unit: string): number {
	const metres = METRES[unit];
	if (metres === undefined) throw new Error(`Unknown unit: ${unit}`);
	return metres;
}

export default definePluginEntry({
	id: "units",
	name: "Units",
	description: "Converts lengths.",
	configSchema: emptyPluginConfigSchema(),
	register(api) {
		const digits = (api.pluginConfig?.digits as number | undefined) ?? 0;
		api.registerTool({
			name: "convert_length",
			label: "Convert length",
			description: "Converts a length into another unit.",
			parameters,
			async execute(_toolCallId: string, params: Record<string, unknown>) {
				const value = readNumberParam(params, "value", { required: true });
				const from = readStringParam(params, "from", { required: true });
				const to = readStringParam(params, "to", { required: true });
				const result = (value * factor(from)) / factor(to);
				return jsonResult({ value: Number(result.toFixed(digits)), unit: to });
			},
		});
	},
});
