export const PREFIX = "> ";
