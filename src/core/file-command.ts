/** A command that a tool file registers, as it is declared. People run it by its name. */
export interface CommandDeclaration {
  readonly name: string;
  readonly description?: string;
}

/** The names that commands may have. They are typed, and printed to terminals. */
export const COMMAND_NAME: RegExp = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]{0,63}$/u;
export const MAX_COMMAND_DESCRIPTION = 1_000;
