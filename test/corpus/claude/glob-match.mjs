import path from 'node:path';

/** @type {{ name: string, description: string, inputSchema: object, handler: (input: any) => any }} */
export default {
  name: 'glob_match',
  description: 'Which of some paths match a glob pattern',
  inputSchema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'Such as src/**/*.ts' },
      paths: { type: 'array', items: { type: 'string' } },
    },
    required: ['pattern', 'paths'],
    additionalProperties: false,
  },
  handler: ({ pattern, paths }) => paths.filter((each) => path.posix.matchesGlob(each, pattern)),
};
