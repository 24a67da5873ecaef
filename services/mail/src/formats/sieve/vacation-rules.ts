import type { VacationAction } from './action-types.ts'
import { isSameAddress, isWhole, parseAddress, parseAddresses } from './addresses.ts'
import { headersNamed, type SieveEnvelope, type SieveHeader, type SieveMessage } from './message.ts'

/** Why no reply is sent, for the activity of the mailbox. */
export type VacationRefusal =
  | 'no_sender'
  | 'own_address'
  | 'system_sender'
  | 'automatic_message'
  | 'mailing_list'
  | 'not_addressed'

export type VacationReply = {
  readonly to: string
  readonly subject: string
  /** For In-Reply-To, or null. */
  readonly inReplyTo: string | null
  readonly references: string | null
  /** Replies of this key to this sender are counted together: at most one in `seconds`. */
  readonly key: string
  readonly seconds: number
}

export type VacationDecision =
  | { readonly reply: VacationReply; readonly refusal: null }
  | { readonly reply: null; readonly refusal: VacationRefusal }

/**
 * Decides whether a vacation may be answered, by RFC 5230 §4.5 to §4.7 and RFC 3834 §2. `owned` are the addresses of
 * the mailbox. Whether this sender got a reply lately is for the caller to look up.
 */
export const decideVacation = (
  action: VacationAction,
  message: SieveMessage,
  envelope: SieveEnvelope,
  owned: readonly string[],
): VacationDecision => {
  const { headers } = message.root
  const sender = parseAddress(envelope.from ?? '')
  const own = [...owned, ...action.addresses, ...(envelope.to ? [envelope.to] : [])]
  if (!sender) return refused('no_sender')
  if (own.some((address) => isSameAddress(address, sender.all))) return refused('own_address')
  if (SYSTEM_SENDER.test(sender.local)) return refused('system_sender')
  if (isAutomatic(headers)) return refused('automatic_message')
  if (isFromList(headers)) return refused('mailing_list')
  if (!isAddressed(headers, own)) return refused('not_addressed')
  return { reply: replyTo(action, headers, sender.all), refusal: null }
}

const refused = (refusal: VacationRefusal): VacationDecision => ({ reply: null, refusal })

/** RFC 5230 §4.6 and RFC 3834 §2: nobody reads what is sent there. */
const SYSTEM_SENDER =
  /^(?:owner-.*|.*-(?:request|owner|bounces?)|mailer-daemon|listserv|majordomo|postmaster|no-?reply|bounces?(?:[-+].*)?)$/i

/** RFC 3834 §5: anything but `no`, which parameters and comments may follow. */
export const isAutoSubmitted = (headers: readonly SieveHeader[]): boolean =>
  headersNamed(headers, 'auto-submitted').some(({ decoded }) => !/^no\s*(?:[;(]|$)/i.test(decoded))

const isAutomatic = (headers: readonly SieveHeader[]): boolean => {
  if (isAutoSubmitted(headers)) return true
  return headersNamed(headers, 'x-auto-response-suppress').some(({ decoded }) =>
    /\b(?:all|oof|autoreply)\b/i.test(decoded),
  )
}

const isFromList = (headers: readonly SieveHeader[]): boolean =>
  headers.some(({ name }) => /^list-(?:id|post|help|subscribe|unsubscribe|owner|archive)$/i.test(name)) ||
  headersNamed(headers, 'precedence').some(({ decoded }) => /^(?:bulk|junk|list)$/i.test(decoded))

const recipientFields = ['to', 'cc', 'bcc', 'resent-to', 'resent-cc', 'resent-bcc']

/** RFC 5230 §4.5: an address of the owner has to stand in the header. */
const isAddressed = (headers: readonly SieveHeader[], own: readonly string[]): boolean => {
  const mine = new Set(own.map((address) => (parseAddress(address)?.all ?? address).toLowerCase()))
  return recipientFields
    .flatMap((name) => headersNamed(headers, name))
    .flatMap(({ raw }) => parseAddresses(raw))
    .some((address) => isWhole(address) && mine.has(address.all.toLowerCase()))
}

/** A subject or id that is longer does not get longer in a reply. */
const MAX_LENGTH = 500
const MAX_REFERENCES = 50

/** RFC 5322 §3.6.4: whole ids; of very many the first and the last. */
const referencesOf = (headers: readonly SieveHeader[]): string[] => {
  const field = headersNamed(headers, 'references')[0] ?? headersNamed(headers, 'in-reply-to')[0]
  const ids = field?.decoded.match(/<[^<>\s]{1,250}>/g) ?? []
  return ids.length > MAX_REFERENCES ? [...ids.slice(0, 1), ...ids.slice(1 - MAX_REFERENCES)] : ids
}

const replyTo = (action: VacationAction, headers: readonly SieveHeader[], to: string): VacationReply => {
  const first = (name: string) => headersNamed(headers, name)[0]?.decoded.slice(0, MAX_LENGTH) || null
  const id = first('message-id')
  const before = referencesOf(headers)
  return {
    to,
    // RFC 3834 §3.1.5 and RFC 5230 §4.3.
    subject: action.subject ?? `Auto: ${first('subject') ?? ''}`.trim(),
    inReplyTo: id,
    references: id && [...before, id].join(' '),
    key: action.handle,
    seconds: action.seconds,
  }
}
