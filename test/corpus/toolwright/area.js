// Nothing imported, JSON Schema for the fields.
export default {
  description: "The area of a rectangle",
  args: {
    width: { type: "number", minimum: 0, description: "In metres" },
    height: { type: "number", minimum: 0, default: 1 },
  },
  execute: ({ width, height }) => ({ output: `${width * height} m²`, metadata: { width, height } }),
};
