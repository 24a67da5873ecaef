import type { Identity } from '@stoa/mail-model/identities.ts'
import type { Correspondent, Message } from '@stoa/mail-model/messages.ts'
import { addRecipients, type Recipient, sameAddress } from './recipients/recipients.ts'

export type Addressed = { to: Recipient[]; cc: Recipient[] }

/** RFC 5322 §3.6.4 asks for all of them; the service takes so many, and the first and the latest are those that count. */
const MAX_REFERENCES = 100
const MAX_SUBJECT = 998

/** The members that identify an identity. */
export type Own = Pick<Identity, 'id' | 'email' | 'is_default'>

/**
 * Whom an answer goes to. It goes where the sender wants it (Reply-To); to oneself only when there is nobody else: an
 * answer to one's own message goes to those it was sent to. `all` adds everybody else, but not oneself, and not those who
 * asked for answers elsewhere: of a mailing list they read it there.
 */
export const replyRecipients = (
  message: Pick<Message, 'from' | 'reply_to' | 'to' | 'cc'>,
  own: readonly Own[],
  all: boolean,
): Addressed => {
  const isOwn = ({ email }: Correspondent) => own.some((identity) => sameAddress(identity.email, email))
  const wanted = message.reply_to.length > 0 ? message.reply_to : message.from ? [message.from] : []
  const isMine = message.from !== null && isOwn(message.from)
  if (isMine && wanted.every(isOwn)) {
    const to = others(message.to, isOwn, [])
    const cc = all ? others(message.cc, isOwn, to) : []
    if (to.length + cc.length > 0) return { to, cc }
    return { to: addRecipients([], message.to.length > 0 ? message.to : wanted), cc: [] }
  }
  const direct = others(wanted, isOwn, [])
  const to = direct.length > 0 ? direct : addRecipients([], wanted)
  if (!all) return { to, cc: [] }
  return { to, cc: others([...message.to, ...message.cc], isOwn, to) }
}

/**
 * The identity that a message was for: an answer comes from the address that was written to. Of several with that
 * address it is the one that is used by default.
 */
export const identityFor = (
  message: Pick<Message, 'from' | 'to' | 'cc' | 'bcc' | 'headers'>,
  own: readonly Own[],
): string | null => {
  const ranked = own.toSorted((a, b) => Number(b.is_default) - Number(a.is_default))
  const find = (list: readonly (Correspondent | null)[]) =>
    ranked.find(({ email }) => list.some((one) => one !== null && sameAddress(one.email, email)))
  const delivered = message.headers
    .filter(({ name }) => /^(?:delivered-to|x-original-to)$/i.test(name))
    .map(({ value }) => ({ name: null, email: value.replace(/[<>]/g, '') }))
  const found = find([message.from]) ?? find(message.to) ?? find([...message.cc, ...message.bcc]) ?? find(delivered)
  return (found ?? ranked[0])?.id ?? null
}

/** In other languages, too: an answer to an answer has one `Re:`. */
const ANSWERED = /^\s*(?:(?:re|aw|antw|sv|vs|r|rif|odp|ynt)(?:\[\d+\])?\s*[:：]\s*)+/i
const FORWARDED = /^\s*(?:(?:fwd?|wg|tr|rv|enc|i)(?:\[\d+\])?\s*[:：]\s*)+/i

export const replySubject = (subject: string | null): string => prefixed('Re:', subject, ANSWERED)
export const forwardSubject = (subject: string | null): string => prefixed('Fwd:', subject, FORWARDED)

const prefixed = (prefix: string, subject: string | null, known: RegExp): string =>
  `${prefix} ${(subject ?? '').replace(/\s+/g, ' ').replace(known, '').trim()}`.trim().slice(0, MAX_SUBJECT)

/** Which messages an answer belongs to (RFC 5322 §3.6.4). */
export const threading = (
  message: Pick<Message, 'message_id' | 'in_reply_to' | 'references'>,
): { inReplyTo: string | null; references: string[] } => {
  const own = idOf(message.message_id)
  if (own === null) return { inReplyTo: null, references: [] }
  const before = message.references.map(idOf).filter((id) => id !== null)
  const parent = idOf(message.in_reply_to)
  const chain = [...new Set([...(before.length > 0 || parent === null ? before : [parent]), own])]
  const [first, ...rest] = chain
  return {
    inReplyTo: own,
    references: first === undefined ? [] : [first, ...rest.slice(-(MAX_REFERENCES - 1))],
  }
}

/** The Message-ID in the form that the service accepts; others cannot be put into a header. */
const idOf = (id: string | null): string | null => {
  const plain = id?.trim().replace(/^<(.*)>$/, '$1') ?? ''
  return /^[^\s<>\p{Cc}]{1,900}$/u.test(plain) ? plain : null
}

const others = (
  list: readonly Correspondent[],
  isOwn: (one: Correspondent) => boolean,
  without: readonly Recipient[],
): Recipient[] =>
  addRecipients(
    [],
    list.filter((one) => !isOwn(one) && !without.some(({ email }) => sameAddress(email, one.email))),
  )
