import { Fault } from '@stoa/kit/errors.ts'
import { srsReverse } from '../../formats/bounces/bounces.ts'
import type { Route } from '../../hosting/addresses/addresses.ts'
import {
  type Door,
  type DoorSession,
  defaultSessionLimits,
  type Envelope,
  type Path,
  Refused,
  type Reply,
  refuse,
  reply,
  type SessionLimits,
  type Taken,
} from '../../wire/smtp/smtp.ts'
import { findBlockedServer } from '../senders/senders.ts'
import { recordBlocked, recordDeferral, refusedActivity, refusedLine } from './activity.ts'
import { type ArrivingMail, judgeArrival } from './arrive.ts'
import type { ServiceHooks } from './bounces.ts'
import { deliver, receiptHashOf, relayHashOf } from './deliver.ts'
import { hasRoomFor, MAILBOX_FULL } from './full-mailbox.ts'
import type { Arrived, DeliveryResult, MailboxRoute, ReceiveParts } from './parts.ts'
import { type DeliveryState, findDelivery, insertActivity, type ReceiptKey } from './queries.ts'
import { createMailRates, type MailRates } from './rates.ts'
import { deliverOutside, deliverService } from './service-mail.ts'
import { isKnownToken } from './service-queries.ts'
import { spoolMessage } from './spool.ts'
import { protocolOf } from './trace.ts'

export type MxOptions = {
  hooks?: ServiceHooks
  limits?: Partial<SessionLimits>
  rates?: MailRates
}

/** The route of a recipient, with the state of its mailbox at RCPT. */
export type TakenRoute =
  | Exclude<Route, { kind: 'unknown' | 'foreign' | 'malformed' | 'mailbox' }>
  | (MailboxRoute & { readonly known: { readonly state: DeliveryState; readonly at: Date } })
type MxSession = DoorSession<never, TakenRoute>

/** The door for mail from other hosts. */
export const createMxDoor = (parts: ReceiveParts, options: MxOptions): Door<never, TakenRoute> => {
  const rates = options.rates ?? createMailRates(parts.clock)
  return {
    name: 'mx',
    hostname: parts.config.hostname,
    maxMessageBytes: parts.config.maxMessageBytes,
    limits: { ...defaultSessionLimits, ...options.limits },
    log: parts.log,
    clock: parts.clock,
    auth: null,
    maxHoldSeconds: 0,
    mail: async (session, path) => {
      const from = path.kind === 'mailbox' ? path.address : ''
      if (!(await rates.allows({ ip: session.ip, from })))
        refuse(451, '4.7.1', 'Too many messages from your server, try again later')
    },
    rcpt: async ({ ip }, path, envelope) => {
      const address = addressOf(path, parts.config.hostname)
      return {
        address,
        value: await orTemporaryFailure(() => takeRecipient(parts, { address, envelope, ip })),
      }
    },
    message: (session, envelope, content) => takeMessage(parts, options.hooks ?? {}, { session, envelope, content }),
  }
}

const addressOf = (path: Path, hostname: string): string => {
  if (path.kind === 'postmaster') return `postmaster@${hostname}`
  return path.kind === 'mailbox' ? path.address : refuse(550, '5.7.1', 'Invalid recipient address')
}

/** While the database does not answer, nobody is turned away for good. */
const orTemporaryFailure = async <R>(work: () => Promise<R>): Promise<R> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && error.kind === 'unavailable') return refuse(451, '4.3.0', 'Try again later')
    throw error
  }
}

type Asked = { address: string; envelope: Envelope<TakenRoute>; ip: string }

const takeRecipient = async (parts: ReceiveParts, asked: Asked): Promise<TakenRoute> => {
  const { address, envelope } = asked
  const { db } = parts.database
  const route = await parts.routes.find(address)
  switch (route.kind) {
    case 'foreign':
    case 'malformed':
      return refuse(550, '5.7.1', 'Relay access denied')
    case 'unknown':
      return refuseNobody(parts, route.domain, asked)
    case 'bounce':
      return (await isKnownToken(db, route.token)) ? route : refuseUnknown(address)
    case 'srs':
      return envelope.from === '' && srsReverse(route.localPart, parts.config.secret, parts.clock.now()) !== null
        ? route
        : refuseUnknown(address)
    case 'mailbox':
      return { ...route, known: await checkRoom(parts, route.addressId, asked) }
    case 'outside':
      return (await findBlockedServer(db, asked.ip)) === null ? route : refuse(...BLOCKED)
    case 'reports':
      return route
  }
}

const BLOCKED = [550, '5.7.1', 'Mail from your server is blocked here'] as const

/** The trace of the domain shows why the mail was not delivered to anybody. */
const refuseNobody = async (
  { refused }: ReceiveParts,
  domain: Extract<Route, { kind: 'unknown' }>['domain'],
  { address: recipient, envelope, ip: remoteIp }: Asked,
): Promise<never> => {
  if (domain && !isRelay(recipient))
    await refused.record({
      accountId: domain.accountId,
      domainId: domain.id,
      sender: envelope.from,
      recipient,
      remoteIp,
    })
  return refuseUnknown(recipient)
}

/** Spellings that other hosts once took for a way to somewhere else are answered as what they are. */
const isRelay = (address: string): boolean => /[%!"]/.test(address)

const refuseUnknown = (address: string): never =>
  isRelay(address) ? refuse(550, '5.7.1', 'Relay access denied') : refuse(550, '5.1.1', 'No such mailbox')

const checkRoom = async (parts: ReceiveParts, addressId: string, { address, envelope, ip }: Asked) => {
  const at = parts.clock.now()
  const state = await findDelivery(parts.database.db, { addressId, hash: null, now: at })
  if (!state) return refuse(550, '5.1.1', 'No such mailbox')
  const size = envelope.parameters.size ?? 0
  const line = () =>
    refusedLine({ addressId, sender: envelope.from, recipient: address, sizeBytes: size, remoteIp: ip }, at)
  const network = state.hasBlockedNetworks ? await findBlockedServer(parts.database.db, ip) : null
  if (network !== null) {
    await recordBlocked(parts, line(), `the sender list of the instance blocks ${network}`)
    return refuse(...BLOCKED)
  }
  if (hasRoomFor(state, size)) return { state, at }
  await recordDeferral(parts, line(), MAILBOX_FULL.text)
  return refuse(MAILBOX_FULL.code, MAILBOX_FULL.status, MAILBOX_FULL.text)
}

type Incoming = { session: MxSession; envelope: Envelope<TakenRoute>; content: AsyncIterable<Buffer> }

const takeMessage = async (
  parts: ReceiveParts,
  hooks: ServiceHooks,
  { session, envelope, content }: Incoming,
): Promise<Taken> => {
  const spooled = await spoolMessage(parts, content)
  return spooled.use(async (bytes) => {
    const { ip, tls, isExtended, id } = session
    const peer = {
      ip,
      helo: session.helo ?? '',
      protocol: protocolOf({ isExtended, tls, isSignedIn: false }),
      tls,
      sessionId: id,
    }
    const isUtf8 = envelope.parameters.isUtf8
    const recipients = envelope.recipients.map(({ address }) => address)
    const mail = { stored: spooled.stored, bytes, returnPath: envelope.from, recipients, isUtf8, peer }
    const arrived = await judgeArrival(parts, mail).catch((error: unknown) => noteRefusal(parts, envelope, mail, error))
    const outcomes: DeliveryResult[] = []
    for (const recipient of onePerMailbox(envelope)) outcomes.push(await deliverOne(parts, hooks, arrived, recipient))
    const answer = answerOf(outcomes, arrived.hash)
    return answer.code === 250
      ? { reply: answer, onAcknowledged: () => parts.receipts.acknowledge(keysOf(arrived, envelope)) }
      : { reply: answer }
  })
}

/** Mailboxes see what was turned away at the door. */
const noteRefusal = async (
  parts: ReceiveParts,
  envelope: Envelope<TakenRoute>,
  mail: ArrivingMail,
  error: unknown,
): Promise<never> => {
  if (!(error instanceof Refused)) throw error
  const entries = onePerMailbox(envelope).flatMap(({ value, address }) =>
    value.kind === 'mailbox'
      ? [refusedActivity(mail, value.addressId, address, error.reply.text, parts.clock.now())]
      : [],
  )
  await parts.database.tx((tx) => insertActivity(tx, entries))
  throw error
}

type Recipient = Envelope<TakenRoute>['recipients'][number]

/** Several addresses of one mailbox are one recipient. */
const onePerMailbox = ({ recipients }: Envelope<TakenRoute>): Recipient[] => {
  const seen = new Set<string>()
  return recipients.filter(({ value, address }) => {
    const key = value.kind === 'mailbox' ? value.addressId : `${value.kind} ${address}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

const deliverOne = (
  parts: ReceiveParts,
  hooks: ServiceHooks,
  arrived: Arrived,
  { value: route, address: recipient }: Recipient,
): Promise<DeliveryResult> => {
  switch (route.kind) {
    case 'mailbox':
      return deliver(parts, arrived, { route, recipient, receiptHash: receiptHashOf(arrived), known: route.known })
    case 'outside':
      return deliverOutside(parts, { arrived, to: route.to, accountId: route.accountId, recipient })
    case 'bounce':
    case 'srs':
    case 'reports':
      return deliverService(parts, hooks, { arrived, route, recipient })
  }
}

const keysOf = (arrived: Arrived, { recipients }: Envelope<TakenRoute>): ReceiptKey[] =>
  recipients.flatMap(({ value, address }): ReceiptKey[] => {
    if (value.kind === 'mailbox') return [{ addressId: value.addressId, hash: receiptHashOf(arrived) }]
    return value.kind === 'outside' || value.kind === 'srs'
      ? [{ addressId: null, hash: relayHashOf(arrived, address) }]
      : []
  })

/**
 * One answer for all: what can be cured by trying again is asked for again, and those who have the message do not get
 * it twice. A refusal counts when nobody took it; else it is silent, since a report would go to a forged sender.
 */
const answerOf = (outcomes: readonly DeliveryResult[], key: string): Reply => {
  const isTemporary = (outcome: DeliveryResult): boolean => outcome.kind === 'failed' && outcome.code < 500
  const again = outcomes.find(isTemporary)
  if (again?.kind === 'failed')
    return outcomes.every(isTemporary)
      ? reply(again.code, again.status, again.text)
      : reply(451, '4.3.0', 'Not delivered to all recipients yet, try again later')
  if (outcomes.some(({ kind }) => kind === 'delivered')) return reply(250, '2.0.0', `Ok ${key.slice(0, 16)}`)
  const [first] = outcomes
  return first?.kind === 'failed'
    ? reply(first.code, first.status, first.text)
    : reply(550, '5.7.1', first?.kind === 'rejected' ? first.text : 'The message was rejected')
}
