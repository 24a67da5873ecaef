import type { Mailbox } from '@stoa/mail-model/email.ts'
import { type AddressItem, type AddressWord, isAddressWord, scanAddresses } from './address-items.ts'
import { decodeWords } from './encoded-words.ts'

export type { Mailbox } from '@stoa/mail-model/email.ts'

/** Mailboxes that stand together; those outside of any group have the name null. */
export type MailboxGroup = { readonly name: string | null; readonly addresses: Mailbox[] }

/** An address in its pieces, as IMAP's ENVELOPE wants them: the name still encoded. */
export type AddressParts = {
  readonly name: string | null
  readonly route: string | null
  readonly local: string
  readonly domain: string | null
}

export type AddressEntry =
  | { readonly kind: 'mailbox'; readonly address: AddressParts }
  | { readonly kind: 'group'; readonly name: string }
  | { readonly kind: 'groupEnd' }

/** All mailboxes of an address list, groups dissolved. What is broken is read as what it most likely was. */
export const parseAddresses = (text: string): Mailbox[] =>
  parseAddressEntries(text).flatMap((entry) => (entry.kind === 'mailbox' ? [mailboxOf(entry.address)] : []))

/** The mailboxes of an address list by group. */
export const parseAddressGroups = (text: string): MailboxGroup[] => {
  const groups: MailboxGroup[] = []
  let open: MailboxGroup | null = null
  for (const entry of parseAddressEntries(text)) {
    if (entry.kind === 'groupEnd') open = null
    else if (entry.kind === 'group') {
      open = { name: displayName(entry.name), addresses: [] }
      groups.push(open)
    } else {
      if (!open) {
        open = { name: null, addresses: [] }
        groups.push(open)
      }
      open.addresses.push(mailboxOf(entry.address))
    }
  }
  return groups
}

/** The entries of an address list in order. */
export const parseAddressEntries = (text: string): AddressEntry[] => {
  const entries: AddressEntry[] = []
  let surname: string | null = null
  for (const event of scanAddresses(text)) {
    if (event.kind === 'item') {
      surname = addItem(entries, event.item, surname)
      continue
    }
    addBareName(entries, surname)
    surname = null
    entries.push(event.kind === 'group' ? { kind: 'group', name: phrase(event.item.words) } : event)
  }
  addBareName(entries, surname)
  return entries
}

/**
 * Adds the address of an item. A bare name is held back and answered: in `Smith, John <john@example.org>` it is the
 * first half of the next one's name.
 */
const addItem = (entries: AddressEntry[], item: AddressItem, surname: string | null): string | null => {
  const isBare = item.angle === null && !item.hasAddress
  if (isBare) {
    addBareName(entries, surname)
    return phrase(item.words)
  }
  const parts = item.angle === null ? bareAddress(item) : angleAddress(item, item.angle)
  if (surname && item.angle !== null && parts?.name) {
    entries.push({ kind: 'mailbox', address: { ...parts, name: `${surname}, ${parts.name}` } })
    return null
  }
  addBareName(entries, surname)
  if (parts) entries.push({ kind: 'mailbox', address: parts })
  return null
}

const addBareName = (entries: AddressEntry[], name: string | null): void => {
  if (name) entries.push({ kind: 'mailbox', address: { name: null, route: null, local: name, domain: null } })
}

const mailboxOf = ({ name, local, domain }: AddressParts): Mailbox => ({
  name: name === null ? null : displayName(name),
  email: domain === null ? decodeWords(local) : `${local}@${domain}`,
})

const displayName = (name: string): string | null => {
  const text = decodeWords(name)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return text === '' ? null : text.normalize('NFC')
}

/** Words as one text: spaces where there were some, quotes taken off. */
const phrase = (words: readonly AddressWord[]): string =>
  words.map(({ text, isGlued }, index) => (isGlued || index === 0 ? text : ` ${text}`)).join('')

const angleAddress = (item: AddressItem, angle: string): AddressParts | null => {
  const isRouted = /^\s*@/.test(angle)
  const colon = isRouted ? angle.indexOf(':') : -1
  const route = colon === -1 ? null : angle.slice(0, colon).replace(/\s+/g, '')
  const [inner] = scanAddresses(angle.slice(colon + 1).replace(/^\s*mailto:/i, '')).flatMap((event) =>
    event.kind === 'item' ? [event.item] : [],
  )
  const spec = inner ? addressText(glue(inner.words)) : ''
  const name = phrase(item.words) || (item.comments.at(-1) ?? '')
  if (spec === '' && name === '') return null
  return { ...splitAddress(spec), name: name || null, route }
}

/** An address without brackets; words before and after it are its name. */
const bareAddress = (item: AddressItem): AddressParts | null => {
  const words = glue(item.words)
  const at = words.findLastIndex(isAddressWord)
  let start = at
  while (start > 0 && words[start]?.isGlued) start -= 1
  let end = at + 1
  while (end < words.length && words[end]?.isGlued) end += 1
  const spec = addressText(words.slice(start, end))
  const name = phrase([...words.slice(0, start), ...words.slice(end)]).trim() || (item.comments.at(-1) ?? '')
  return { ...splitAddress(spec), name: name || null, route: null }
}

/** RFC 5322 §4.4 allows spaces around the dots and the at sign of an address. */
const glue = (words: readonly AddressWord[]): AddressWord[] => {
  const isWhole = /^[^\s@.]+(?: ?\. ?[^\s@.]+)* ?@ ?[^\s@.]+(?: ?\. ?[^\s@.]+)*$/.test(phrase(words).slice(0, 512))
  const joint = isWhole ? /^[.@]|[.@]$/ : /^@|@$/
  return words.map((word, index) => {
    const before = words[index - 1]
    const isJoined =
      before !== undefined &&
      ((!word.isQuoted && joint.test(word.text[0] ?? '')) || (!before.isQuoted && joint.test(before.text.at(-1) ?? '')))
    return isJoined ? { ...word, isGlued: true } : word
  })
}

/** Words as an address; a quoted one keeps its quotes when it needs them. */
const addressText = (words: readonly AddressWord[]): string =>
  words.map((word) => (word.isQuoted ? quoteLocal(word.text) : word.text)).join('')

const quoteLocal = (text: string): string =>
  /^[^\s"(),:;<>@[\]\\.]+(?:\.[^\s"(),:;<>@[\]\\.]+)*$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`

const splitAddress = (spec: string): { local: string; domain: string | null } => {
  const clean = spec.replace(/\p{Cc}/gu, '')
  const at = clean.lastIndexOf('@')
  return at === -1 ? { local: clean, domain: null } : { local: clean.slice(0, at), domain: clean.slice(at + 1) }
}
