import { isAscii } from 'node:buffer'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import { buildDsn, type DsnKind } from '../../formats/bounces/bounces.ts'
import { enqueue } from '../../hosting/enqueue/enqueue.ts'
import type { Tables } from '../../tables.ts'
import type { NextState } from './next-state.ts'
import { readQueued, Unsendable } from './outgoing.ts'
import type { Claim } from './parts.ts'

export type NoticeParts = { blobs: Blobs; hostname: string }

/** A report that is stored and only has to be queued. */
export type Notice = { claim: Claim; blob: { key: string; size: number }; needs8bit: boolean }

/** The bytes read of a message to be returned; `buildDsn` decides how much of it is. */
const ORIGINAL_BYTES = 1_200_000
const MAX_REPORT_BYTES = 4_194_304

/** Writes the reports that follow from results of one claim (RFC 3464), one for all recipients of a kind. */
export const writeNotices = async (
  parts: NoticeParts,
  claim: Claim,
  input: { nextStates: readonly NextState[]; now: Date },
): Promise<Notice[]> => {
  const notices: Notice[] = []
  for (const kind of KINDS) {
    const about = input.nextStates.filter(({ notice }) => notice === kind)
    if (about.length > 0) notices.push(await writeNotice(parts, claim, { kind, about, now: input.now }))
  }
  return notices
}

const KINDS = ['failure', 'delay', 'success'] as const satisfies readonly DsnKind[]

const writeNotice = async (
  parts: NoticeParts,
  claim: Claim,
  { kind, about, now }: { kind: DsnKind; about: readonly NextState[]; now: Date },
): Promise<Notice> => {
  const { message } = claim
  const bytes = buildDsn({
    kind,
    hostname: parts.hostname,
    to: claim.returnPath,
    recipients: about.map(({ written, result }) => ({
      recipient: result.recipient.address,
      orcpt: result.recipient.orcpt,
      status: written.status ?? '',
      diagnostic: written.reply,
      remoteHost: written.code === null ? null : written.host,
      lastAttemptAt: now,
      retryUntil: message.expiresAt,
      delivered: result.verdict.kind === 'delivered' && result.verdict.where === 'here' ? 'here' : 'relayed',
    })),
    arrivedAt: message.createdAt,
    envid: message.envid,
    ret: message.ret,
    original: await readOriginal(parts, claim),
    now,
  })
  const { key, size } = await parts.blobs.put(bytes, { maxBytes: MAX_REPORT_BYTES })
  return { claim, blob: { key, size }, needs8bit: !isAscii(bytes) }
}

/** The sender must be notified even when the bytes are gone. */
const readOriginal = async (parts: NoticeParts, claim: Claim): Promise<Buffer> => {
  try {
    return await readQueued(parts.blobs, claim, ORIGINAL_BYTES)
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error
    return Buffer.from(`Subject: ${claim.message.subject?.replace(/[^\x20-\x7e]/g, '?') ?? ''}\r\n\r\n`)
  }
}

/** Queues a report, with the null sender so that nothing is ever sent about it. */
export const queueNotice = async (tx: Tx<Tables>, { claim, blob, needs8bit }: Notice, now: Date): Promise<void> => {
  await enqueue(tx, {
    accountId: null,
    addressId: null,
    source: 'dsn',
    blob,
    returnPath: '',
    recipients: [{ address: claim.returnPath, notify: ['never'] }],
    signingDomainId: null,
    messageId: null,
    headerFrom: null,
    subject: null,
    needsUtf8: !isAscii(Buffer.from(claim.returnPath)),
    needs8bit,
    now,
  })
}
