import { contextFor } from '@stoa/cms/context.ts'
import { networks } from '@stoa/cms/social/networks/index.ts'
import { readCalendar } from '@stoa/cms/social/posts/overview.ts'
import { accountProblems, contentProblems } from '@stoa/cms/social/posts/rules.ts'
import { targetQueue } from '@stoa/cms/social/worker/queue.ts'
import { socialCalendar } from '@stoa/cms-model/social.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { createGoals, type Goals } from '../goals.ts'
import { median } from '../harness.ts'

const ROUNDS = 15
const POSTS = 5_000
const OLD_TARGETS = 1_000_000
/** As much as one statement may take. */
const BATCH = 20_000
const MAX_CHECK_MS = 20
const MAX_CALENDAR_MS = 100

/** What a person waits for in the composer and the calendar, and what a claim costs after years of posting. */
export const run = async (): Promise<void> => {
  const goals = createGoals()
  for (const repeats of [32, 600]) checkAll(goals, repeats)
  const service = await startCms()
  try {
    const account = await addAccount(service)
    await fill(service, account, POSTS, 'scheduled')
    await readMonth(goals, service)
    const fresh = await claim(service)
    await fill(service, account, OLD_TARGETS, 'posted')
    const old = await claim(service)
    process.stdout.write(
      `claiming with ${POSTS} targets waiting: ${fresh.toFixed(1)} ms; beside ${OLD_TARGETS} old ones ${old.toFixed(1)} ms, ` +
        `${(old / fresh).toFixed(2)} times that\n`,
    )
    goals.finish()
  } finally {
    await service.close()
  }
}

/** A long caption, and nearly the longest that the most generous network takes, through the rules of all. */
const checkAll = (goals: Goals, repeats: number): void => {
  const caption =
    'Lighthouse keepers of https://example.com/harbour say: 👩‍👩‍👧 at @crew@sea.example #tonight. '.repeat(repeats)
  const image = {
    kind: 'image',
    type: 'image/jpeg',
    bytes: 500_000,
    width: 1_080,
    height: 1_080,
    seconds: null,
  } as const
  const content = { caption, captions: {}, options: {}, link: null, media: [{ ...image, alt: 'The harbour' }] }
  const account = {
    id: newId(),
    name: 'Harbour',
    handle: null,
    avatarUrl: null,
    status: 'active',
    statusReason: null,
    capabilities: {},
    pausedUntil: null,
    isNetworkEnabled: true,
  } as const
  const check = () => {
    const began = performance.now()
    let problems = contentProblems(content).length
    for (const [name, network] of Object.entries(networks))
      problems += accountProblems(content, { ...account, network: name }, network).length
    if (problems === 0) throw new Error('nothing was refused')
    return performance.now() - began
  }
  for (let warm = 0; warm < 5; warm += 1) check()
  const took = median(Array.from({ length: ROUNDS }, check))
  goals.check(`${caption.length} characters by the rules of all networks: ${took.toFixed(1)} ms`, took, MAX_CHECK_MS)
}

const addAccount = async ({ cms, clock }: CmsService): Promise<string> => {
  const id = newId()
  await cms.database.pool.query(
    `insert into social_account (id, network, remote_id, name, kind, endpoints, client_id, tokens_at, scopes, status,
       status_since, connected_at, updated_at)
     values ($1, 'mastodon', $1, 'Harbour', 'profile', '{}', 'app', $2, '{}', 'active', $2, $2, $2)`,
    [id, clock.now()],
  )
  return id
}

/** Posts of one target each, a minute apart and in the past, so that all are due. */
const fill = async ({ cms, clock }: CmsService, account: string, count: number, status: 'scheduled' | 'posted') => {
  const { pool } = cms.database
  for (let left = count; left > 0; left -= BATCH)
    await fillBatch(cms, { account, status, now: clock.now(), from: count - left, count: Math.min(left, BATCH) })
  await pool.query('analyze social_target, social_post')
}

type Batch = { account: string; status: 'scheduled' | 'posted'; now: Date; from: number; count: number }

const fillBatch = async (cms: CmsService['cms'], { account, status, now, from, count }: Batch): Promise<void> => {
  const when = `$2::timestamptz - n * interval '${status === 'posted' ? '1 minute' : '1 second'}'`
  await cms.database.pool.query(
    `with made as (
       insert into social_post (id, caption, status, scheduled_at, created_at, updated_at)
       select gen_random_uuid()::text, 'Post ' || n, $3, ${when}, ${when}, ${when} from generate_series($4::int + 1, $4::int + $5::int) n
       returning id, caption, scheduled_at
     )
     insert into social_target (id, post_id, account_id, network, status, caption, due_at, next_attempt_at, posted_at,
       idempotency_key, content_hash, created_at, updated_at)
     select gen_random_uuid()::text, id, $1, 'mastodon', $3, caption, scheduled_at,
       case when $3 = 'scheduled' then scheduled_at end, case when $3 = 'posted' then scheduled_at end, id, ''::bytea,
       scheduled_at, scheduled_at from made`,
    [account, now, status, from, count],
  )
}

/** The service's own time: what it reads and what it makes of it, without the way over a socket and the client. */
const readMonth = async (goals: Goals, service: CmsService): Promise<void> => {
  const ctx = contextFor(service.cms.services, { kind: 'system', name: 'bench' } as const)
  const from = new Date(service.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now()
    const text = JSON.stringify(socialCalendar.parse(await readCalendar(ctx, from, 31)))
    times.push(performance.now() - began)
    if (JSON.parse(text).items.length !== POSTS) throw new Error('the calendar does not show all posts')
  }
  goals.check(`a month with ${POSTS} posts: ${median(times).toFixed(0)} ms`, median(times), MAX_CALENDAR_MS)
}

/** Nothing of it is kept. */
const claim = async ({ cms, clock }: CmsService): Promise<number> => {
  const now = clock.now()
  const room = { lane: 'healthy', limit: 6, perKey: 6, slotsLeft: new Map() } as const
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    await cms.database
      .tx(async (tx) => {
        const began = performance.now()
        const taken = await targetQueue(new Map()).claim(tx, {
          ...room,
          now,
          leaseUntil: new Date(now.getTime() + 90_000),
        })
        times.push(performance.now() - began)
        if (taken.length !== 1) throw new Error(`${taken.length} targets were claimed`)
        throw new Undo()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error
      })
  return median(times)
}

class Undo extends Error {}
