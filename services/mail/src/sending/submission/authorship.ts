import {
  type ByteRange,
  type HeaderField,
  headerText,
  type Part,
  parseAddressEntries,
} from '../../formats/mime/mime.ts'

/** What a message says about who wrote it, or why that is not clear. */
export type Authorship =
  | { readonly kind: 'author'; readonly from: string; readonly sender: string | null }
  | { readonly kind: 'unclear'; readonly reason: string }

/** RFC 5322 §3.6.2, of which we take one From field with one author, and at most one Sender. */
export const readAuthorship = (root: Part, bytes: Buffer): Authorship => {
  const named = (name: string) => root.fields.filter((field) => field.name === name)
  const froms = named('from')
  const senders = named('sender')
  const [from] = froms
  if (!from) return unclear('The message has no From field')
  if (froms.length > 1 || senders.length > 1) return unclear('From and Sender must appear only once')
  // A reader of another kind would find another author in these.
  if (root.fields.some(({ name }) => /^resent-(?:from|sender)$/.test(name)))
    return unclear('Resent fields are not allowed')
  const author = onlyAddress(from, bytes)
  if (author === null) return unclear('The From field must contain one address')
  const [sender] = senders
  const writer = sender ? onlyAddress(sender, bytes) : null
  if (sender && writer === null) return unclear('The Sender field must contain one address')
  return { kind: 'author', from: author, sender: writer }
}

/** Fields that are not for the recipients, and those that only the last host writes. */
export const privateFields = (root: Part): ByteRange[] =>
  root.fields
    .filter(({ name }) => name === 'bcc' || name === 'resent-bcc' || name === 'return-path')
    .map(({ start, next }) => ({ start, end: next }))

const unclear = (reason: string): Authorship => ({ kind: 'unclear', reason })

const onlyAddress = (field: HeaderField, bytes: Buffer): string | null => {
  if (bytes.subarray(field.valueStart, field.end).includes(0)) return null
  const entries = parseAddressEntries(headerText(bytes, field))
  const [entry] = entries
  if (entries.length !== 1 || entry?.kind !== 'mailbox') return null
  const { local, domain, route } = entry.address
  return route === null && domain !== null && local !== '' ? `${local}@${domain}` : null
}
