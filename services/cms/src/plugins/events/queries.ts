import type { ClaimKey } from '@stoa/kit/queue/table.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Json } from '../sandbox/sandbox.ts'

export type NewEvent = { plugin: string; record: string; event: string; payload: Json; chain: number }

/**
 * Writes events down for those of the plugins that are on at this moment, and keeps these from being uninstalled before
 * the transaction ends. The ids are of the database's clock: a transaction that waited for the record comes later, whichever
 * process it is in.
 */
export const insertEventsStatement = (events: readonly NewEvent[], at: Date) => ({
  name: 'insert-plugin-events',
  text: `with present as (select name from plugin where name = any($1) and enabled for key share)
    insert into plugin_event (id, plugin, record, event, payload, due_at, created_at, chain)
    select lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint), 16, '0')
        || '-' || lpad(given.place::text, 6, '0') || '-' || gen_random_uuid(),
      given.plugin, given.record, given.event, given.payload, $5, $5, given.chain
    from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $6::integer[]) with ordinality
      as given (plugin, record, event, payload, chain, place)
    join present on present.name = given.plugin order by given.place`,
  values: [
    events.map(({ plugin }) => plugin),
    events.map(({ record }) => record),
    events.map(({ event }) => event),
    events.map(({ payload }) => JSON.stringify(payload)),
    at,
    events.map(({ chain }) => chain),
  ],
})

export type EventRow = { plugin: string; event: string; payload: Json; attempts: number; chain: number }
type ClaimedRow = EventRow & { id: string; record: string; fence: number }

/**
 * Takes the first events of records, for each plugin as many as it has slots. What waits behind another event of its
 * record is passed over, also while that one waits to be tried again.
 */
export const claimEvents = (
  tx: CmsTx,
  slots: ReadonlyMap<string, number>,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<ClaimedRow[]> =>
  tx.query<ClaimedRow>({
    name: 'claim-plugin-events',
    text: `with wanted as (
        select w.plugin, w.slots from unnest($3::text[], $4::integer[]) as w (plugin, slots)
        join plugin p on p.name = w.plugin and p.enabled
      ),
      candidate as (
        select item.id from wanted cross join lateral (
          select e.id from plugin_event e
          where e.plugin = wanted.plugin and e.due_at <= $1 and not exists (
            select from plugin_event earlier
            where earlier.record = e.record and earlier.id < e.id and earlier.due_at is not null
          )
          order by e.due_at, e.id limit wanted.slots
        ) item
      ),
      locked as (
        select id from plugin_event where id = any (array(select id from candidate)) and due_at <= $1
        for update skip locked
      )
      update plugin_event e set due_at = $2, claims = e.claims + 1 from locked where e.id = locked.id
      returning e.id, e.record, e.claims as fence, e.plugin, e.event, e.payload, e.attempts, e.chain`,
    values: [now, leaseUntil, [...slots.keys()], [...slots.values()]],
  })

export const nextEventDue = async (db: CmsDb, plugins: readonly string[], now: Date): Promise<Date | null> => {
  const [row] = await db.query<{ due: Date | null }>({
    name: 'next-plugin-event',
    text: `select min(item.due_at) as due from unnest($1::text[]) as p (name) cross join lateral (
      select e.due_at from plugin_event e where e.plugin = p.name and e.due_at > $2 order by e.due_at limit 1
    ) item`,
    values: [plugins, now],
  })
  return row?.due ?? null
}

/** Deletes a handled event, unless a later claim has taken it over. */
export const deleteEvent = async (tx: CmsTx, { id, fence }: ClaimKey): Promise<void> => {
  await tx.query({
    name: 'delete-plugin-event',
    text: 'delete from plugin_event where id = $1 and claims = $2',
    values: [id, fence],
  })
}

export const listPluginsWithEvents = async (db: CmsDb): Promise<string[]> => {
  const rows = await db.query<{ name: string }>({
    text: 'select name from plugin p where exists (select from plugin_event e where e.plugin = p.name) order by name',
  })
  return rows.map(({ name }) => name)
}

type SomeEvents = { plugin: string; limit: number }

/** Deletes some events of a plugin that has been off for long; gives how many. */
export const deleteForgottenEvents = async (
  tx: CmsTx,
  { plugin, limit, before }: SomeEvents & { before: Date },
): Promise<number> => {
  const gone = await tx.query({
    text: `delete from plugin_event where id = any (array(
        select e.id from plugin_event e join plugin p on p.name = e.plugin
        where p.name = $1 and not p.enabled and e.created_at < $2 limit $3 for update of e skip locked
      )) returning 1`,
    values: [plugin, before, limit],
  })
  return gone.length
}

/** The newest event of a plugin behind its newest so many; null while it has no more than these. */
export const findSurplusEvent = async (db: CmsDb, plugin: string, max: number): Promise<string | null> => {
  const [row] = await db.query<{ id: string }>({
    text: 'select id from plugin_event where plugin = $1 order by id desc offset $2 limit 1',
    values: [plugin, max],
  })
  return row?.id ?? null
}

/** Deletes some of the events up to this one; gives how many. */
export const deleteSurplusEvents = async (
  tx: CmsTx,
  { plugin, limit, newest }: SomeEvents & { newest: string },
): Promise<number> => {
  const gone = await tx.query({
    text: `delete from plugin_event where id = any (array(
        select id from plugin_event where plugin = $1 and id <= $2 limit $3 for update skip locked
      )) returning 1`,
    values: [plugin, newest, limit],
  })
  return gone.length
}

/** Something to be read among the runs of a plugin. */
export const insertNote = async (
  tx: CmsTx,
  note: { id: string; plugin: string; at: Date; kind: 'event' | 'schedule'; name: string; message: string },
): Promise<void> => {
  await tx.query({
    text: `insert into plugin_run (id, plugin, at, kind, name, ms, outcome, message)
      select $1, p.name, $3, $4, $5, 0, 'failed', $6 from plugin p where p.name = $2 for key share`,
    values: [note.id, note.plugin, note.at, note.kind, note.name, note.message],
  })
}

/**
 * Has the schedules of a plugin be these. One that is new, has another interval or was missed while the plugin was off
 * begins now; a run at this moment does not decide when it is due next.
 */
export const putSchedules = async (
  tx: CmsTx,
  plugin: string,
  schedules: readonly { name: string; everyMs: number }[],
  now: Date,
): Promise<void> => {
  await tx.query({
    text: `with gone as (delete from plugin_schedule where plugin = $1 and name <> all($2::text[]))
      insert into plugin_schedule as s (id, plugin, name, every_ms, due_at, last_at)
      select $1 || '/' || g.name, $1, g.name, g.every_ms, $4::timestamptz + g.every_ms * interval '1 millisecond', $4
      from unnest($2::text[], $3::bigint[]) as g (name, every_ms)
      on conflict (id) do update set every_ms = excluded.every_ms, due_at = excluded.due_at, last_at = excluded.last_at,
        claims = s.claims + 1
        where s.every_ms <> excluded.every_ms or s.due_at is null or s.due_at <= $4`,
    values: [plugin, schedules.map(({ name }) => name), schedules.map(({ everyMs }) => everyMs), now],
  })
}

export type ScheduleRow = { plugin: string; name: string; everyMs: number; lastAt: Date | null }

/** After the clock was set back a schedule would otherwise wait until it has come there again. */
export const clampSchedules = async (tx: CmsTx, now: Date, marginMs: number): Promise<void> => {
  await tx.query({
    text: `update plugin_schedule set due_at = $1::timestamptz + every_ms * interval '1 millisecond', last_at = $1
      where due_at > $1::timestamptz + (every_ms + $2) * interval '1 millisecond'`,
    values: [now, marginMs],
  })
}

export const deleteSchedule = async (tx: CmsTx, id: string): Promise<void> => {
  await tx.query({ text: 'delete from plugin_schedule where id = $1', values: [id] })
}
