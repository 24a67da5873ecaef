import { Fault } from '../errors.ts'
import type { BlobInfo, SweepOptions } from './blobs.ts'

const BATCH = 500
/** If this many files cannot be removed, the store itself has a problem. */
const MAX_FAILURES = 10

/**
 * Walks all blobs, looks up which old ones are referenced, and removes the rest; shared by the drivers. One that can't
 * be removed doesn't stop the others; it is reported at the end.
 */
export const sweepBlobs = async (
  blobs: AsyncIterable<BlobInfo>,
  { keep, olderThan }: SweepOptions,
  removeIfOld: (key: string) => Promise<boolean>,
): Promise<{ checked: number; removed: number }> => {
  let checked = 0
  let removed = 0
  let batch: string[] = []
  const failures: Error[] = []

  const remove = async (key: string): Promise<void> => {
    try {
      if (await removeIfOld(key)) removed += 1
    } catch (error) {
      failures.push(new Error(`The blob ${key} could not be removed`, { cause: error }))
      if (failures.length === MAX_FAILURES) throw failureOf(failures)
    }
  }
  const finishBatch = async (): Promise<void> => {
    if (batch.length === 0) return
    const kept = await keep(batch)
    for (const key of batch) if (!kept.has(key)) await remove(key)
    checked += batch.length
    batch = []
  }

  for await (const { key, modifiedAt } of blobs) {
    if (modifiedAt >= olderThan) continue
    batch.push(key)
    if (batch.length === BATCH) await finishBatch()
  }
  await finishBatch()
  if (failures.length > 0) throw failureOf(failures)
  return { checked, removed }
}

/** An unavailable store is reported as such: the caller then waits for it instead of looking for a bad blob. */
const failureOf = (failures: readonly Error[]): Error => {
  const [first] = failures
  const isAway = failures.every(({ cause }) => cause instanceof Fault && cause.kind === 'unavailable')
  if (isAway && first?.cause instanceof Fault) return first.cause
  return new AggregateError(failures, failures.map(({ message }) => message).join('; '))
}
