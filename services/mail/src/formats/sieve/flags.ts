/** RFC 3501 §2.3.2: the flags that a client can set; `\Recent` belongs to the server. */
const systemFlags = ['\\Answered', '\\Flagged', '\\Deleted', '\\Seen', '\\Draft']

const KEYWORD = /^[!#$&'+,\-./0-9:;<=>?@A-Z[\]^_`a-z|}~]{1,64}$/

/** More flags than this on one message are no use to anybody. */
const MAX_FLAGS = 100

/**
 * The flags in these strings: several in one string have blanks between them, none comes twice, upper and lower case
 * are the same, and what is no flag is left out (RFC 5232 §2).
 */
export const readFlags = (sources: readonly string[]): string[] => {
  const found = new Map<string, string>()
  for (const source of sources)
    for (const word of source.split(/\s+/)) {
      const flag = flagNamed(word)
      if (flag && found.size < MAX_FLAGS && !found.has(flag.toLowerCase())) found.set(flag.toLowerCase(), flag)
    }
  return [...found.values()]
}

/** The flags without those that are taken away. */
export const withoutFlags = (flags: readonly string[], away: readonly string[]): string[] => {
  const lower = new Set(away.map((flag) => flag.toLowerCase()))
  return flags.filter((flag) => !lower.has(flag.toLowerCase()))
}

const flagNamed = (word: string): string | null => {
  if (word.startsWith('\\')) return systemFlags.find((flag) => flag.toLowerCase() === word.toLowerCase()) ?? null
  return KEYWORD.test(word) ? word : null
}
