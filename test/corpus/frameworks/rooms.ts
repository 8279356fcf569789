import { tool } from '@openai/agents-core';

// Not strict, since the schema comes from another service as it is.
export const findRoom = tool({
    name: 'find_room',
    description: 'Find a meeting room with enough seats.',
    strict: false,
    parameters: {
        type: 'object',
        properties: {
            seats: { type: 'integer', minimum: 1 },
            floor: { type: 'integer' },
        },
        required: ['seats'],
        additionalProperties: true,
    },
    errorFunction: (_context, error) => `No room: ${error instanceof Error ? error.message : error}`,
    execute: async (input: any) => {
        const rooms = [
            { name: 'Oak', seats: 4, floor: 1 },
            { name: 'Elm', seats: 12, floor: 2 },
        ];
        const room = rooms.find((r) => r.seats >= input.seats && (input.floor === undefined || r.floor === input.floor));
        if (!room) throw new Error(`nothing for ${input.seats}`);
        return { type: 'text', text: `${room.name} on floor ${room.floor}` };
    },
});
