import { isAscii } from 'node:buffer'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { srsForward } from '../../formats/bounces/bounces.ts'
import type { Filing, MessageEdits } from '../../formats/sieve/sieve.ts'
import { enqueue } from '../../hosting/enqueue/enqueue.ts'
import { takeSendingVolume } from '../../hosting/plans/plans.ts'
import { recordEvent } from '../../hosting/webhook-events/webhook-events.ts'
import {
  addMessage,
  ensureFolderPath,
  findFolder,
  type ReadMessage,
  readMessage,
  StoreRefusal,
} from '../../store/store.ts'
import type { Tables } from '../../tables.ts'
import { keywordsOfFlags, remember, rememberLonger, roleOfUse, type SeenMark } from '../filters/filters.ts'
import { learn } from '../spam/spam.ts'
import { activityOf } from './activity.ts'
import { findKnown } from './known-folders.ts'
import type { Notice } from './notices.ts'
import type { Arrived, Delivery, ReceiveConfig } from './parts.ts'
import type { DeliveryPlan } from './plan.ts'
import { type DeliveryState, insertActivity, insertReceipt } from './queries.ts'
import { receivedData } from './received-event.ts'
import { forwardPrefix } from './trace.ts'

/** A version of the message that is safe. */
export type Version = {
  readonly blob: { readonly key: string; readonly size: number }
  readonly prefix: Buffer
  readonly read: ReadMessage
}

export type PreparedNotice = Notice & {
  readonly blob: { readonly key: string; readonly size: number }
  readonly fcc: Filing | null
  readonly returnPath: string
  /** Whom it was sent to is remembered, and for how long. */
  readonly memory: { readonly hash: Buffer; readonly seconds: number } | null
}

export type Commit = {
  readonly arrived: Arrived
  readonly delivery: Delivery
  readonly state: DeliveryState
  readonly prefix: Buffer
  readonly plan: DeliveryPlan
  readonly versions: ReadonlyMap<MessageEdits, Version>
  readonly notices: readonly PreparedNotice[]
  readonly seen: readonly SeenMark[]
  readonly filterError: string | null
  readonly isSpam: boolean
  /** Reasons that are shown in the trace. */
  readonly why: readonly string[]
  /** The classifier wants to learn from it. */
  readonly isTrainingSample: boolean
  readonly config: ReceiveConfig
  readonly now: Date
}

/** Writes all that a delivery does, or nothing. False when the same message was delivered before. */
export const commitDelivery = async ({ tx }: Database<Tables>, commit: Commit): Promise<boolean> => {
  try {
    await tx((tx) => writeOnce(tx, commit))
    return true
  } catch (error) {
    if (error instanceof DeliveredBefore) return false
    throw error
  }
}

/** Ends the transaction, so that nothing of a second copy stays. */
class DeliveredBefore extends Error {}

/** The receipt goes out together with what follows, which is then waited for once: second copies are rare. */
const writeOnce = async (tx: Tx<Tables>, commit: Commit): Promise<void> => {
  const { arrived, delivery, plan, isSpam, now } = commit
  const activity = activityOf(arrived, delivery, now)
  const entry = {
    ...activity,
    type: isSpam ? 'spam' : 'received',
    result: withReasons(resultOf(plan, isSpam), commit.why),
  } as const
  const [receipt, written] = await Promise.allSettled([
    insertReceipt(tx, delivery.receiptHash, entry),
    write(tx, commit, activity),
  ])
  if (receipt.status === 'rejected') throw receipt.reason
  // A duplicate takes precedence over any other error, such as a mailbox that is full by now: the message is here.
  if (!receipt.value) throw new DeliveredBefore()
  if (written.status === 'rejected') throw written.reason
}

const write = async (tx: Tx<Tables>, commit: Commit, activity: ReturnType<typeof activityOf>): Promise<void> => {
  const { arrived, delivery } = commit
  const problems = commit.filterError === null ? [] : [commit.filterError]
  const sent = await sendOn(tx, commit, problems)
  const stored = await store(tx, commit, sent, problems)
  if (stored) await notifyWebhooks(tx, commit, stored)
  await sendNotices(tx, commit)
  await rememberSeen(tx, commit)
  if (commit.isTrainingSample && arrived.spamText)
    await learn(tx, {
      addressId: delivery.route.addressId,
      blobKey: arrived.blob.key,
      words: arrived.spamText(true).words,
      verdict: 'ham',
    })
  await insertActivity(
    tx,
    problems.map((result) => ({ ...activity, id: newId(), type: 'filter_error', result: result.slice(0, 500) })),
  )
}

const resultOf = ({ copies, redirects }: DeliveryPlan, isSpam: boolean): string => {
  const names = copies.flatMap(({ filings }) =>
    filings.map((filing) => (typeof filing === 'string' ? filing : filing.mailbox)),
  )
  const all = [...names, ...redirects.map(({ address }) => `to ${address}`)]
  return (all.length > 0 ? all.join(', ') : isSpam ? 'spam, discarded' : 'discarded').slice(0, 500)
}

/** Shows why mail is in Junk, or not. */
const withReasons = (result: string, why: readonly string[]): string =>
  (why.length === 0 ? result : `${result}: ${why.join('; ')}`).slice(0, 500)

type Stored = { readonly messageId: string; readonly read: ReadMessage }

/**
 * Puts the message into its folders; null when it is in none. What could not be sent on and would be nowhere is kept in
 * the inbox.
 */
const store = async (tx: Tx<Tables>, commit: Commit, isSent: boolean, problems: string[]): Promise<Stored | null> => {
  const { plan, versions, state, delivery, arrived, now } = commit
  const { addressId } = delivery.route
  const isLost = !isSent && plan.copies.length === 0
  const [untouched] = versions.keys()
  const rescued = isLost && untouched ? [{ edits: untouched, filings: ['inbox' as const], keywords: [] }] : []
  let first: Stored | null = null
  for (const copy of [...plan.copies, ...rescued]) {
    const version = versions.get(copy.edits)
    if (!version) continue
    const folderIds: string[] = []
    for (const filing of copy.filings) folderIds.push(await folderOf(tx, filing, { state, addressId, problems }))
    const { messageId } = await addMessage(tx, {
      addressId,
      ...version,
      folderIds,
      keywords: copy.keywords,
      receivedAt: arrived.receivedAt,
      now,
      quotaBytes: state.quotaBytes,
    })
    first ??= { messageId, read: version.read }
  }
  return first
}

/** One event for one mail, though a filter may have made several messages of it. */
const notifyWebhooks = async (tx: Tx<Tables>, commit: Commit, { messageId, read }: Stored): Promise<void> => {
  const { arrived, delivery, state, now } = commit
  if (!state.isAwaited) return
  const data = receivedData(read, { messageId, recipient: delivery.recipient, receivedAt: arrived.receivedAt })
  await recordEvent(tx, delivery.route.accountId, { type: 'email.received', data }, now)
}

const folderOf = async (
  tx: Tx<Tables>,
  filing: Filing | 'inbox' | 'junk',
  { state, addressId, problems }: { state: DeliveryState; addressId: string; problems: string[] },
): Promise<string> => {
  if (filing === 'inbox') return state.inboxId
  if (filing === 'junk') return state.junkId
  const role = filing.specialUse === null ? null : roleOfUse(filing.specialUse)
  const known =
    state.folders.find(({ id }) => id === filing.mailboxId) ??
    state.folders.find((folder) => role !== null && folder.role === role) ??
    findKnown(state.folders, filing.mailbox)
  if (known) return known.id
  try {
    const byId = filing.mailboxId === null ? null : await findFolder(tx, addressId, filing.mailboxId)
    return (byId ?? (await ensureFolderPath(tx, addressId, filing.mailbox))).id
  } catch (error) {
    // A name that cannot be a folder; the store has written nothing.
    if (!(error instanceof StoreRefusal) || error.kind === 'over_quota') throw error
    problems.push(`"${filing.mailbox.slice(0, 100)}" is not a valid folder: ${error.message}`)
    return state.inboxId
  }
}

/** Redirects and forwards. False when there are some and the account may not send now. */
const sendOn = async (tx: Tx<Tables>, commit: Commit, problems: string[]): Promise<boolean> => {
  const { plan, arrived, delivery, versions, config, state, now } = commit
  if (plan.redirects.length === 0) return true
  const { accountId, addressId, domainId } = delivery.route
  const volume = await takeSendingVolume(tx, { accountId, recipients: plan.redirects.length, now })
  if (volume !== 'ok') {
    problems.push(`not forwarded: ${VOLUME_TEXTS[volume]}`)
    return false
  }
  for (const { address, edits, isForward } of plan.redirects) {
    const version = versions.get(edits)
    if (!version) continue
    const mark = isForward ? '' : `X-Sieve-Redirected-From: ${state.email}\r\n`
    const trace = { hostname: config.hostname, id: newId(), email: state.email, recipient: delivery.recipient, mark }
    await enqueue(tx, {
      accountId,
      addressId,
      source: 'forward',
      blob: version.blob,
      prefix: version.prefix.length > 0 ? forwardPrefix(arrived, trace) : Buffer.from(mark),
      returnPath: arrived.returnPath === '' ? '' : srsForward(arrived.returnPath, config.hostname, config.secret, now),
      recipients: [{ address }],
      signingDomainId: domainId,
      messageId: version.read.envelope.messageId[0] ?? null,
      headerFrom: version.read.envelope.from[0]?.email ?? null,
      subject: version.read.subject,
      needsUtf8: arrived.isUtf8,
      needs8bit: version.blob.key !== arrived.blob.key || !isAscii(arrived.bytes),
      now,
    })
  }
  return true
}

const VOLUME_TEXTS = {
  daily: 'daily sending limit reached',
  monthly: 'monthly sending limit reached',
  suspended: 'the account is suspended',
  unpaid: 'the account has an unpaid invoice',
} as const

const sendNotices = async (tx: Tx<Tables>, { notices, delivery, state, now }: Commit): Promise<void> => {
  const { accountId, addressId, domainId } = delivery.route
  for (const notice of notices) {
    const { memory } = notice
    if (memory) {
      const expiresAt = new Date(now.getTime() + memory.seconds * 1_000)
      const isFirst = await remember(tx, { addressId, kind: 'vacation', hash: memory.hash, expiresAt, now })
      if (!isFirst) continue
    }
    if ((await takeSendingVolume(tx, { accountId, recipients: notice.to.length, now })) !== 'ok') continue
    await enqueue(tx, {
      accountId,
      addressId,
      source: 'sieve',
      blob: notice.blob,
      returnPath: notice.returnPath,
      recipients: notice.to.map((address) => ({ address, notify: ['never'] })),
      signingDomainId: domainId,
      messageId: notice.messageId,
      headerFrom: state.email,
      subject: notice.subject,
      needsUtf8: false,
      needs8bit: false,
      now,
    })
    if (notice.fcc) {
      const folderId = await folderOf(tx, notice.fcc, { state, addressId, problems: [] })
      await addMessage(tx, {
        addressId,
        blob: notice.blob,
        prefix: Buffer.alloc(0),
        read: readMessage(notice.bytes),
        folderIds: [folderId],
        keywords: keywordsOfFlags(notice.fcc.flags ?? ['\\Seen']),
        receivedAt: now,
        now,
        quotaBytes: state.quotaBytes,
      })
    }
  }
}

const rememberSeen = async (tx: Tx<Tables>, { seen, delivery, now }: Commit): Promise<void> => {
  const { addressId } = delivery.route
  for (const { hash, seconds, isProlonged } of seen) {
    const memory = { addressId, kind: 'duplicate' as const, hash, expiresAt: new Date(now.getTime() + seconds * 1_000) }
    if (isProlonged) await rememberLonger(tx, memory)
    else await remember(tx, { ...memory, now })
  }
}
