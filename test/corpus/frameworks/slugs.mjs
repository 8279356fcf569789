import { DynamicStructuredTool, DynamicTool } from '@langchain/core/tools';

// old style, one text in and one text out
export const slugify = new DynamicTool({
  name: 'slugify',
  description: 'Make a title fit for an address. Input is the title.',
  func: async (input) => input.toLowerCase().normalize('NFKD').replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, ''),
});

export const unslugify = new DynamicStructuredTool({
  name: 'unslugify',
  description: 'Make a readable title of a slug.',
  schema: {
    type: 'object',
    properties: { slug: { type: 'string' }, capital: { type: 'boolean', default: true } },
    required: ['slug'],
  },
  func: async ({ slug, capital }) => {
    const words = slug.split('-').join(' ');
    return capital ? words[0].toUpperCase() + words.slice(1) : words;
  },
});
