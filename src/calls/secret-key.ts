const ANYWHERE =
  /_(?:passwords?|passwd|passphrases?|passcodes?|passkeys?|secrets?|tokens?|authorizations?|cookies?|credentials?|creds?|apikeys?|bearer|jwt|otp|cvv|(?:api|private|access|secret|signing|encryption|ssh|master|license|account|storage)_keys?)_/;
/** Names in one word, such as PGPASSWORD, and words that mean a secret only at the end of a name. */
const AT_END =
  /(?:password|passwd|passphrase|secret|token|cookie|credential|(?:api|private|access|secret)key|_(?:db|user|root|admin|smtp|ftp|mysql|pg)?pass)s?_$|_(?:auth|pwd|pw|sig|psk|(?:amz|goog)_signature)_$/;
const COUNTED = /_tokens?_/;
const COUNTING = /_(?:max|min|count|limit|total|num|number|budget|used|usage|per|length|size)_/;
/** A plural key with a number is a count. */
const PLURAL = /(?:passwords|secrets|tokens|authorizations|cookies|credentials|keys|passphrases)_$/;
const MAX_KEY = 128;

/** Whether the value of this key is secret: `apiKey`, `GITHUB_TOKEN`, `set-cookie`, but not `maxTokens`. */
export function isSecretKey(key: string): boolean {
  const words = inWords(key);
  if (COUNTED.test(words) && COUNTING.test(words)) return false;
  return ANYWHERE.test(words) || AT_END.test(words);
}

/** Whether the number of a secret key is a count, as in `tokens: 500` and `secretCount: 3`. */
export function isCountKey(key: string): boolean {
  const words = inWords(key);
  return PLURAL.test(words) || COUNTING.test(words);
}

/** Whether a value is the working directory: its key `pwd` can also be a password. */
export function isWorkingDirectory(key: string, value: string): boolean {
  return /(?:^|_)pwd$/i.test(key) && /^(?:[/~.]|[A-Za-z]:[\\/])/.test(value);
}

/** Both "X-API-Key2" and "xApiKey" become "_x_api_key_". */
function inWords(key: string): string {
  const ends = key.length <= MAX_KEY ? key : `${key.slice(0, MAX_KEY / 2)}_${key.slice(-MAX_KEY / 2)}`;
  const words = ends
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z]+/g, "_");
  return `_${words}_`.replace(/_+/g, "_").toLowerCase();
}
