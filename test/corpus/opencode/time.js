'use strict';

// Date helpers as CommonJS, several tools in one file.
const { tool } = require('@opencode-ai/plugin');
const { pad } = require('./lib/pad');

const z = tool.schema;

exports.duration = tool({
  description: 'Format a number of seconds for people',
  args: { seconds: z.number().nonnegative() },
  async execute({ seconds }) {
    const h = Math.floor(seconds / 3600);
    const m = Math.floor((seconds % 3600) / 60);
    return `${h}:${pad(m)}:${pad(Math.floor(seconds % 60))}`;
  },
});

exports.unix = tool({
  description: 'Unix timestamp of an ISO date',
  args: { date: z.string() },
  async execute({ date }) {
    const ms = Date.parse(date);
    if (Number.isNaN(ms)) throw new Error('Invalid date: ' + date);
    return { seconds: ms / 1000, iso: new Date(ms) };
  },
});

exports.pad = pad;
