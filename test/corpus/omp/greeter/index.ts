// Draws itself with the components that come with the API; parameters as JSON Schema.
import type { CustomToolFactory, RenderResultOptions, Theme } from "@oh-my-pi/pi-coding-agent";
import { greeting } from "./greeting";

const factory: CustomToolFactory = (pi) => {
  const { Text, Container } = pi.pi;
  return {
    name: "greeter",
    label: "Greeter",
    description: "Greets somebody",
    parameters: {
      type: "object",
      properties: { name: { type: "string", description: "Whom to greet" } },
      required: ["name"],
    },
    async execute(_toolCallId, params, _onUpdate, _ctx, _signal) {
      return { content: [{ type: "text", text: greeting(String(params.name)) }], details: { greeted: params.name } };
    },
    renderCall(args, _options: RenderResultOptions, theme: Theme) {
      const box = new Container();
      box.addChild(new Text(`${theme.bold("greet")} ${theme.fg("accent", String(args.name))}`, 0, 0));
      return box;
    },
    renderResult(result, { expanded }, theme, args) {
      const sign = theme.fg("success", theme.status.success);
      return new Text(`${sign} ${String(args?.name)}${expanded ? ` ${JSON.stringify(result.details)}` : ""}`, 0, 0);
    },
  };
};

export default factory;
