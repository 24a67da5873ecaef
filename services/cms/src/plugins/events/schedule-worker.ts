import { everyMs, type PluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import { createQueueTable } from '@stoa/kit/queue/table.ts'
import { createQueueWorker, type Polling, type QueueWorker } from '@stoa/kit/queue/worker.ts'
import type { CmsTx, Services } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import { clampSchedules, deleteSchedule, putSchedules, type ScheduleRow } from './queries.ts'
import { LATER_MS, runHandler } from './running-handlers.ts'

/** Longer than a schedule may run. */
const LEASE_MS = 90_000
const POLL_MS = 5_000
const PARALLEL = 64
const UPKEEP_MS = 60_000
/** A schedule that is being run is due when its lease ends. */
const CLAMP_MARGIN_MS = 2 * LEASE_MS

/** To be called in the transaction that switches a plugin on or loads its files again: its schedules are these now. */
export const setSchedules = (
  tx: CmsTx,
  plugin: string,
  schedules: PluginManifest['schedules'],
  now: Date,
): Promise<void> =>
  putSchedules(
    tx,
    plugin,
    schedules.map(({ name, every }) => ({ name, everyMs: everyMs(every) })),
    now,
  )

/** Runs what is due, one process at a time. */
export const createScheduleWorker = (services: Services, { pollMs = POLL_MS }: Polling): QueueWorker => {
  const { database, clock, log, plugins } = services
  const queue = createQueueTable<ScheduleRow>({
    table: 'plugin_schedule',
    id: 'id',
    key: 'plugin',
    dueAt: 'due_at',
    fence: 'claims',
    isOpen: 'exists (select from plugin p where p.name = waiting.key and p.enabled)',
    // Plugins that cannot run here are left to other processes.
    keys: () => plugins.enabled().map(({ name }) => name),
    columns: 'item.plugin, item.name, item.every_ms as "everyMs", item.last_at as "lastAt"',
  })
  return createQueueWorker<Tables, ScheduleRow>({
    database,
    table: queue,
    name: 'a schedule of a plugin',
    log,
    now: () => clock.now(),
    leaseMs: LEASE_MS,
    isExtended: true,
    pollMs,
    isTimed: true,
    limits: { healthy: PARALLEL, failing: 0, slow: 0, perKey: 1 },
    async work(claim, { signal }) {
      const { plugin, name } = claim.row
      const found = plugins.find(plugin)
      if (found && !found.manifest.schedules.some((one) => one.name === name))
        return database.tx((tx) => deleteSchedule(tx, claim.id))
      const outcome = await runHandler(services, plugin, { kind: 'schedule', name, input: null, chain: 0 }, signal)
      const now = clock.now()
      const next = outcome === 'later' ? { dueAt: new Date(now.getTime() + LATER_MS) } : nextTime(claim.row, now)
      await database.tx((tx) => queue.settle(tx, claim, next))
    },
    upkeep: {
      everyMs: UPKEEP_MS,
      async run() {
        await database.tx((tx) => clampSchedules(tx, clock.now(), CLAMP_MARGIN_MS))
        return { hasMore: false }
      },
    },
  })
}

/** On the beat that it began with. Beats that have passed meanwhile are not made up for; a clock set back begins anew. */
const nextTime = (
  { everyMs: every, lastAt }: Pick<ScheduleRow, 'everyMs' | 'lastAt'>,
  now: Date,
): { dueAt: Date; set: { last_at: Date } } => {
  const passed = lastAt === null ? -1 : now.getTime() - lastAt.getTime()
  const beat = passed < 0 || lastAt === null ? now.getTime() : lastAt.getTime() + Math.floor(passed / every) * every
  return { dueAt: new Date(beat + every), set: { last_at: new Date(beat) } }
}
