const EFFECT_IMPORT =
  /\bimport\s+(?!type\b)[^;"']*\bfrom\s*["']@opencode(?:-ai)?\/plugin\/(?:v2\/)?effect(?:\/[\w/-]+)?["']/;

export const EFFECT_PLUGIN =
  'It is a plugin of OpenCode 2 that is written with Effect, which Toolwright does not run. Write it as Plugin.define({ id, setup(ctx) { … } }) of "@opencode/plugin".';

/** Whether a text is that of a plugin written with Effect. */
export function isEffectPlugin(source: string): boolean {
  return EFFECT_IMPORT.test(source);
}
