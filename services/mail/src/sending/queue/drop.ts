import { claimOne } from './claim-queries.ts'
import { type RecorderParts, recordNow } from './recorder.ts'
import { NO_PATH } from './verdicts.ts'

/** Longer than it takes to write a report; a process that dies gives the mail back after this. */
const LEASE_MS = 60_000

/** Gives a recipient up, as a failure of ours that its sender is told. False while somebody works on it, or when it is finished. */
export const dropQueued = async (parts: RecorderParts, id: string): Promise<boolean> => {
  const now = parts.clock.now()
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  const claim = await parts.database.tx((tx) => claimOne(tx, { id, now, leaseUntil }))
  if (!claim) return false
  const results = claim.recipients.map((recipient) => ({
    recipient,
    verdict: { kind: 'dropped' } as const,
    path: NO_PATH,
    durationMs: 0,
  }))
  return recordNow(parts, { claim, results })
}
