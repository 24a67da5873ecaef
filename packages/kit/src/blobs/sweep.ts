import type { BlobInfo, SweepOptions } from './blobs.ts'

const BATCH = 500

/** Walks all blobs, asks which old ones are referenced, and removes the rest; shared by the drivers. */
export const sweepBlobs = async (
  blobs: AsyncIterable<BlobInfo>,
  { keep, olderThan }: SweepOptions,
  removeIfOld: (key: string) => Promise<boolean>,
): Promise<{ checked: number; removed: number }> => {
  let checked = 0
  let removed = 0
  let batch: string[] = []

  const finishBatch = async (): Promise<void> => {
    if (batch.length === 0) return
    const kept = await keep(batch)
    for (const key of batch) {
      if (!kept.has(key) && (await removeIfOld(key))) removed += 1
    }
    checked += batch.length
    batch = []
  }

  for await (const { key, modifiedAt } of blobs) {
    if (modifiedAt >= olderThan) continue
    batch.push(key)
    if (batch.length === BATCH) await finishBatch()
  }
  await finishBatch()
  return { checked, removed }
}
