import { checkEntries, startEntryLoad } from '../entry-load.ts'
import { startMailLoad } from '../mail-load.ts'
import { until } from '../readiness.ts'
import { addEntry, publish } from '../site.ts'
import { startFollower } from './follower.ts'
import type { Ground } from './ground.ts'
import { startAppending, startSending } from './mail-clients.ts'

export type Found = { figures: Record<string, number>; lost: number; broken: string[] }

/** Everything that people do with both services, at the same time, through the balancers. */
export type Load = {
  /** How long until each kind of work is acknowledged again, a few times. */
  untilMoving(): Promise<number>
  /** Ends it, waits for what is on its way, and compares what was acknowledged with what there is. */
  finish(): Promise<Found>
}

const PER_SECOND = { mail: 6, sending: 2, appending: 2, writes: 8, reads: 4 }
const FEW = 3
const MOVING_MS = 60_000
/** A machine that died keeps what it was handing over until its lease ends. */
const SENT_MS = 150_000

export const startLoad = (ground: Ground, name: string): Load => {
  const { ports, site, boxes, look } = ground
  const url = `http://127.0.0.1:${ports.cms}`
  const [sender = '', reader = '', ...recipients] = boxes.emails
  const entries = startEntryLoad(site, {
    writesPerSecond: PER_SECOND.writes,
    readsPerSecond: PER_SECOND.reads,
    name,
    url: () => url,
  })
  const mail = startMailLoad({ port: ports.smtp, recipients, perSecond: PER_SECOND.mail, name })
  const sending = startSending({
    port: ports.submissions,
    email: sender,
    perSecond: PER_SECOND.sending,
    name: `${name}-sent`,
  })
  const appending = startAppending({
    port: ports.imaps,
    email: reader,
    perSecond: PER_SECOND.appending,
    name: `${name}-kept`,
  })
  const followers = [startFollower(url, site), startFollower(url, site)]
  const counts = (): number[] => [
    entries.published.size,
    mail.acknowledged.size,
    sending.acknowledged.size,
    appending.flagged.size,
  ]

  return {
    untilMoving() {
      const before = counts()
      const isMoving = () => counts().every((count, at) => count >= (before[at] ?? 0) + FEW)
      return until('everything is acknowledged again', () => isMoving(), { limitMs: MOVING_MS }).catch(
        (error: unknown) => {
          throw new Error(`${String(error)}: ${before.join()} became ${counts().join()}`)
        },
      )
    },
    async finish() {
      const broken: string[] = []
      const last = await addEntry(url, site, `The last of ${name}`)
      await publish(url, site, last)
      const delays = await Promise.all(followers.map((follower) => follower.receives(last)))
      if (!delays.every(Number.isFinite)) broken.push('a follower does not receive what is published')
      await Promise.all([entries.stop(), mail.finish(), sending.stop(), appending.stop()])
      await Promise.all(followers.map((follower) => follower.stop()))
      const sent = await untilSent(ground, sending.acknowledged)
      const kept = await boxes.check({ acknowledged: new Set([...mail.acknowledged, ...appending.acknowledged]) })
      const unflagged = await countUnflagged(ground, appending.flagged)
      const stored = await checkEntries(look, entries, { more: Number.POSITIVE_INFINITY })
      const losses = [...kept, ...stored].filter(isLoss)
      broken.push(...[...kept, ...stored].filter((line) => !isLoss(line)))
      return {
        figures: {
          entries: entries.created.size,
          published: entries.published.size,
          mail: mail.acknowledged.size,
          sent: sending.acknowledged.size,
          appended: appending.acknowledged.size,
          flagged: appending.flagged.size,
          sent_twice: sent.twice,
          follower_reconnects: followers.reduce((sum, follower) => sum + follower.reconnects(), 0),
        },
        lost: losses.reduce((sum, line) => sum + countIn(line), 0) + unflagged + sent.lost,
        broken,
      }
    },
  }
}

/** Lines of checks that say that something acknowledged is not there; a number at their start says how often. */
const isLoss = (line: string): boolean => /\bmissing$|is not there$/.test(line)
const countIn = (line: string): number => Number(/^\d+/.exec(line)?.[0] ?? 1)

const HURRY = [`update queue_recipient set next_at = now() where state = 'deferred'`, 'delete from queue_destination']
const UNFINISHED = 'select 1 from queue_recipient where finished_at is null limit 1'

const untilSent = async ({ relay, boxes }: Ground, acknowledged: ReadonlySet<string>) => {
  const isEmpty = async () => {
    // A machine that was gone is tried again after a minute; the run does not wait for that.
    for (const text of HURRY) await boxes.database.tx((tx) => tx.query({ text }))
    return (await boxes.database.db.query({ text: UNFINISHED })).length === 0
  }
  await until('everything is sent', isEmpty, { limitMs: SENT_MS, everyMs: 500 })
  const arrived = new Map<string, number>()
  for (const { raw } of relay.messages) {
    const id = /^Message-ID: <(.+)>/im.exec(raw.toString('latin1'))?.[1] ?? ''
    arrived.set(id, (arrived.get(id) ?? 0) + 1)
  }
  const lost = [...acknowledged].filter((id) => !arrived.has(id)).length
  return { lost, twice: [...acknowledged].filter((id) => (arrived.get(id) ?? 0) > 1).length }
}

const countUnflagged = async ({ boxes }: Ground, flagged: ReadonlySet<string>): Promise<number> => {
  const rows = await boxes.database.db.query<{ id: string }>({
    text: `select envelope->'messageId'->>0 as id from message where '$flagged' = any(keywords)`,
  })
  const there = new Set(rows.map(({ id }) => id))
  return [...flagged].filter((id) => !there.has(id)).length
}
