import type { Tx } from '@stoa/kit/db/database.ts'
import { Fault } from '@stoa/kit/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type DsnReport, readDsn } from '../bounces/read-dsn.ts'
import { type ArfReport, readFeedback } from '../bounces/read-feedback.ts'
import { srsForward, srsReverse } from '../bounces/srs.ts'
import { enqueue } from '../queue/enqueue.ts'
import type { OnOutcome, ServiceRoute } from '../queue/parts.ts'
import { takeReports } from '../reports/reports.ts'
import { suppress } from '../suppressions/suppress.ts'
import type { Tables } from '../tables.ts'
import type { Arrived, Outcome, ReceiveParts } from './parts.ts'
import { lockSentMessage, markBounced, type SentMessage } from './service-queries.ts'
import { forwardPrefix } from './trace.ts'

/** What follows from reports, besides what is written here. */
export type ServiceHooks = {
  /** The outcomes of bounces that come later, in the transaction that writes them; the queue tells the others. */
  readonly onOutcome?: OnOutcome
  readonly onComplaint?: (
    tx: Tx<Tables>,
    complaint: { accountId: string | null; messageId: string; recipient: string; at: Date },
  ) => Promise<void>
}

/** Takes mail to the service itself. Mail that says nothing is taken too: nobody would read an answer. */
export const deliverService = async (
  parts: ReceiveParts,
  hooks: ServiceHooks,
  { arrived, route, recipient }: { arrived: Arrived; route: ServiceRoute; recipient: string },
): Promise<Outcome> => {
  try {
    switch (route.kind) {
      case 'bounce':
        await parts.database.tx((tx) => takeBounce(tx, hooks, { arrived, token: route.token, now: parts.clock.now() }))
        return DELIVERED
      case 'srs':
        return await returnForward(parts, { arrived, localPart: route.localPart, recipient })
      case 'reports':
        if (arrived.authenticity)
          await takeReports(parts.database, {
            bytes: arrived.bytes,
            authenticity: arrived.authenticity,
            now: parts.clock.now(),
          })
        return DELIVERED
    }
  } catch (error) {
    if (!(error instanceof Fault && error.kind === 'unavailable'))
      parts.log.error({ err: error, kind: route.kind }, 'mail to the service failed')
    return { kind: 'failed', code: 451, status: '4.3.0', text: 'Try again later' }
  }
}

/** Mail of the service to an address elsewhere, such as postmaster's. */
export const deliverOutside = async (
  parts: ReceiveParts,
  { arrived, to, accountId, recipient }: { arrived: Arrived; to: string; accountId: string; recipient: string },
): Promise<Outcome> => {
  const { hostname, secret } = parts.config
  const now = parts.clock.now()
  const returnPath = arrived.returnPath === '' ? '' : srsForward(arrived.returnPath, hostname, secret, now)
  return sendOn(parts, { arrived, to, accountId, recipient, returnPath, now })
}

const DELIVERED: Outcome = { kind: 'delivered' }

/** RFC 5321 §4.5.5: reports come from the null sender; anything else to such an address is not for anybody. */
const returnForward = async (
  parts: ReceiveParts,
  { arrived, localPart, recipient }: { arrived: Arrived; localPart: string; recipient: string },
): Promise<Outcome> => {
  const now = parts.clock.now()
  const to = srsReverse(localPart, parts.config.secret, now)
  if (to === null || arrived.returnPath !== '')
    return { kind: 'failed', code: 550, status: '5.1.1', text: 'There is no such address' }
  return sendOn(parts, { arrived, to, accountId: null, recipient, returnPath: '', now })
}

type SendOn = {
  arrived: Arrived
  to: string
  accountId: string | null
  recipient: string
  returnPath: string
  now: Date
}

const sendOn = async (parts: ReceiveParts, input: SendOn): Promise<Outcome> => {
  const { arrived, to, accountId, recipient, returnPath, now } = input
  const trace = { hostname: parts.config.hostname, id: newId(), email: recipient, recipient, mark: '' }
  await parts.database.tx((tx) =>
    enqueue(tx, {
      accountId,
      addressId: null,
      source: 'forward',
      blob: arrived.blob,
      prefix: forwardPrefix(arrived, trace),
      returnPath,
      recipients: [{ address: to, ...(returnPath === '' ? { notify: ['never'] } : {}) }],
      signingDomainId: null,
      messageId: arrived.read.envelope.messageId[0] ?? null,
      headerFrom: arrived.read.envelope.from[0]?.email ?? null,
      subject: arrived.read.subject,
      needsUtf8: arrived.isUtf8,
      needs8bit: true,
      now,
    }),
  )
  return DELIVERED
}

type Bounce = { arrived: Arrived; token: string; now: Date }

/** Only who got our message knows the token, so what the report says about that message is believed. */
const takeBounce = async (tx: Tx<Tables>, hooks: ServiceHooks, { arrived, token, now }: Bounce): Promise<void> => {
  const { structure } = arrived.read
  const report = readDsn(structure, arrived.bytes)
  const complaint = report ? null : readFeedback(structure, arrived.bytes)
  if (!report && !complaint) return
  const sent = await lockSentMessage(tx, token)
  if (!sent) return
  if (report) await takeFailures(tx, hooks, { sent, report, now })
  if (complaint) await takeComplaint(tx, hooks, { sent, complaint, now })
}

const takeFailures = async (
  tx: Tx<Tables>,
  hooks: ServiceHooks,
  { sent, report, now }: { sent: SentMessage; report: DsnReport; now: Date },
): Promise<void> => {
  for (const failure of report.recipients.filter(({ action }) => action === 'failed')) {
    const names = [failure.recipient, failure.originalRecipient].map((name) => name?.toLowerCase())
    // A report about an address that a recipient forwards to is a report about the only recipient there is.
    const only = sent.recipients.length === 1 ? sent.recipients[0] : undefined
    const found = sent.recipients.find(({ recipient }) => names.includes(recipient.toLowerCase())) ?? only
    if (!found || !['delivered', 'deferred'].includes(found.state)) continue
    const reply = (failure.diagnostic ?? 'returned by the recipient').slice(0, 1_000)
    await markBounced(tx, { messageId: sent.id, ordinal: found.ordinal, status: failure.status, reply, now })
    if (failure.status.startsWith('5.1.'))
      await suppressRecipient(tx, sent, { email: found.recipient, origin: 'bounce', reason: reply, now })
    await hooks.onOutcome?.(tx, [
      {
        messageId: sent.id,
        accountId: sent.accountId,
        addressId: sent.addressId,
        source: sent.source,
        ordinal: found.ordinal,
        recipient: found.recipient,
        state: 'bounced',
        code: null,
        status: failure.status,
        reply,
        attempt: found.attempts,
        at: now,
      },
    ])
  }
}

const takeComplaint = async (
  tx: Tx<Tables>,
  hooks: ServiceHooks,
  { sent, complaint, now }: { sent: SentMessage; complaint: ArfReport; now: Date },
): Promise<void> => {
  if (complaint.type === 'not-spam' || complaint.type === 'auth-failure') return
  const named = complaint.recipients.map((address) => address.toLowerCase())
  const by = sent.recipients.filter(
    ({ recipient }) => sent.recipients.length === 1 || named.includes(recipient.toLowerCase()),
  )
  for (const { recipient } of by) {
    await suppressRecipient(tx, sent, { email: recipient, origin: 'complaint', reason: complaint.type, now })
    await hooks.onComplaint?.(tx, { accountId: sent.accountId, messageId: sent.id, recipient, at: now })
  }
}

const suppressRecipient = async (
  tx: Tx<Tables>,
  { id, accountId }: SentMessage,
  { now, ...why }: { email: string; origin: 'bounce' | 'complaint'; reason: string; now: Date },
): Promise<void> => {
  if (accountId !== null) await suppress(tx, [{ ...why, accountId, sourceId: id, expiresAt: null }], now)
}
