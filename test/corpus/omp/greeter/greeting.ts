export enum Tone {
  Plain = "Hello",
}

export const greeting = (name: string): string => `${Tone.Plain}, ${name}!`;
