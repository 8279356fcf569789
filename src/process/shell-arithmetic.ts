import { isAssignment, literalOf, type Slot, TemplateProblem, type Word } from "./shell-words.ts";

/** What a template does with variables. */
export interface Calculation {
  readonly commands: readonly (readonly Word[])[];
  readonly pieces: readonly (string | Slot)[];
  /** The text of all its expressions. */
  readonly calculated: string;
}

/**
 * Refuses `n={{n}}; echo $((n + 1))`. Some shells, bash among them, read a variable in an expression as an expression
 * of its own, and one with a subscript can run commands.
 */
export function refuseCalculated({ commands, pieces, calculated }: Calculation): void {
  if (calculated === "") return;
  const all = slotIn(pieces);
  if (all === undefined) return;
  if (/\$\{?[\d@*]/.test(calculated)) throw problem(all);
  for (const command of commands) {
    for (const { name, slot } of filledVariables(command, pieces, all)) {
      if (new RegExp(`(?<!\\w)${name}(?!\\w)`).test(calculated)) throw problem(slot);
    }
  }
}

/** The variables that a command gives values of the model's to, as far as its words tell. */
function filledVariables(
  command: readonly Word[],
  pieces: readonly (string | Slot)[],
  any: Slot,
): { name: string; slot: Slot }[] {
  const texts = command.map((word) => literalOf(word) ?? "");
  const loop = texts.findIndex((text) => text === "for" || text === "select");
  const looped = loop < 0 ? undefined : slotIn(pieces.slice(command[loop]?.from, command.at(-1)?.to));
  const read = texts.includes("read") ? texts.filter((text) => NAME.test(text)) : [];
  return [
    ...command.filter(isAssignment).flatMap((word) => {
      const slot = slotIn(pieces.slice(word.from, word.to));
      return slot ? [{ name: word.cooked.join("").split("=")[0] ?? "", slot }] : [];
    }),
    ...(looped && NAME.test(texts[loop + 1] ?? "") ? [{ name: texts[loop + 1] ?? "", slot: looped }] : []),
    ...read.map((name) => ({ name, slot: any })),
  ];
}

const NAME = /^[A-Za-z_]\w*$/;

function slotIn(pieces: readonly (string | Slot)[]): Slot | undefined {
  return pieces.find((piece) => typeof piece !== "string");
}

function problem({ name }: Slot): TemplateProblem {
  return new TemplateProblem(
    `{{${name}}} gets into $((…)), where some shells would read it as code. Calculate with expr, or put the command into a script file.`,
  );
}
