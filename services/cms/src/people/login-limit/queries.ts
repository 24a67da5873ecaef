import type { CmsTx } from '../../context.ts'

export type Bucket = { key: Buffer; limit: number }
export type BucketState = { limit: number; failures: number; pending: number; endsAt: Date }

/**
 * The buckets as they stand, each locked until the transaction ends and in the given order, so that two guesses never
 * wait for each other in a circle. A bucket that has ended or holds nothing starts anew.
 */
export const openBuckets = async (
  tx: CmsTx,
  buckets: readonly Bucket[],
  { now, endsAt }: { now: Date; endsAt: Date },
): Promise<BucketState[]> => {
  const states: BucketState[] = []
  for (const { key, limit } of buckets) {
    const [row] = await tx.query<{ failures: number; pending: number; ends_at: Date }>({
      text: `insert into login_limit as held (bucket, failures, pending, ends_at) values ($1, 0, 0, $3)
        on conflict (bucket) do update set
          failures = case when held.ends_at <= $2 then 0 else held.failures end,
          pending = case when held.ends_at <= $2 then 0 else held.pending end,
          ends_at = case when held.ends_at <= $2 or held.failures + held.pending = 0 then $3 else held.ends_at end
        returning failures, pending, ends_at`,
      values: [key, now, endsAt],
    })
    if (row) states.push({ limit, failures: row.failures, pending: row.pending, endsAt: row.ends_at })
  }
  return states
}

/** Adds to what the buckets hold. */
export const countInBucket = async (
  tx: CmsTx,
  key: Buffer,
  { failures, pending }: { failures: number; pending: number },
): Promise<void> => {
  await tx.query({
    text: `update login_limit set failures = failures + $2, pending = greatest(pending + $3, 0) where bucket = $1`,
    values: [key, failures, pending],
  })
}

export const forgetFailures = async (tx: CmsTx, key: Buffer): Promise<void> => {
  await tx.updateTable('login_limit').set({ failures: 0 }).where('bucket', '=', key).execute()
}

/** Removes some buckets that ended; `skip locked` because a guess may be reopening one. */
export const deleteEndedBuckets = async (tx: CmsTx, now: Date, atMost: number): Promise<void> => {
  await tx
    .deleteFrom('login_limit')
    .where('bucket', 'in', (select) =>
      select
        .selectFrom('login_limit')
        .select('bucket')
        .where('ends_at', '<=', now)
        .limit(atMost)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}
