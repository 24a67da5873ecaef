import { AppError } from '@stoa/kit/errors.ts'
import { type CmsDb, type CmsTx, type Ctx, contextFor, type Services } from '../../context.ts'
import { recordActivity } from '../../events/events.ts'
import { ENTRY_COLUMNS, ENTRY_PEOPLE, type EntryRow, toEntry } from './queries.ts'
import type { StoredEntry } from './record.ts'
import { publishEntry, unpublishEntry } from './status.ts'
import { openLocked, storeEntry } from './write.ts'

/** Looked up at once; each entry is a transaction of its own. */
const BATCH = 100
/** Entries that one process publishes at the same time; the rest of the connections is for requests. */
const PARALLEL = 3

export type ScheduleRun = { published: number; unpublished: number; failed: number }

/**
 * Publishes and unpublishes what is due, as anybody would by hand. Any number of processes may run it at the same time:
 * an entry belongs to the process that locks its row first, and is due no more once that transaction is committed.
 */
export const runSchedule = async (services: Services): Promise<ScheduleRun> => {
  const ctx: Ctx = contextFor(services, { kind: 'system', name: 'scheduler' } as const)
  const run: ScheduleRun = { published: 0, unpublished: 0, failed: 0 }
  let after: Due | null = null
  for (;;) {
    const due: Due[] = await listDue(ctx.db, { now: ctx.now(), after, limit: BATCH })
    const queue = [...due]
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await applyDue(ctx, next.id, run)
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
    after = due.at(-1) ?? null
    if (after === null || due.length < BATCH) return run
  }
}

/** Until nothing of this entry is due: it may be time to publish it and to unpublish it. */
const applyDue = async (ctx: Ctx, id: string, run: ScheduleRun): Promise<void> => {
  for (;;) {
    const outcome = await ctx
      .tx((tx) => applyNext(ctx, tx, id))
      .catch((raised: unknown) => giveUp(ctx, id, raised))
      .catch((raised: unknown) => leaveDue(ctx, id, raised))
    if (outcome === null) return
    run[outcome] += 1
  }
}

type Outcome = keyof ScheduleRun | null

const applyNext = async (ctx: Ctx, tx: CmsTx, id: string): Promise<Outcome> => {
  const entry = await lockDue(tx, id, ctx.now())
  if (entry === null) return null
  const opened = await openLocked(tx, entry)
  if (nextMember(entry, ctx.now()) === 'unpublishAt') {
    await unpublishEntry(ctx, tx, opened, 'schedule')
    return 'unpublished'
  }
  const after = await publishEntry(ctx, tx, opened, 'schedule')
  // The entry was live already, with nothing new: the time is cleared, and no event is sent.
  if (after === opened.entry) await storeEntry(ctx, tx, opened, { next: { publishAt: null }, revision: null })
  return 'published'
}

/** Whichever comes first. */
const nextMember = ({ publishAt, unpublishAt }: StoredEntry, now: Date): 'publishAt' | 'unpublishAt' => {
  const isUnpublishDue = unpublishAt !== null && unpublishAt <= now
  return isUnpublishDue && (publishAt === null || unpublishAt < publishAt) ? 'unpublishAt' : 'publishAt'
}

/** Cancels a scheduled change that is refused: it is not retried, and Activity says why. No event is sent. */
const giveUp = async (ctx: Ctx, id: string, raised: unknown): Promise<Outcome> => {
  if (!(raised instanceof AppError) || raised.status >= 500) return leaveDue(ctx, id, raised)
  const { message, code } = raised
  return ctx.tx(async (tx) => {
    const entry = await lockDue(tx, id, ctx.now())
    if (entry === null) return null
    const member = nextMember(entry, ctx.now())
    const opened = await openLocked(tx, entry)
    const next = member === 'publishAt' ? { publishAt: null } : { unpublishAt: null }
    await storeEntry(ctx, tx, opened, { next, revision: null })
    await recordActivity(ctx, tx, {
      action: member === 'publishAt' ? 'entry.publish.failed' : 'entry.unpublish.failed',
      target: { kind: 'entry', id, label: entry.title || entry.slug },
      changed: [member],
    })
    ctx.log.warn({ entryId: id, code, reason: message }, 'a scheduled entry could not be changed')
    return 'failed'
  })
}

/** The next run tries it again; the others do not wait for it. */
const leaveDue = (ctx: Ctx, id: string, raised: unknown): null => {
  ctx.log.error({ err: raised, entryId: id }, 'a scheduled entry could not be changed; it stays due')
  return null
}

type Due = { id: string; at: Date }

/** Entries whose time has come, the earliest first; from there on, where `after` was the last. */
const listDue = (db: CmsDb, { now, after, limit }: { now: Date; after: Due | null; limit: number }): Promise<Due[]> =>
  db.query({
    name: 'list-due-entries',
    text: `select id, at from (
        select id, publish_at as at from entry where publish_at <= $1 and deleted_at is null
        union all
        select id, unpublish_at as at from entry where unpublish_at <= $1 and deleted_at is null
      ) as due
      where $2::timestamptz is null or (at, id) > ($2, $3::uuid)
      order by at, id limit $4`,
    values: [now, after?.at ?? null, after?.id ?? null, limit],
  })

/** The entry if its time has come and nobody else is at it. */
const lockDue = async (tx: CmsTx, id: string, now: Date): Promise<StoredEntry | null> => {
  const [row] = await tx.query<EntryRow>({
    name: 'lock-due-entry',
    text: `select ${ENTRY_COLUMNS} from entry e ${ENTRY_PEOPLE}
      where e.id = $1 and e.deleted_at is null and (e.publish_at <= $2 or e.unpublish_at <= $2)
      for no key update of e skip locked`,
    values: [id, now],
  })
  return row ? toEntry(row) : null
}
