import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '../limits.ts'
import { type Ground, openGround } from '../machines/ground.ts'
import { type Found, type Load, startLoad } from '../machines/load.ts'
import type { Machine } from '../machines/machine.ts'
import type { LinkName } from '../machines/network.ts'
import type { Report } from '../outcomes.ts'
import { until } from '../readiness.ts'

/** So long a link is dead: longer than statements, heartbeats and idle transactions may take. */
const CUT_MS = 12_000
/** So long the primary goes on without its standby before it is gone. */
const LAG_MS = 700
const BETWEEN_MS = 2_000
/** So long nothing may be acknowledged after the standby has taken over. */
const MAX_FAIL_OVER_MS = within(30_000)

type Times = Map<string, number[]>

/**
 * Two machines under load. Machines are killed, links are cut, and the standby of the database takes over: with synchronous
 * replication nothing acknowledged is lost; without it the loss is measured.
 */
export const machines = async ({ kills = 6, cuts = 2, failOvers = 3, asyncFailOvers = 3 } = {}): Promise<Report> => {
  const ground = await openGround()
  try {
    await ground.databases.follow(true)
    const times: Times = new Map()
    const load = startLoad(ground, 'sync')
    await load.untilMoving()
    for (let kill = 0; kill < kills; kill += 1) await killOne(ground, load, times, kill)
    for (let cut = 0; cut < cuts; cut += 1) await cutLinks(ground, load, times, cut)
    for (let over = 0; over < failOvers; over += 1) await failOver(ground, load, times, true)
    const sync = await load.finish()
    const without = await asynchronous(ground, times, asyncFailOvers)
    const ended = ground.machines.some((machine) => machine.hasExited()) ? ['a process ended'] : []
    const cutLinksCount = cuts * (ground.machines[0]?.network.links.length ?? 0)
    const slowest = Math.max(0, ...(times.get('failed_over') ?? []))
    const late = slowest > MAX_FAIL_OVER_MS ? [`a fail-over took ${Math.round(slowest)} ms`] : []
    const twice = sync.figures.sent_twice ?? 0
    return {
      figures: {
        namespaces: String(ground.machines.every(({ network }) => network.prefix.length > 0)),
        kills,
        cuts: cutLinksCount,
        fail_overs: failOvers,
        ...sync.figures,
        lost: sync.lost,
        async_fail_overs: asyncFailOvers,
        async_acknowledged: acknowledgedIn(without),
        async_lost: without.lost,
        ...secondsOf(times),
      },
      broken: [
        ...ended,
        ...late,
        // What a machine was handing over when it was lost may go out again; nothing else may
        ...(twice > kills + cutLinksCount + failOvers ? [`${twice} mails were sent twice`] : []),
        ...sync.broken,
        ...without.broken,
        ...(sync.lost > 0 ? [`${sync.lost} acknowledged with synchronous replication are lost`] : []),
      ],
    }
  } finally {
    await ground.close()
  }
}

const NOTHING: Found = { figures: {}, lost: 0, broken: [] }

const asynchronous = async (ground: Ground, times: Times, failOvers: number): Promise<Found> => {
  if (failOvers === 0) return NOTHING
  await ground.databases.setSynchronous(false)
  const load = startLoad(ground, 'async')
  await load.untilMoving()
  for (let over = 0; over < failOvers; over += 1) await failOver(ground, load, times, false)
  return load.finish()
}

/** All processes of one machine end at once, and are started again as a supervisor does. */
const killOne = async ({ machines }: Ground, load: Load, times: Times, at: number): Promise<void> => {
  const machine = pick(machines, at)
  await sleep(BETWEEN_MS)
  await machine.kill()
  note(times, 'killed', await load.untilMoving())
  const began = performance.now()
  await machine.restart()
  await untilAllReady(machines)
  note(times, 'restarted', performance.now() - began)
}

const cutLinks = async ({ machines }: Ground, load: Load, times: Times, at: number): Promise<void> => {
  const machine = pick(machines, at)
  for (const link of machine.network.links) {
    await sleep(BETWEEN_MS)
    machine.network.cut(link)
    const [moving] = await Promise.all([load.untilMoving(), sleep(CUT_MS)])
    note(times, `cut_${link}` satisfies `cut_${LinkName}`, moving)
    machine.network.restore(link)
    note(times, 'restored', await untilAllReady(machines))
  }
}

/** The next standby is there before the next one is needed. */
const failOver = async ({ machines, databases }: Ground, load: Load, times: Times, isSynchronous: boolean) => {
  await sleep(BETWEEN_MS)
  await databases.failOver(LAG_MS)
  note(times, 'failed_over', Math.max(await load.untilMoving(), await untilAllReady(machines)))
  await databases.follow(isSynchronous)
}

const untilAllReady = (machines: readonly Machine[]): Promise<number> =>
  until('all machines are ready', async () => {
    const ready = await Promise.all(machines.flatMap(({ isReady }) => [isReady('cms'), isReady('mail')]))
    return ready.every(Boolean)
  })

const pick = (machines: readonly Machine[], at: number): Machine => {
  const machine = machines[at % machines.length]
  if (!machine) throw new Error('there are no machines')
  return machine
}

/** The run takes long: what it has seen so far is printed on the way. */
const note = (times: Times, what: string, ms: number): void => {
  times.set(what, [...(times.get(what) ?? []), ms])
  process.stderr.write(`  ${what}: ${Math.round(ms / 100) / 10} s\n`)
}

/** The longest of each kind. */
const secondsOf = (times: Times): Record<string, number> =>
  Object.fromEntries([...times].map(([what, all]) => [`${what}_s`, Math.round(Math.max(...all) / 100) / 10]))

const acknowledgedIn = ({ figures }: Found): number =>
  ['entries', 'published', 'mail', 'sent', 'appended', 'flagged'].reduce((sum, name) => sum + (figures[name] ?? 0), 0)
