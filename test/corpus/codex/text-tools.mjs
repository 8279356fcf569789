// Tools of an MCP server: server.registerTool(tool.name, tool.config, tool.execute)
class Schema {
  constructor(properties, required = Object.keys(properties)) {
    this.properties = properties;
    this.required = required;
  }

  getJsonSchema() {
    return { type: "object", properties: this.properties, required: this.required };
  }
}

export const wrapText = {
  name: "wrap_text",
  config: {
    title: "Wrap text",
    description: "Breaks a text into lines of at most so many characters.",
    inputSchema: {
      type: "object",
      properties: { text: { type: "string" }, width: { type: "number", default: 20 } },
      required: ["text"],
    },
  },
  async execute({ text, width }) {
    const lines = [""];
    for (const word of text.split(/\s+/)) {
      const line = lines.at(-1);
      if (line === "") lines[lines.length - 1] = word;
      else if (`${line} ${word}`.length <= width) lines[lines.length - 1] = `${line} ${word}`;
      else lines.push(word);
    }
    return { content: [{ type: "text", text: lines.join("\n") }] };
  },
};

export const countWords = {
  name: "count_words",
  description: "Counts the words of a text.",
  parameters: new Schema({ text: { type: "string", description: "The text" } }),
  execute: async (toCount) => String(toCount.text.split(/\s+/).filter(Boolean).length),
};
