import { setTimeout as sleep } from 'node:timers/promises'
import { eachOnItsOwn, togetherOrEach } from '@stoa/kit/db/batches.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import {
  type ContentType,
  findType,
  listUnsyncedTypes,
  lockTypeShared,
  setSearchSynced,
  templateState,
  writeData,
} from '../types/types.ts'
import { writeSearchAndLinks } from './derived.ts'
import { type Behind, type BehindOf, listBehind, listMisfits, lockFree } from './queries-resync.ts'
import { convertEntry, type StoredEntry } from './record.ts'

/** Looked up at once: finding them may cost as much as there are. */
const LOOK = 5_000
/** Short transactions: a change of the type waits for one at most. */
const BATCH = 200
/** The limit of compressed data, so that a few large entries also fill a batch. */
const BATCH_BYTES = 4 * 1_048_576
/** For someone who is saving the entries that were passed over. */
const PAUSE_MS = 200

/**
 * Brings what entries are found by, point at and are shown with up to the fields of their types. Each entry says under which fields it
 * was written, so that a run goes on where another one ended, several share the work, and a save that comes in between
 * is as good as having been here.
 */
export const resyncTypes = async (ctx: Ctx, signal: AbortSignal): Promise<void> => {
  await eachOnItsOwn(
    await listUnsyncedTypes(ctx.db),
    (name) => resyncType(ctx, name, signal),
    (err, type) => {
      signal.throwIfAborted()
      ctx.log.error({ err, type }, 'the entries of a type could not be brought up to its fields')
    },
  )
}

const resyncType = async (ctx: Ctx, name: string, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const type = await findType(ctx.db, name)
    if (type === null) return
    const pass = await walk(ctx, type, signal)
    // A failed type is retried within the hour.
    if (pass === 'failed') return
    if (pass === 'complete' && (await ctx.tx((tx) => finish(tx, name, type.searchVersion)))) return
    if (pass === 'passed-over') await sleep(PAUSE_MS, undefined, { signal })
  }
}

type Pass = 'complete' | 'passed-over' | 'changed' | 'failed'

/** Once through all entries that are behind; `changed` when the fields did meanwhile, `failed` when some cannot be. */
const walk = async (ctx: Ctx, target: ContentType, signal: AbortSignal): Promise<Pass> => {
  const { name: type, searchVersion } = target
  const of: BehindOf = { type, searchVersion, templateState: templateState(target) }
  let after: string | null = null
  let isComplete = true
  let hasChanged = false
  let hasFailed = false
  const resync = async (ids: readonly string[]): Promise<number> => {
    const reached = await ctx.tx((tx) => resyncBatch(tx, of, ids))
    hasChanged ||= reached === null
    return reached ?? 0
  }
  const failed = (err: unknown, entryId: string): void => {
    hasFailed = true
    ctx.log.error({ err, entryId, type: target.name }, 'an entry could not be brought up to the fields of its type')
  }
  for (;;) {
    const behind: Behind[] = await listBehind(ctx.db, of, { after, limit: LOOK })
    for (const ids of batchesOf(behind)) {
      signal.throwIfAborted()
      const reached = await togetherOrEach(ids, resync, failed)
      if (hasChanged) return 'changed'
      isComplete &&= reached === ids.length
    }
    if (behind.length < LOOK) return hasFailed ? 'failed' : isComplete ? 'complete' : 'passed-over'
    after = behind.at(-1)?.id ?? null
  }
}

/** How many of them were brought up; null when the fields are not the same any more. */
const resyncBatch = async (tx: CmsTx, of: BehindOf, ids: readonly string[]) => {
  const locked = await lockFree(tx, ids)
  if (locked.length === 0) return 0
  const type = await lockTypeShared(tx, of.type)
  if (type.searchVersion !== of.searchVersion || templateState(type) !== of.templateState) return null
  await writeSearchAndLinks(tx, type, await convertStored(tx, type, locked))
  return locked.length
}

/**
 * The entries with values of an earlier type stored as those of the present one, where nothing is lost. They read the same
 * as before, so that neither their version nor their date changes.
 */
const convertStored = async (
  tx: CmsTx,
  type: ContentType,
  entries: readonly StoredEntry[],
): Promise<readonly StoredEntry[]> => {
  const converted = entries.map((entry) => convertEntry(type, entry))
  const changed = converted.filter((entry, index) => entry !== entries[index])
  if (changed.length > 0)
    await writeData(
      tx,
      changed.map(({ id, data, pending }) => ({ id, data, pending: pending?.data ?? null })),
    )
  return converted
}

const finish = async (tx: CmsTx, name: string, searchVersion: number): Promise<boolean> => {
  const isDone = await setSearchSynced(tx, name, { searchVersion, misfits: await listMisfits(tx, name) })
  // Visitors find more than before: what delivery keeps in memory is old.
  if (isDone) tx.changes.push({ topic: 'type', event: 'type.resynced', data: { id: name, type: name, isPublic: true } })
  return isDone
}

const batchesOf = (behind: readonly Behind[]): string[][] => {
  const batches: string[][] = []
  let bytes = 0
  for (const entry of behind) {
    const last = batches.at(-1)
    bytes += entry.bytes
    if (last && last.length < BATCH && bytes <= BATCH_BYTES) last.push(entry.id)
    else {
      batches.push([entry.id])
      bytes = entry.bytes
    }
  }
  return batches
}
