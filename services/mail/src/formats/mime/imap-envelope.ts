import { type AddressParts, parseAddressEntries } from './addresses.ts'
import { firstText } from './header-text.ts'
import type { ImapValue } from './imap-values.ts'
import type { Bytes, Part } from './structure.ts'

/** One address of an ENVELOPE. A group begins with only a mailbox, and ends with nothing at all (RFC 9051 §7.5.2). */
export type EnvelopeAddress = {
  readonly name: string | null
  readonly route: string | null
  readonly mailbox: string | null
  readonly host: string | null
}

/** The ENVELOPE of a message (RFC 9051 §7.5.2): texts as the header has them, unfolded but not decoded. */
export type Envelope = {
  readonly date: string | null
  readonly subject: string | null
  readonly from: readonly EnvelopeAddress[] | null
  readonly sender: readonly EnvelopeAddress[] | null
  readonly replyTo: readonly EnvelopeAddress[] | null
  readonly to: readonly EnvelopeAddress[] | null
  readonly cc: readonly EnvelopeAddress[] | null
  readonly bcc: readonly EnvelopeAddress[] | null
  readonly inReplyTo: string | null
  readonly messageId: string | null
}

export const envelopeOf = (message: Part, bytes: Bytes): Envelope => {
  const addresses = (name: string) => addressesIn(firstText(message, bytes, name))
  const from = addresses('from')
  return {
    date: firstText(message, bytes, 'date'),
    subject: firstText(message, bytes, 'subject'),
    from,
    sender: addresses('sender') ?? from,
    replyTo: addresses('reply-to') ?? from,
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
    inReplyTo: firstText(message, bytes, 'in-reply-to'),
    messageId: firstText(message, bytes, 'message-id'),
  }
}

/** The envelope as IMAP sends it. */
export const envelopeValue = (envelope: Envelope): ImapValue => [
  envelope.date,
  envelope.subject,
  addressesValue(envelope.from),
  addressesValue(envelope.sender),
  addressesValue(envelope.replyTo),
  addressesValue(envelope.to),
  addressesValue(envelope.cc),
  addressesValue(envelope.bcc),
  envelope.inReplyTo,
  envelope.messageId,
]

const addressesIn = (text: string | null): EnvelopeAddress[] | null => {
  const entries = text === null ? [] : parseAddressEntries(text)
  if (entries.length === 0) return null
  return entries.map((entry) => {
    if (entry.kind === 'mailbox') return envelopeAddress(entry.address)
    return { name: null, route: null, mailbox: entry.kind === 'group' ? entry.name : null, host: null }
  })
}

/** An address without a domain would look like the beginning of a group. */
const envelopeAddress = ({ name, route, local, domain }: AddressParts): EnvelopeAddress => ({
  name,
  route,
  mailbox: local,
  host: domain ?? '',
})

const addressesValue = (addresses: readonly EnvelopeAddress[] | null): ImapValue =>
  addresses === null ? null : [{ run: addresses.map(({ name, route, mailbox, host }) => [name, route, mailbox, host]) }]
