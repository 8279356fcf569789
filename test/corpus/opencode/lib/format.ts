export const heading = (text: string): string => `# ${text}`;
