import { createHash } from 'node:crypto'
import { Fault } from '@stoa/kit/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { parseAddresses, parseMessage } from '../../formats/mime/mime.ts'
import {
  decideVacation,
  isAutoSubmitted,
  type MessageEdits,
  noEdits,
  parseAddress,
  type SieveMessage,
  type VacationAction,
} from '../../formats/sieve/sieve.ts'
import { mayWriteAs } from '../../hosting/addresses/addresses.ts'
import { readMessage, StoreRefusal } from '../../store/store.ts'
import {
  applyEdits,
  type FilterResult,
  isRemembered,
  readyScripts,
  runFilters,
  sieveMessageOf,
} from '../filters/filters.ts'
import { activityOf, recordDeferral } from './activity.ts'
import { commitDelivery, type PreparedNotice, type Version } from './commit.ts'
import { MAILBOX_FULL } from './full-mailbox.ts'
import { holdBack } from './hold-back.ts'
import { judgeSpam, type MailboxVerdict } from './judge.ts'
import { wasDeliveredTo } from './loops.ts'
import { mailtoNotice, type Notice, vacationNotice } from './notices.ts'
import type { Arrived, Delivery, DeliveryResult, ReceiveParts } from './parts.ts'
import { type DeliveryPlan, planDelivery } from './plan.ts'
import { type DeliveryState, findDelivery, insertActivity, listOwnAddresses } from './queries.ts'
import { deliveryPrefix } from './trace.ts'

/** The receipt of a message from outside: its bytes and its sender. */
export const receiptHashOf = (arrived: { hash: string; returnPath: string }): Buffer =>
  createHash('sha256').update(`${arrived.hash}\0${arrived.returnPath.toLowerCase()}`).digest()

/** The receipt of a relayed message. It includes the recipient, because no mailbox does. */
export const relayHashOf = (arrived: { hash: string; returnPath: string }, recipient: string): Buffer =>
  createHash('sha256').update(receiptHashOf(arrived)).update(recipient.toLowerCase()).digest()

/**
 * Delivers a message to a mailbox: its filters run, then everything that follows is written in one transaction. What
 * can be cured by trying again is `failed` with a code of 4xx.
 */
export const deliver = async (parts: ReceiveParts, arrived: Arrived, delivery: Delivery): Promise<DeliveryResult> => {
  try {
    return await attempt(parts, arrived, delivery)
  } catch (error) {
    const failed = failureOf(error)
    if (failed?.code === MAILBOX_FULL.code)
      await recordDeferral(parts, activityOf(arrived, delivery, parts.clock.now()), MAILBOX_FULL.text)
    if (failed) return failed
    parts.log.error({ err: error, addressId: delivery.route.addressId }, 'a message could not be delivered')
    return { kind: 'failed', code: 451, status: '4.3.0', text: 'Try again later' }
  }
}

/** How long a mailbox's state from RCPT is reused for the message that follows. */
const FRESH_MS = 5_000

const attempt = async (parts: ReceiveParts, arrived: Arrived, delivery: Delivery): Promise<DeliveryResult> => {
  const { addressId } = delivery.route
  const now = parts.clock.now()
  const { known, receiptHash } = delivery
  const isFresh = known !== undefined && now.getTime() - known.at.getTime() <= FRESH_MS
  // Whether the same message is here is checked again when it is written.
  const state = isFresh ? known.state : await findDelivery(parts.database.db, { addressId, hash: receiptHash, now })
  if (!state) return { kind: 'failed', code: 550, status: '5.1.1', text: 'The mailbox no longer exists' }
  if (state.isReceived) return { kind: 'delivered' }
  const verdict = await judgeSpam(parts, arrived, { state, delivery })
  const held = await holdBack(parts, arrived, { delivery, verdict, now })
  if (held.kind === 'refused') return reject(parts, arrived, { delivery, reason: held.text, now })
  if (held.kind === 'delayed') return held.outcome
  const prefix = deliveryPrefix(arrived, {
    hostname: parts.config.hostname,
    id: newId(),
    email: state.email,
    recipient: delivery.recipient,
    spam: verdict.field,
  })
  const message = sieveMessageOf({
    bytes: arrived.bytes,
    root: arrived.read.structure.root,
    prefix: { bytes: prefix, fields: parseMessage(prefix).root.fields },
  })
  const filtered = await filter(parts, arrived, { delivery, state, message, verdict, now })
  const plan = planDelivery({
    actions: filtered.actions,
    isSpam: verdict.isSpam,
    isBlocked: verdict.listed?.action === 'block',
    isLoop: wasDeliveredTo(arrived.read.structure.root, arrived.bytes, state.email),
    forwardTo: state.forwardTo,
    keepCopy: state.keepCopy,
  })
  if (plan.reject !== null) return reject(parts, arrived, { delivery, reason: plan.reject, now })
  const versions = await prepareVersions(parts, arrived, prefix, plan)
  const notices = await prepareNotices(parts, arrived, { delivery, state, message, plan, now })
  const isNew = await commitDelivery(parts.database, {
    arrived,
    delivery,
    state,
    prefix,
    plan,
    versions,
    notices,
    seen: filtered.seen,
    filterError: filtered.error,
    isSpam: verdict.isSpam,
    why: held.since ? [...verdict.why, `accepted after greylisting since ${held.since.toISOString()}`] : verdict.why,
    isTrainingSample: verdict.isTrainingSample,
    config: parts.config,
    now,
  })
  if (!isNew) parts.log.info({ addressId }, 'a message that was here already came again')
  return { kind: 'delivered' }
}

/** Beyond this many times the threshold the score of a message says no more. */
const CERTAIN = 2

type Filtering = { delivery: Delivery; state: DeliveryState; message: SieveMessage; verdict: MailboxVerdict; now: Date }

const filter = async (
  parts: ReceiveParts,
  arrived: Arrived,
  { delivery, state, message, verdict, now }: Filtering,
): Promise<FilterResult> => {
  const { db } = parts.database
  const { addressId, accountId } = delivery.route
  const scale = verdict.score === null ? null : verdict.score / (Math.max(state.spamThreshold, 0.1) * CERTAIN)
  return runFilters(db, {
    addressId,
    accountId,
    scripts: await readyScripts(db, state.scripts, parts.scripts),
    message,
    envelope: { from: arrived.returnPath, to: delivery.recipient },
    spamPercent: scale === null ? null : Math.round(Math.min(Math.max(scale, 0), 1) * 100),
    virusLevel: arrived.virusLevel,
    hostname: parts.config.hostname,
    ip: arrived.peer?.ip ?? null,
    helo: arrived.peer?.helo ?? null,
    now,
  })
}

const reject = async (
  parts: ReceiveParts,
  arrived: Arrived,
  { delivery, reason, now }: { delivery: Delivery; reason: string; now: Date },
): Promise<DeliveryResult> => {
  await parts.database.tx((tx) =>
    insertActivity(tx, [{ ...activityOf(arrived, delivery, now), type: 'rejected', result: reason.slice(0, 500) }]),
  )
  return { kind: 'rejected', text: reason }
}

/** Versions that a filter has edited are messages of their own; their bytes have to be safe before anything is written. */
const prepareVersions = async (
  parts: ReceiveParts,
  arrived: Arrived,
  prefix: Buffer,
  plan: DeliveryPlan,
): Promise<ReadonlyMap<MessageEdits, Version>> => {
  const versions = new Map<MessageEdits, Version>([[noEdits, { blob: arrived.blob, prefix, read: arrived.read }]])
  for (const { edits } of [...plan.copies, ...plan.redirects]) {
    if (versions.has(edits)) continue
    const bytes = applyEdits(prefix, arrived.bytes, edits)
    const { key, size } = await parts.blobs.put(bytes, { maxBytes: parts.config.maxMessageBytes * 2 })
    versions.set(edits, { blob: { key, size }, prefix: Buffer.alloc(0), read: readMessage(bytes) })
  }
  return versions
}

type Noticing = { delivery: Delivery; state: DeliveryState; message: SieveMessage; plan: DeliveryPlan; now: Date }

const prepareNotices = async (
  parts: ReceiveParts,
  arrived: Arrived,
  { delivery, state, message, plan, now }: Noticing,
): Promise<PreparedNotice[]> => {
  const notices: PreparedNotice[] = []
  const writer = { email: state.email, name: null, hostname: parts.config.hostname, now }
  const put = async (notice: Notice, more: Pick<PreparedNotice, 'fcc' | 'memory' | 'returnPath'>) => {
    const { key, size } = await parts.blobs.put(notice.bytes, { maxBytes: parts.config.maxMessageBytes })
    notices.push({ ...notice, ...more, blob: { key, size } })
  }
  if (plan.vacation) {
    const answer = await vacationAnswer(parts, arrived, { delivery, message, action: plan.vacation, now })
    if (answer) {
      const memory = { hash: answer.hash, seconds: answer.reply.seconds }
      const sender = await writerOf(parts, delivery, plan.vacation.from, state.email)
      // RFC 3834 §3.3: a failed automatic answer is reported to nobody.
      const more = { fcc: plan.vacation.fcc, memory, returnPath: '' }
      await put(vacationNotice(plan.vacation, answer.reply, { ...writer, ...sender }), more)
    }
  }
  // RFC 5436 §2.7: what a machine sent is nothing to be notified of.
  if (isAutoSubmitted(message.root.headers)) return notices
  for (const action of plan.notifications) {
    const sender = await writerOf(parts, delivery, action.from, state.email)
    const about = { from: arrived.read.envelope.from[0]?.email ?? arrived.returnPath, subject: arrived.read.subject }
    const notice = mailtoNotice(action, about, { ...writer, ...sender, owner: state.email })
    // RFC 5436 §2.7: from nobody about what came from nobody, lest the two go in circles.
    const returnPath = arrived.returnPath === '' ? '' : sender.email
    if (notice) await put(notice, { fcc: action.fcc, memory: null, returnPath })
  }
  return notices
}

/** A script may write under the owner's addresses only, and under any name. */
const writerOf = async (
  parts: ReceiveParts,
  { route }: Delivery,
  wanted: string | null,
  own: string,
): Promise<{ email: string; name: string | null }> => {
  const email = wanted === null ? undefined : parseAddress(wanted)?.all
  if (!email || !(await mayWriteAs(parts.database.db, route.addressId, email))) return { email: own, name: null }
  return { email, name: parseAddresses(wanted ?? '')[0]?.name || null }
}

const vacationAnswer = async (
  parts: ReceiveParts,
  arrived: Arrived,
  { delivery, message, action, now }: { delivery: Delivery; message: SieveMessage; action: VacationAction; now: Date },
) => {
  const { db } = parts.database
  const { addressId, email } = delivery.route
  const owned = [email, ...(await listOwnAddresses(db, addressId))]
  const { reply } = decideVacation(action, message, { from: arrived.returnPath, to: delivery.recipient }, owned)
  if (!reply) return null
  const hash = createHash('sha256').update(`${reply.key}\0${reply.to.toLowerCase()}`).digest()
  return (await isRemembered(db, { addressId, kind: 'vacation', hash, now })) ? null : { reply, hash }
}

type Failed = Extract<DeliveryResult, { kind: 'failed' }>

const failureOf = (error: unknown): Failed | null => {
  if (error instanceof StoreRefusal && error.kind === 'over_quota') return MAILBOX_FULL
  // A folder that went away meanwhile; the next try sees that.
  const isPassing = error instanceof StoreRefusal || (error instanceof Fault && error.kind === 'unavailable')
  if (isPassing) return { kind: 'failed', code: 451, status: '4.3.0', text: 'Try again later' }
  return null
}
