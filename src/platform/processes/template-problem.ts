/** A placeholder in a template. `value` is the name of the value. */
export interface Placeholder {
  readonly value: string;
}

/** A command template that cannot be filled in safely, or is not valid. The message is for its author. */
export class TemplateProblem extends Error {
  override readonly name: string = "TemplateProblem";
}

export function showPlaceholder({ value }: Placeholder): string {
  return `{{${value}}}`;
}

export function escapedPlaceholder(before: string, placeholder: Placeholder): TemplateProblem {
  return new TemplateProblem(
    `A "${before}" is right before ${showPlaceholder(placeholder)}. Remove it; for the character itself, put '${before}' in single quotes.`,
  );
}

/** `why` continues "where it …". */
export function misplacedPlaceholder(
  placeholder: Placeholder,
  where: string,
  why: string,
  advice = "Move it out of there",
): TemplateProblem {
  return new TemplateProblem(`${showPlaceholder(placeholder)} is in ${where}, where it ${why}. ${advice}.`);
}

export function ambiguousSyntax(syntax: string, advice: string): TemplateProblem {
  return new TemplateProblem(
    `A command with {{…}} cannot have ${syntax}: shells do not agree on where it ends. ${advice}, or put the command into a script file.`,
  );
}
