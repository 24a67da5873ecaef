import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { Egress } from '@stoa/kit/egress/egress.ts'
import type { ImapFlow } from 'imapflow'
import type { SharedParts } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import { announceTransfer } from './changes.ts'
import { type ClaimedTransfer, lockTransfer } from './claim-queries.ts'
import { leaveSource, openSource } from './connect.ts'
import { copyFolder } from './copy-folder.ts'
import { completeTransfer } from './ending.ts'
import { planTransfer } from './plan.ts'
import { TransferLost } from './problems.ts'
import { listFolderProgress } from './progress-queries.ts'
import { createPasswordSealer } from './secrets.ts'

/** What transfers need; `ctx.parts` is enough. */
export type TransferParts = Pick<SharedParts, 'config' | 'database' | 'blobs' | 'bus' | 'log' | 'clock'>

export type TransferTuning = {
  leaseMs: number
  /** How often others' work is looked for. */
  sweepMs: number
  pace: PaceLimits
  /** Certificates of sources, trusted in addition to the usual authorities. */
  trustedCa: readonly string[]
}

/** One transfer while it is worked on. */
export type TransferRun = {
  readonly parts: TransferParts
  readonly claim: ClaimedTransfer
  readonly client: ImapFlow
  readonly signal: AbortSignal
  readonly pace: Pace
  /** Writes something, if the transfer is still ours, and notifies of its progress. */
  write<R>(work: (tx: Tx<Tables>) => Promise<R>): Promise<R>
}

/** Copies what is left of a transfer, and ends it. Whatever stops it is thrown. */
export const runTransfer = async (
  parts: TransferParts,
  claim: ClaimedTransfer,
  { egress, tuning, signal }: { egress: Egress; tuning: TransferTuning; signal: AbortSignal },
): Promise<void> => {
  const { id, host, port, security, username, sealedPassword } = claim
  const client = await openSource(egress, {
    source: { host, port, security },
    username,
    password: createPasswordSealer(parts.config.secret).open(sealedPassword, id),
    maxMessageBytes: parts.config.maxMessageBytes,
    trustedCa: tuning.trustedCa,
    signal,
  })
  try {
    const run = startRun(parts, { claim, client, signal, tuning })
    const firstModseq = claim.firstModseq ?? (await planTransfer(run))
    const folders = await listFolderProgress(parts.database.db, id)
    for (const folder of folders) await copyFolder(run, folder, firstModseq)
    await parts.database.tx((tx) => completeTransfer(parts, tx, claim))
    await leaveSource(client)
  } finally {
    client.close()
  }
}

const startRun = (
  parts: TransferParts,
  { tuning, ...run }: { claim: ClaimedTransfer; client: ImapFlow; signal: AbortSignal; tuning: TransferTuning },
): TransferRun => ({
  ...run,
  parts,
  pace: createPace(tuning.pace),
  write: (work) =>
    parts.database.tx(async (tx) => {
      run.signal.throwIfAborted()
      const until = new Date(parts.clock.now().getTime() + tuning.leaseMs)
      if (!(await lockTransfer(tx, run.claim, until))) throw new TransferLost()
      const result = await work(tx)
      announceTransfer(tx, 'updated', run.claim)
      return result
    }),
})

type PaceLimits = { messagesPerSecond: number; bytesPerSecond: number }

/** Waits as long as it takes to stay under the limits. */
type Pace = (done: { messages: number; bytes: number }, signal: AbortSignal) => Promise<void>

/** How much unused bandwidth of a pause may be used at once. */
const BURST_SECONDS = 1

/** One transfer must neither wear out its source nor keep everybody else here from their mail. */
const createPace = ({ messagesPerSecond, bytesPerSecond }: PaceLimits): Pace => {
  let freeAt = performance.now()
  return async ({ messages, bytes }, signal) => {
    const now = performance.now()
    const seconds = Math.max(messages / messagesPerSecond, bytes / bytesPerSecond)
    freeAt = Math.max(freeAt, now - BURST_SECONDS * 1_000) + seconds * 1_000
    if (freeAt > now) await sleep(freeAt - now, undefined, { signal })
  }
}
