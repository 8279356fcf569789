/** Shell builtins that evaluate their arguments as commands, patterns or arithmetic. */
export const READS_CODE: ReadonlySet<string> = new Set(
  "eval let trap alias declare typeset fc compgen complete mapfile readarray bind enable [[".split(" "),
);

/** Shell builtins with variable names as arguments. Bash evaluates the subscript of a name such as `a[$(date)]`. */
export const READS_NAMES: ReadonlySet<string> = new Set(
  "printf test [ read unset local export readonly wait getopts".split(" "),
);
