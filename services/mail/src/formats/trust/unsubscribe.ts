import { type StoredResults, signedFields } from '../authenticity/authenticity.ts'

/** How to leave a list: a request that we make (RFC 8058), a mail, or a page to open (RFC 2369 §3.2). */
export type Unsubscribe =
  | { readonly kind: 'one_click'; readonly url: string }
  | { readonly kind: 'mail'; readonly mailto: string }
  | { readonly kind: 'page'; readonly url: string }

type Field = { readonly name: string; readonly value: string }

const MAX_TARGETS = 20

type Options = {
  /** Authentication results from delivery; without them no request is made. */
  readonly results: StoredResults | null
  /** `https:`, and whatever else the operator allows. */
  readonly schemes: readonly string[]
}

/** The best way that the header of a message offers. `fields` are those of the message itself, not what we put before. */
export const unsubscribeOf = (fields: readonly Field[], { results, schemes }: Options): Unsubscribe | null => {
  const values = (name: string) => fields.filter((field) => field.name.toLowerCase() === name).map(({ value }) => value)
  const lists = values('list-unsubscribe')
  const targets = targetsOf(lists[0] ?? '')
  const page = targets.find(({ protocol }) => schemes.includes(protocol))
  const mail = targets.find(({ protocol, pathname }) => protocol === 'mailto:' && pathname.includes('@'))
  const posts = values('list-unsubscribe-post')
  const isOneClick = lists.length === 1 && posts.length === 1 && /^list-unsubscribe=one-click$/i.test(posts[0] ?? '')
  if (page && results && isOneClick && isSigned(values('dkim-signature'), results))
    return { kind: 'one_click', url: page.href }
  if (mail) return { kind: 'mail', mailto: mail.href }
  return page ? { kind: 'page', url: page.href } : null
}

const targetsOf = (value: string): URL[] =>
  [...value.matchAll(/<([^<>]{1,2000})>/g)].slice(0, MAX_TARGETS).flatMap(([, target = '']) => {
    const url = URL.parse(target.replace(/\s+/g, ''))
    return url ? [url] : []
  })

/** RFC 8058 §4: a signature that passed covers both fields, so that nobody but the sender chose where the request goes. */
const isSigned = (signatures: readonly string[], results: StoredResults): boolean =>
  signatures.some((signature) => {
    const covered = signedFields(signature, results, signatures)
    return covered.has('list-unsubscribe') && covered.has('list-unsubscribe-post')
  })
