import { describe, expect, it } from "vitest";
import { compileLinePattern } from "./line-pattern.ts";
import { translate } from "./translate-pattern.ts";

describe("[B7] a pattern in the words of both engines", () => {
  it.each<[string, string, string]>([
    ["foo", "foo", "foo"],
    ["a.b", "a[^\\r\\n\\x{fffd}]b", "a[^\\r\\n\\u{fffd}]b"],
    ["f(x|y)", "f(?:x|y)", "f(?:x|y)"],
    ["(?P<n>x)(?<m>y)(?:z)", "(?:x)(?:y)(?:z)", "(?:x)(?:y)(?:z)"],
    ["interface{}", "interface\\x{7b}\\x{7d}", "interface\\u{7b}\\u{7d}"],
    ["x{2,3}?", "x{2,3}?", "x{2,3}?"],
    ["[^a-c]", "[^a-c\\n\\x{fffd}]", "[^a-c\\n\\u{fffd}]"],
    ["[[]", "[\\x{5b}]", "[\\u{5b}]"],
    ["[\\t-\\x0e]", "[\\x{9}-\\x{9}\\x{b}-\\x{e}]", "[\\u{9}-\\u{9}\\u{b}-\\u{e}]"],
    ["\\d", "\\d", "\\p{Nd}"],
    ["x$", "x(?:\\r?$)", "x(?:(?=\\r?(?:\\n|$)))"],
  ])("[B7] %j", (pattern, rust, javascript) => {
    expect(translate(pattern)).toMatchObject({ rust, javascript });
  });

  it.each<[string, string]>([
    ["a)", 'at character 1: a ")" closes nothing. Write \\) for the character itself.'],
    ["[a", 'at character 2: a "[" is never closed. Write \\[ for the character itself.'],
    [
      "(?i:a)",
      "at character 1: this kind of group is not supported. Use (…) or (?:…). Only at the very beginning, (?i) makes upper and lower case alike.",
    ],
    [
      "(a)\\1",
      'at character 5: references to groups such as "\\1" are not supported. Search for a simpler pattern, and choose among what is found.',
    ],
    [
      "\\<a",
      'at character 2: "\\<" means different things to different people. Write < for the character itself, or \\b for the edge of a word.',
    ],
    ["\\q", 'at character 2: "\\q" means nothing. Leave the backslash out, or write \\\\ for a backslash.'],
    ["a\\", 'at character 3: it ends with "\\". Write \\\\ for a backslash.'],
    [
      "a\\nb",
      "at character 3: there is a line break in it, and lines are searched one at a time. Search for what stands on one line.",
    ],
    ["[z-a]", 'at character 4: the range "z-a" is the wrong way round. Turn it round.'],
    ["[a-\\d]", 'at character 5: a range ends with a set of characters. Write \\- for the character "-".'],
    ["[a&&b]", 'at character 2: "&&" in brackets is not supported. Write \\&& for the characters themselves.'],
    ["[[:foo:]]", 'at character 8: "[:foo:]" is not known. Use a set such as [:alpha:], [:digit:] or [:space:].'],
    ["\\p{Foo}", 'at character 7: "\\p{Foo}" is not known. Use a property such as \\p{L}, \\p{Lu} or \\p{Greek}.'],
    ["\\x{110000}", "at character 10: this is not the number of a character. Write the character itself."],
    ["a{3,1}", 'at character 6: "{3,1}" is the wrong way round. Turn it round.'],
    ["a{2000}", 'at character 7: "{2000}" repeats more than 1000 times. Use a smaller number, or + or *.'],
    ["a*+", "at character 3: something that is repeated already is repeated again. Put it in (?:…), or leave one out."],
    ["a\0", "at character 2: there is a NUL byte in it. Send it without."],
    ["(".repeat(60), "at character 51: its groups are nested too deeply. Send a simpler one."],
  ])("[B7] refuses %j", (pattern, reason) => {
    expect(() => translate(pattern)).toThrow(`The pattern is not valid ${reason}`);
  });

  it("[B7] refuses a pattern that is too long", () => {
    expect(() => compileLinePattern("x".repeat(10_001))).toThrow(
      '"pattern" has more than 10000 characters. Send a shorter one.',
    );
  });
});
