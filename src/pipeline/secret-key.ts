const ANYWHERE =
  /_(?:passwords?|passwd|passphrases?|passcodes?|secrets?|tokens?|authorizations?|cookies?|credentials?|creds|apikeys?|bearer|jwt|(?:api|private|access|secret|signing|encryption|ssh|master|license|account|storage)_keys?)_/;
/** Names written in one word, such as PGPASSWORD, and words that only mean a secret at the end. */
const AT_END =
  /(?:password|passwd|passphrase|secret|token|cookie|credential|(?:api|private|access|secret)key)s?_$|_auth_$|[^_]_pwd_$/;
const COUNTED = /_tokens?_/;
const COUNTING = /_(?:max|min|count|limit|total|num|number|budget|used|usage|per)_/;
const NUMBER = /(?:password|passwd|passphrase|passcode|secret|_pwd)_$/;
const LONGEST_KEY = 128;

/** Whether what stands under a key of this name should not be shown: `apiKey`, `GITHUB_TOKEN`, `set-cookie`; not `maxTokens`. */
export function isSecretKey(key: string): boolean {
  const words = inWords(key);
  if (COUNTED.test(words) && COUNTING.test(words)) return false;
  return ANYWHERE.test(words) || AT_END.test(words);
}

/** Whether even a number under this key is a secret: a password may be one, while `tokens: 500` is a count. */
export function isSecretNumber(key: string): boolean {
  return NUMBER.test(inWords(key));
}

/** "X-API-Key" and "xApiKey" are both "_x_api_key_". */
function inWords(key: string): string {
  const words = key
    .slice(0, LONGEST_KEY)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_");
  return `_${words}_`.replace(/_+/g, "_").toLowerCase();
}
