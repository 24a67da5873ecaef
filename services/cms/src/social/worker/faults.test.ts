import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { SocialPostDetail } from '@stoa/cms-model/social.ts'
import { newId } from '@stoa/kit/ids.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { targetQueue } from './queue.ts'
import { type Ground, startGround } from './testing/ground.ts'
import { testNetwork } from './testing/network.ts'
import { createSocialWorker } from './worker.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let ground: Ground
/** What the network `thief` does with a target between two calls. */
let onUpload: (() => Promise<void>) | null = null
before(async () => {
  const demo = testNetwork()
  const thief = testNetwork({
    label: 'Thief',
    publisher: {
      ...demo.publisher,
      async upload(publishing) {
        await onUpload?.()
        await publishing.save({ stolen: true })
      },
    },
  })
  ground = await startGround({
    networks: { demo, other: testNetwork({ label: 'Other' }), thief },
    env: { SOCIAL_LATE_HOURS: '48' },
  })
})
after(() => ground.close())
afterEach(() => {
  ground.fakes.clearScripts()
  onUpload = null
})

const live = (text: string) => ground.fakes.posts().filter((post) => post.text === text)
const only = ({ targets: [target] }: SocialPostDetail) => target ?? assert.fail('there is no target')
const inMs = (ms: number) => new Date(ground.clock.now().getTime() + ms)
const commits = () => ground.fakes.journal('demo').filter(({ call }) => call === 'commit').length
let texts = 0
const newText = () => `Fault ${++texts}`

const write = async (accountIds: readonly string[]) => {
  const text = newText()
  const { id, version } = await ground.post(accountIds, { caption: text })
  return { id, text, version, read: () => ground.read(id) }
}

/** The network accepted the post, and its answer never arrived here. */
const acceptUnanswered = async (postId: string, text: string): Promise<void> => {
  const [row] = await ground.cms.database.db.query<{ key: string }>({
    text: 'select idempotency_key as key from social_target where post_id = $1',
    values: [postId],
  })
  await fetch(`${ground.fakes.url}/fake/demo/posts`, {
    method: 'POST',
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    body: JSON.stringify({ text, media: [], key: row?.key }),
  })
}

describe('a try whose outcome was in doubt', () => {
  test('is looked for again before the next one, because networks may be slow to show it', async () => {
    const { id, text, read } = await write([await ground.account()])
    ground.fakes.script({ network: 'demo', call: 'commit', behave: { dropBefore: true } })
    await ground.publish(id)
    await ground.runDue()
    assert.equal(only(await read()).error?.code, 'NOT_POSTED')
    await acceptUnanswered(id, text)
    ground.clock.advance(2 * MINUTE)
    await ground.runDue()
    assert.deepEqual([(await read()).status, live(text).length], ['posted', 1])
  })

  test('is looked for when a person sends it again, and sent only if it is not there', async () => {
    for (const isAccepted of [true, false]) {
      const { id, text, read } = await write([await ground.account()])
      ground.fakes.script({
        network: 'demo',
        call: 'commit',
        behave: isAccepted ? { dropAfter: true } : { dropBefore: true },
      })
      ground.fakes.script({ network: 'demo', call: 'list', behave: { status: 403 } })
      await ground.publish(id)
      await ground.runDue()
      assert.equal(only(await read()).error?.code, 'OUTCOME_UNKNOWN')
      await ground.publish(id)
      await ground.runDue()
      assert.deepEqual([(await read()).status, live(text).length], ['posted', 1])
      ground.fakes.clearScripts()
    }
  })
})

describe('an account or an app that goes away', () => {
  test('while a post is scheduled fails that target at once, and leaves the others and the version alone', async () => {
    const [gone, stays] = [await ground.account(), await ground.account({ network: 'other' })]
    const post = await write([gone, stays])
    const draft = await write([gone])
    const scheduled = await ground.schedule(post.id, inMs(HOUR))
    const admin = await ground.person('admin')
    assert.equal((await admin.client.delete(`/api/social/accounts/${gone}`, { 'if-match': '*' })).status, 204)
    const read = await post.read()
    const failed = read.targets.find(({ accountId }) => accountId === gone)
    assert.deepEqual([failed?.status, failed?.error?.code, read.status], ['failed', 'ACCOUNT_GONE', 'scheduled'])
    assert.equal(read.version, scheduled.body.version, 'nobody changed what is written')
    assert.equal((await draft.read()).status, 'draft', 'nothing was to go out')
    ground.clock.advance(HOUR)
    await ground.runDue()
    assert.deepEqual([(await post.read()).status, live(post.text).length], ['partial', 1])
  })

  test('as an app takes no account along: what is scheduled goes out', async () => {
    const admin = await ground.person('admin')
    const app = await admin.client.put('/api/social/settings/other', {
      clientId: 'app',
      clientSecret: 'the-secret-123',
    })
    assert.equal(app.status, 200, app.text)
    const post = await write([await ground.account({ network: 'other' })])
    await ground.schedule(post.id, inMs(HOUR))
    const headers = { 'if-match': app.headers.get('etag') ?? '' }
    assert.equal((await admin.client.delete('/api/social/settings/other', headers)).status, 204)
    ground.clock.advance(HOUR)
    await ground.runDue()
    assert.deepEqual([(await post.read()).status, live(post.text).length], ['posted', 1])
  })
})

test('a post is sent by itself as late as the configuration says, and not later', async () => {
  const posts = [await write([await ground.account()]), await write([await ground.account()])]
  const [late, missed] = [posts[0] ?? assert.fail(), posts[1] ?? assert.fail()]
  await ground.schedule(missed.id, inMs(MINUTE))
  await ground.schedule(late.id, inMs(HOUR))
  ground.clock.advance(48 * HOUR + 2 * MINUTE)
  await ground.runDue()
  assert.deepEqual([(await late.read()).status, live(late.text).length], ['posted', 1])
  assert.deepEqual([only(await missed.read()).error?.code, live(missed.text).length], ['MISSED', 0])
})

describe('a limit of the whole app', () => {
  test('holds up all its accounts, no other network, and nobody who sends by hand', async () => {
    const [first, second, foreign] = [
      await write([await ground.account()]),
      await write([await ground.account()]),
      await write([await ground.account({ network: 'other' })]),
    ]
    ground.fakes.script({
      network: 'demo',
      call: 'commit',
      behave: {
        status: 429,
        headers: { 'retry-after': inMs(2 * HOUR).toISOString() },
        body: { error: { code: 'app_limit', message: 'The app is over its limit', app: true } },
      },
    })
    await ground.publish(first.id)
    await ground.runDue()
    for (const { id } of [second, foreign]) await ground.schedule(id, inMs(MINUTE))
    ground.clock.advance(HOUR)
    await ground.runDue()
    const statuses = async () => [
      (await first.read()).status,
      (await second.read()).status,
      (await foreign.read()).status,
    ]
    assert.deepEqual(await statuses(), ['failed', 'scheduled', 'posted'])
    await ground.publish(second.id)
    await ground.runDue()
    assert.deepEqual(await statuses(), ['failed', 'posted', 'posted'])
    ground.clock.advance(HOUR)
    await ground.runDue()
    assert.deepEqual(await statuses(), ['posted', 'posted', 'posted'])
  })
})

describe('a process that is stopped', () => {
  test('in the middle of the call that posts leaves it to another, which makes no second one', async () => {
    const { id, text, read } = await write([await ground.account()])
    const stopping = createSocialWorker((await ground.second()).cms.services)
    ground.fakes.script({ network: 'demo', call: 'commit', behave: { delayMs: 300 } })
    const before = commits()
    await ground.publish(id)
    stopping.start()
    await until(() => commits() > before, 'it is being posted')
    await stopping.stop(0)
    const { status, step, attempts } = only(await read())
    assert.deepEqual([status, step, attempts], ['publishing', 'committing', 0])
    await until(() => live(text).length > 0, 'the network has it')
    await ground.runDue()
    assert.deepEqual([(await read()).status, live(text).length], ['posted', 1])
  })

  test('with enough time ends what it began', async () => {
    const { id, text, read } = await write([await ground.account()])
    const stopping = createSocialWorker(ground.cms.services)
    ground.fakes.script({ network: 'demo', call: 'commit', behave: { delayMs: 100 } })
    const before = commits()
    await ground.publish(id)
    stopping.start()
    await until(() => commits() > before, 'it is being posted')
    await stopping.stop(15_000)
    assert.deepEqual([(await read()).status, live(text).length], ['posted', 1])
  })
})

describe('a claim that was lost', () => {
  test('writes nothing any more, and nothing more is sent', async () => {
    const { id, text } = await write([await ground.account({ network: 'thief' })])
    const row = async () => {
      const [found] = await ground.cms.database.db.query<{ fence: number }>({
        text: 'select fence, progress, step, status, attempts, error from social_target where post_id = $1',
        values: [id],
      })
      return found
    }
    let stolen: unknown
    onUpload = async () => {
      await ground.cms.database.tx((tx) =>
        tx.query({ text: 'update social_target set fence = fence + 1 where post_id = $1', values: [id] }),
      )
      stolen = await row()
    }
    await ground.publish(id)
    const calls = ground.fakes.journal().length
    await ground.runDue()
    assert.deepEqual(await row(), stolen)
    assert.deepEqual([ground.fakes.journal().length, live(text).length], [calls, 0])
    await ground.cms.database.tx((tx) =>
      tx.query({ text: 'delete from social_target where post_id = $1', values: [id] }),
    )
  })
})

describe('a thousand posts of one second', () => {
  test('are claimed in one statement: one of each account, two of each network, and no account waits for another', async () => {
    const accounts = [await ground.account(), await ground.account(), await ground.account({ network: 'other' })]
    const at = inMs(MINUTE)
    // The first account has a thousand that were there before those of the others.
    for (const [index, account] of accounts.entries()) await fill(account, index === 0 ? 1_000 : 1, at)
    const watch = ground.cms.database.watchStatements()
    const claims = await ground.cms.database.tx((tx) =>
      targetQueue(new Map()).claim(
        tx as never,
        {
          limit: 6,
          now: at,
          leaseUntil: inMs(2 * MINUTE),
        } as never,
      ),
    )
    watch.stop()
    assert.deepEqual(claims.map(({ row }) => row.accountId).sort(), [...accounts].sort())
    assert.equal(watch.texts.filter((text) => text.includes('social_target')).length, 1)
    await ground.cms.database.tx((tx) =>
      tx.query({ text: 'delete from social_target where account_id = any($1::text[])', values: [accounts] }),
    )
  })
})

/** Posts of one target each, all due at the same moment. */
const fill = (account: string, count: number, at: Date): Promise<unknown> =>
  ground.cms.database.tx((tx) =>
    tx.query({
      text: `with made as (
          insert into social_post (id, caption, status, scheduled_at, created_at, updated_at)
          select $4 || n, 'Burst', 'scheduled', $2, $2, $2 from generate_series(1, $3::int) n returning id
        )
        insert into social_target (id, post_id, account_id, network, status, caption, due_at, next_attempt_at,
          idempotency_key, content_hash, created_at, updated_at)
        select id, id, $1, (select network from social_account where id = $1), 'scheduled', 'Burst', $2, $2, id, ''::bytea,
          $2, $2 from made`,
      values: [account, at, count, newId()],
    }),
  )
