/** What we found out about a message when it came, as its mailbox keeps it. */
export type StoredResults = {
  /** The authserv-id of the checking server: ours. */
  readonly by: string
  /** `pass`: the domain of the author vouches for it; `fail`: it says that the message is not from there. */
  readonly dmarc: { readonly result: 'pass' | 'fail' | 'none'; readonly domain: string | null }
  /** Signatures that passed and cover all of the message. */
  readonly signatures: readonly { readonly domain: string; readonly selector: string; readonly beginning: string }[]
}

type Field = { readonly name: string; readonly value: string }

/**
 * Reads the Authentication-Results (RFC 8601) among the fields that we put before a message, above the first Received
 * field; those inside of the message may be forged. They are as `formatResults` writes them: without quotes.
 */
export const readStoredResults = (prefix: readonly Field[], hostname: string): StoredResults | null => {
  const end = prefix.findIndex(({ name }) => name.toLowerCase() === 'received')
  const field = prefix.slice(0, Math.max(0, end)).find(({ name }) => name.toLowerCase() === 'authentication-results')
  const [by = '', ...entries] = (field?.value ?? '').split(';').map((part) => part.trim())
  if (by === '' || by.toLowerCase() !== hostname.toLowerCase()) return null
  const dmarc = entries.find((entry) => /^dmarc=/.test(entry)) ?? ''
  const result = DMARC_RESULTS.find((known) => dmarc.startsWith(`dmarc=${known} `)) ?? 'none'
  return {
    by,
    dmarc: { result, domain: propertyOf(dmarc, 'header.from') },
    signatures: entries.flatMap((entry) => signatureOf(entry) ?? []),
  }
}

const DMARC_RESULTS = ['pass', 'fail'] as const
/** Before the properties, `formatResults` says in a comment that a signature leaves something out. */
const SOUND = /^dkim=pass header\./

const signatureOf = (entry: string): StoredResults['signatures'][number] | null => {
  const [domain, selector, beginning] = ['header.d', 'header.s', 'header.b'].map((name) => propertyOf(entry, name))
  return SOUND.test(entry) && domain && selector && beginning ? { domain, selector, beginning } : null
}

const propertyOf = (entry: string, name: string): string | null =>
  entry
    .split(/\s+/)
    .find((word) => word.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? null

/** The names of the fields that a signature (RFC 6376 §3.5) covers, if it is one of those that passed. */
export const signedFields = (
  signature: string,
  results: StoredResults,
  all: readonly string[],
): ReadonlySet<string> => {
  const isOf = (text: string, { domain, selector, beginning }: StoredResults['signatures'][number]): boolean => {
    const tags = tagsOf(text)
    const isNamed = tags.get('d')?.toLowerCase() === domain.toLowerCase() && tags.get('s') === selector
    return isNamed && (tags.get('b') ?? '').startsWith(beginning)
  }
  // The match must be unique: a forged copy of the passing signature could claim to cover anything
  const isProven = results.signatures.some(
    (passed) => isOf(signature, passed) && all.filter((each) => isOf(each, passed)).length === 1,
  )
  const names = isProven ? (tagsOf(signature).get('h') ?? '').toLowerCase().split(':') : []
  return new Set(names)
}

const MAX_TAGS = 50

/** White space has no meaning in any tag that is asked for here. */
const tagsOf = (signature: string): Map<string, string> =>
  new Map(
    signature
      .replace(/\s+/g, '')
      .split(';', MAX_TAGS)
      .map((tag): [string, string] => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  )
