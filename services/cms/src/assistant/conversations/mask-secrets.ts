/** Replaces a secret. The system prompt explains it to the model. */
export const SECRET_REMOVED = '[secret removed]'

/** Keys whose issuers mark them, so that they are known by their beginning. */
const MARKED = [
  // OpenAI, Anthropic and those who copied them; Stripe.
  /\bsk-(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{16,}/g,
  /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bwhsec_[A-Za-z0-9+/=_-]{16,}/g,
  // Our own: sessions, agent keys, delivery keys.
  /\bcms(?:agt|ses)?_[A-Za-z0-9_-]{32,}/g,
  /\b(?:gh[opsur]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_-]{20,})/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\bGOCSPX-[A-Za-z0-9_-]{20,}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\bEAA[A-Za-z0-9]{40,}/g,
  // JSON web tokens, and private keys with all their lines.
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
] as const

/** `https://name:password@host` */
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@]{1,200}:)([^\s/?#@]{3,200})(?=@)/gi

/** A word that announces a secret, what may stand between, and the next word. */
const ANNOUNCED =
  /(\b(?:client[ _-]?|app[ _-]?|consumer[ _-]?|api[ _-]?|access[ _-]?|auth[ _-]?|refresh[ _-]?|bearer[ _-]?|signing[ _-]?|webhook[ _-]?)*(?:secret|key|token|password|passwort|passwd|passphrase|bearer)s?\b["'`]?(?:\s{0,3}(?:is|was|are)\b)?\s{0,3}(?:[:=]|->|=>)?\s{0,3}["'`“„]?)([^\s"'`“”,;<>()]{8,400})/gi

const PASSWORD_WORD = /pass(?:word|wort|wd|phrase)/i
/** What says that a value follows, and not the rest of a sentence. */
const SAYS_VALUE = /(?:[:=]|->|=>|\b(?:is|was))\s*["'`“„]?$/i

/** Takes secrets out of what a person wrote, before it is stored or sent anywhere. */
export const maskSecrets = (text: string): { text: string; masked: boolean } => {
  let clean = text
  for (const pattern of MARKED) clean = clean.replace(pattern, SECRET_REMOVED)
  clean = clean.replace(IN_ADDRESS, `$1${SECRET_REMOVED}`)
  clean = clean.replace(ANNOUNCED, (whole, before: string, found: string) => {
    const value = found.replace(/[.!?:]+$/, '')
    if (!isSecret(before, value)) return whole
    return `${before}${SECRET_REMOVED}${found.slice(value.length)}`
  })
  return { text: clean, masked: clean !== text }
}

const isSecret = (before: string, value: string): boolean => {
  if (isOrdinary(value)) return false
  if (value.length >= LONG && isRandom(value)) return true
  return PASSWORD_WORD.test(before) && SAYS_VALUE.test(before) && kindsOfCharacters(value) >= 3
}

const LONG = 16
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|\/|mailto:|www\.)|@[\w-]+\.\w/i
const MOMENT = /^\d{4}-\d\d-\d\d/
const FILE_NAME = /\.[a-z0-9]{2,5}$/i

/** Ids, addresses, file names, slugs and names in code: long, sometimes with digits, and no secrets. */
const isOrdinary = (value: string): boolean =>
  value.startsWith('[') ||
  UUID.test(value) ||
  ADDRESS.test(value) ||
  MOMENT.test(value) ||
  FILE_NAME.test(value) ||
  isMadeOfWords(value)

/** Each part is a word or a number, as in `summer-sale-2026`, `data.items.0.title` and `maxOutputTokens2`. */
const isMadeOfWords = (value: string): boolean => {
  const parts = value.split(/[-_./]|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== '')
  return (
    parts.every((part) => /^(?:[A-Za-z]?[a-z]{1,19}\d{0,2}|[A-Z]{1,12}|\d{1,8})$/.test(part)) && !hasManyShifts(parts)
  )
}

/** Random text with both cases falls apart into many short parts. */
const hasManyShifts = (parts: readonly string[]): boolean =>
  parts.length > 3 && parts.reduce((sum, part) => sum + part.length, 0) / parts.length < 3

const MIN_BITS = 3

/** At least one digit or a change of case, and characters that hardly repeat (Shannon, bits per character). */
const isRandom = (value: string): boolean => {
  if (!/\d/.test(value) && !/[a-z][A-Z]/.test(value)) return false
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits >= MIN_BITS
}

const kindsOfCharacters = (value: string): number =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value)).length
