import type { Tx } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import {
  type ArfReport,
  type DsnReport,
  type DsnReportRecipient,
  isAddressFailure,
  readDsn,
  readFeedback,
} from '../../formats/bounces/bounces.ts'
import type { OnOutcome } from '../../sending/queue/queue.ts'
import { suppress, suppressionSpelling } from '../../sending/suppressions/suppressions.ts'
import type { Tables } from '../../tables.ts'
import type { Arrived, ReceiveParts } from './parts.ts'
import { lockSentMessage, markBounced, type SentMessage, type SentRecipient } from './service-queries.ts'

/** What follows from reports, besides what is written here. */
export type ServiceHooks = {
  /** The outcomes of bounces that come later, in the transaction that writes them; the queue reports the others. */
  readonly onOutcome?: OnOutcome
  readonly onComplaint?: (
    tx: Tx<Tables>,
    complaint: { accountId: string | null; messageId: string; recipient: string; at: Date },
  ) => Promise<void>
}

type Bounce = { arrived: Arrived; token: string }
type Taken = { sent: SentMessage; now: Date; log: Log }

/** Only the recipient of our message knows the token, so a report is trusted about this recipient, and nobody else. */
export const takeBounce = async (
  { database, clock, log }: ReceiveParts,
  hooks: ServiceHooks,
  { arrived, token }: Bounce,
): Promise<void> => {
  const { structure } = arrived.read
  const report = readDsn(structure, arrived.bytes)
  const complaint = report ? null : readFeedback(structure, arrived.bytes)
  if (!report && !complaint) return
  const now = clock.now()
  await database.tx(async (tx) => {
    const sent = await lockSentMessage(tx, token)
    if (!sent) return
    if (report) await takeFailures(tx, hooks, report, { sent, now, log })
    if (complaint) await takeComplaint(tx, hooks, complaint, { sent, now, log })
  })
}

/**
 * The owner of the token, if the report names them or somebody the mail did not go to, such as a forwarding target. The
 * report does not count when it names another recipient. An old token stands for all recipients: the name decides.
 */
const recipientOf = ({ recipients }: SentMessage, names: readonly (string | null)[]): SentRecipient | null => {
  const named = new Set(names.flatMap((name) => (name === null ? [] : [suppressionSpelling(name)])))
  const isNamed = ({ recipient }: SentRecipient) => named.has(suppressionSpelling(recipient))
  const owners = recipients.filter(({ isHere }) => isHere)
  const found = owners.find(isNamed)
  if (found || owners.length > 1) return found ?? null
  return recipients.some(isNamed) ? null : (owners[0] ?? null)
}

const takeFailures = async (
  tx: Tx<Tables>,
  hooks: ServiceHooks,
  report: DsnReport,
  { sent, now, log }: Taken,
): Promise<void> => {
  for (const failure of report.recipients.filter(({ action }) => action === 'failed')) {
    const found = recipientOf(sent, [failure.recipient, failure.originalRecipient])
    if (!found)
      log.warn({ queueMessageId: sent.id }, 'a bounce names another recipient than its token; nothing changed')
    else await bounce(tx, hooks, { sent, found, failure, now })
  }
}

const bounce = async (
  tx: Tx<Tables>,
  hooks: ServiceHooks,
  given: { sent: SentMessage; found: SentRecipient; failure: DsnReportRecipient; now: Date },
): Promise<void> => {
  const { sent, found, failure, now } = given
  const { status } = failure
  const reply = (failure.diagnostic ?? 'returned by the recipient').slice(0, 1_000)
  const isNews = await markBounced(tx, { messageId: sent.id, ordinal: found.ordinal, status, reply, now })
  if (!isNews) return
  if (isAboutAddress(failure))
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
      status,
      reply,
      attempt: found.attempts,
      at: now,
    },
  ])
}

/** A generic status leaves it to the reply of the host that refused. */
const isAboutAddress = ({ status, diagnostic }: DsnReportRecipient): boolean => {
  if (status !== '5.0.0') return isAddressFailure({ code: null, status })
  const [, code, enhanced] = /^(5\d\d)[ -](5\.\d{1,3}\.\d{1,3})?/.exec(diagnostic ?? '') ?? []
  return code !== undefined && isAddressFailure({ code: Number(code), status: enhanced ?? null })
}

const takeComplaint = async (
  tx: Tx<Tables>,
  hooks: ServiceHooks,
  complaint: ArfReport,
  { sent, now, log }: Taken,
): Promise<void> => {
  if (complaint.type === 'not-spam' || complaint.type === 'auth-failure') return
  const found = recipientOf(sent, complaint.recipients)
  if (!found) {
    log.warn({ queueMessageId: sent.id }, 'a complaint names another recipient than its token; nothing changed')
    return
  }
  const { recipient } = found
  await suppressRecipient(tx, sent, { email: recipient, origin: 'complaint', reason: complaint.type, now })
  await hooks.onComplaint?.(tx, { accountId: sent.accountId, messageId: sent.id, recipient, at: now })
}

const suppressRecipient = async (
  tx: Tx<Tables>,
  { id, accountId }: SentMessage,
  { now, ...why }: { email: string; origin: 'bounce' | 'complaint'; reason: string; now: Date },
): Promise<void> => {
  if (accountId !== null) await suppress(tx, [{ ...why, accountId, sourceId: id }], now)
}
