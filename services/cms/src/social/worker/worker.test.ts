import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { SocialPostDetail } from '@stoa/cms-model/social.ts'
import { passTime } from '@stoa/tests/lib/waiting.ts'
import { addHook, PUBLIC_TARGET } from '../../site/webhooks/testing/ground.ts'
import { type Ground, startGround } from './testing/ground.ts'
import { createSocialWorker } from './worker.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

let ground: Ground
before(async () => {
  ground = await startGround()
})
after(() => ground.close())
afterEach(() => ground.fakes.clearScripts())

const live = (text: string) => ground.fakes.posts().filter((post) => post.text === text)
const only = ({ targets: [target] }: SocialPostDetail) => target ?? assert.fail('there is no target')
const inMs = (ms: number) => new Date(ground.clock.now().getTime() + ms)
let texts = 0
const newText = () => `Text ${++texts}`

/** A post for one new account, sent by a person. */
const sent = async (members: object = {}) => {
  const text = newText()
  const accountId = await ground.account()
  const { id } = await ground.post([accountId], { caption: text, ...members })
  await ground.publish(id)
  return { id, text, accountId, run: ground.runDue, read: () => ground.read(id) }
}

describe('a target that is due', () => {
  test('goes out once, and is posted with its address', async () => {
    const { text, run, read } = await sent()
    await run()
    const post = await read()
    assert.equal(post.status, 'posted')
    const target = only(post)
    assert.deepEqual(
      [target.status, target.step, target.error, target.nextAttemptAt, target.attempts],
      ['posted', null, null, null, 1],
    )
    assert.match(target.url ?? '', /^https:\/\/demo\.test\/p\d+$/)
    assert.equal(target.postedAt, ground.clock.now().toISOString())
    assert.deepEqual(
      target.attemptLog.map(({ n, outcome, error }) => [n, outcome, error]),
      [[1, 'posted', null]],
    )
    assert.equal(live(text).length, 1)
    await run()
    assert.equal(live(text).length, 1)
  })

  test('goes out at its second and not before', async () => {
    const text = newText()
    const { id } = await ground.post([await ground.account()], { caption: text })
    await ground.schedule(id, inMs(HOUR))
    ground.clock.advance(HOUR - 1)
    await ground.runDue()
    assert.deepEqual([(await ground.read(id)).status, live(text).length], ['scheduled', 0])
    ground.clock.advance(1)
    await ground.runDue()
    assert.deepEqual([(await ground.read(id)).status, live(text).length], ['posted', 1])
  })

  test('is not held up by another that fails, and the post is partial', async () => {
    const text = newText()
    const [good, bad] = [await ground.account(), await ground.account({ network: 'other' })]
    ground.fakes.script({
      network: 'other',
      call: 'commit',
      behave: { status: 400, body: { error: { code: 'bad', message: 'The picture is <b>ugly</b>' } } },
    })
    const { id } = await ground.post([good, bad], { caption: text })
    await ground.publish(id)
    await ground.runDue()
    const post = await ground.read(id)
    assert.equal(post.status, 'partial')
    const failed = post.targets.find(({ accountId }) => accountId === bad)
    assert.deepEqual(
      [failed?.status, failed?.error?.kind, failed?.error?.code, failed?.error?.message, failed?.nextAttemptAt],
      ['failed', 'invalid', 'bad', 'The picture is <b>ugly</b>', null],
    )
    await ground.publish(id)
    await ground.runDue()
    assert.equal((await ground.read(id)).status, 'posted')
    assert.equal(live(text).length, 2, 'the one that was out is not sent again')
  })

  test('and missed its time by more than a day is not sent until a person says so', async () => {
    const text = newText()
    const { id } = await ground.post([await ground.account()], { caption: text })
    await ground.schedule(id, inMs(MINUTE))
    ground.clock.advance(24 * HOUR + MINUTE + 1)
    await ground.runDue()
    const target = only(await ground.read(id))
    assert.deepEqual([target.status, target.error?.code, live(text).length], ['failed', 'MISSED', 0])
    await ground.publish(id)
    await ground.runDue()
    assert.equal(live(text).length, 1)
  })

  test('of a network that was switched off meanwhile is not sent', async () => {
    const { id, text } = await sent()
    const admin = await ground.person('admin')
    const answer = await admin.client.put('/api/social/settings/demo', { clientId: 'app', enabled: false })
    assert.equal(answer.status, 200, answer.text)
    await ground.runDue()
    assert.deepEqual([only(await ground.read(id)).error?.code, live(text).length], ['NETWORK_OFF', 0])
    const refused = await ground.editor.client.post('/api/social/posts', {
      caption: 'Hello',
      accountIds: [await ground.account()],
    })
    assert.deepEqual([refused.body.code, refused.body.details.fields[0].key], ['SOCIAL_INVALID', 'accountIds'])
    await admin.client.delete('/api/social/settings/demo', { 'if-match': answer.headers.get('etag') ?? '' })
  })

  test('of an account that is gone fails with ACCOUNT_GONE', async () => {
    const { id, accountId, text } = await sent()
    await ground.cms.database.tx((tx) =>
      tx.updateTable('social_account').set({ status: 'disconnected' }).where('id', '=', accountId).execute(),
    )
    await ground.runDue()
    assert.equal(only(await ground.read(id)).error?.code, 'ACCOUNT_GONE')
    assert.equal(live(text).length, 0)
  })

  test('whose token was revoked fails at once, and its account asks to be connected again', async () => {
    const { accountId, run, read } = await sent()
    ground.fakes.script({ network: 'demo', call: 'commit', behave: { status: 401 } })
    await run()
    const target = only(await read())
    assert.deepEqual([target.status, target.error?.kind, target.nextAttemptAt], ['failed', 'auth', null])
    const { body } = await ground.editor.client.get('/api/social/overview')
    assert.ok(body.attention.some((one: { accountId: string }) => one.accountId === accountId))
  })
})

describe('a try that fails for a while', () => {
  test('is made again after 1, 5 and 15 minutes, 1 and 3 hours, then no more', async () => {
    const { run, read, text } = await sent()
    ground.fakes.script({ network: 'demo', call: 'list', nth: 'all', behave: { status: 200, body: { items: [] } } })
    ground.fakes.script({ network: 'demo', call: 'commit', nth: 'all', behave: { status: 500 } })
    const waits: number[] = []
    for (;;) {
      await run()
      const { status, nextAttemptAt } = only(await read())
      assert.equal(status, 'failed')
      if (nextAttemptAt === null) break
      const wait = Date.parse(nextAttemptAt) - ground.clock.now().getTime()
      waits.push(wait / MINUTE)
      ground.clock.advance(wait)
    }
    assert.equal(waits.length, 5)
    for (const [index, usual] of [1, 5, 15, 60, 180].entries())
      assert.ok((waits[index] ?? 0) >= usual * 0.8 && (waits[index] ?? 0) <= usual * 1.2, String(waits))
    const target = only(await read())
    assert.deepEqual([target.attempts, target.attemptLog.length, live(text).length], [6, 6, 0])
    assert.deepEqual(new Set(target.attemptLog.slice(0, 5).map(({ outcome }) => outcome)), new Set(['retry']))
  })

  test('is posted when the network is well again', async () => {
    const { run, read, text } = await sent()
    for (const nth of [1, 2]) ground.fakes.script({ network: 'demo', call: 'commit', nth, behave: { status: 503 } })
    await run()
    for (const wait of [2 * MINUTE, 7 * MINUTE]) {
      ground.clock.advance(wait)
      await run()
    }
    assert.deepEqual([(await read()).status, live(text).length], ['posted', 1])
  })

  test('with a stated time waits until then, and so does everything else of the account', async () => {
    const accountId = await ground.account()
    const [first, second] = [
      await ground.post([accountId], { caption: newText() }),
      await ground.post([accountId], { caption: newText() }),
    ]
    const until = inMs(3 * HOUR)
    ground.fakes.script({
      network: 'demo',
      call: 'commit',
      behave: { status: 429, headers: { 'retry-after': until.toISOString() } },
    })
    await ground.publish(first.id)
    await ground.runDue()
    const target = only(await ground.read(first.id))
    assert.deepEqual([target.error?.kind, target.nextAttemptAt], ['rate', until.toISOString()])
    await ground.schedule(second.id, inMs(MINUTE))
    ground.clock.advance(HOUR)
    await ground.runDue()
    assert.equal((await ground.read(second.id)).status, 'scheduled')
    assert.equal(only(await ground.read(second.id)).attempts, 0, 'a pause takes no try')
    await ground.publish(second.id)
    await ground.runDue()
    assert.equal((await ground.read(second.id)).status, 'posted', 'a person is not held up')
    assert.equal(only(await ground.read(first.id)).status, 'failed')
    ground.clock.advance(2 * HOUR)
    await ground.runDue()
    assert.equal((await ground.read(first.id)).status, 'posted')
  })
})

describe('the call that posts', () => {
  test('which was cut after it arrived is found again, not made again', async () => {
    const { run, read, text } = await sent()
    ground.fakes.script({ network: 'demo', call: 'commit', behave: { dropAfter: true } })
    await run()
    const target = only(await read())
    assert.deepEqual([target.status, target.attempts, live(text).length], ['posted', 1, 1])
    assert.match(target.url ?? '', /demo\.test/)
  })

  test('which was cut before it arrived is made again later', async () => {
    const { run, read, text } = await sent()
    ground.fakes.script({ network: 'demo', call: 'commit', behave: { dropBefore: true } })
    await run()
    const target = only(await read())
    assert.deepEqual([target.status, target.error?.kind, live(text).length], ['failed', 'transient', 0])
    assert.notEqual(target.nextAttemptAt, null)
    ground.clock.advance(2 * MINUTE)
    await run()
    assert.deepEqual([(await read()).status, live(text).length], ['posted', 1])
  })

  test('with an unknown outcome is never retried automatically', async () => {
    const { id, run, read, text } = await sent()
    ground.fakes.script({ network: 'demo', call: 'commit', behave: { dropAfter: true } })
    ground.fakes.script({ network: 'demo', call: 'list', nth: 'all', behave: { status: 403 } })
    await run()
    const target = only(await read())
    assert.deepEqual(
      [target.status, target.error?.kind, target.error?.code, target.nextAttemptAt],
      ['failed', 'unknown', 'OUTCOME_UNKNOWN', null],
    )
    ground.clock.advance(23 * HOUR)
    await run()
    assert.equal(live(text).length, 1)
    // A person sends it; the network says that it has it.
    ground.fakes.script({
      network: 'demo',
      call: 'commit',
      behave: { status: 400, body: { error: { code: 'duplicate', message: 'Said before' } } },
    })
    await ground.publish(id)
    await run()
    assert.deepEqual([(await read()).status, live(text).length], ['posted', 1])
  })

  test('of a network that is away for a moment is asked about a little later', async () => {
    const { run, read, text } = await sent()
    ground.fakes.script({ network: 'demo', call: 'commit', behave: { dropAfter: true } })
    ground.fakes.script({ network: 'demo', call: 'list', behave: { status: 502 } })
    await run()
    assert.deepEqual([only(await read()).status, only(await read()).step], ['publishing', 'committing'])
    ground.clock.advance(5 * SECOND)
    await run()
    assert.deepEqual([(await read()).status, live(text).length, only(await read()).attempts], ['posted', 1, 1])
  })

  test('that is called a duplicate at the first try fails', async () => {
    const { run, read } = await sent()
    ground.fakes.script({
      network: 'demo',
      call: 'commit',
      behave: { status: 400, body: { error: { code: 'duplicate', message: 'Said before' } } },
    })
    await run()
    assert.deepEqual([only(await read()).status, only(await read()).error?.kind], ['failed', 'duplicate'])
  })

  test('is looked for when its process died in it', async () => {
    for (const isAccepted of [true, false]) {
      const { id, text, run, read } = await sent()
      ground.fakes.clearScripts()
      await ground.cms.database.tx((tx) =>
        tx.query({
          text: `update social_target set status = 'publishing', step = 'committing', started_at = $2, attempts = 1,
              next_attempt_at = $3 where post_id = $1`,
          values: [id, ground.clock.now(), inMs(90 * SECOND)],
        }),
      )
      if (isAccepted) await acceptUnanswered(id, text)
      await run()
      assert.equal(only(await read()).status, 'publishing', 'the lease protects it')
      ground.clock.advance(91 * SECOND)
      await run()
      assert.equal(only(await read()).status, isAccepted ? 'posted' : 'failed')
      assert.equal(live(text).length, isAccepted ? 1 : 0)
    }
  })

  test('is followed by what may fail: the post is out, with a warning', async () => {
    const { run, read, text } = await sent({ options: { demo: { comment: 'First!' } } })
    ground.fakes.script({
      network: 'demo',
      call: 'comment',
      behave: { status: 400, body: { error: { code: 'no', message: 'Comments are closed' } } },
    })
    await run()
    const target = only(await read())
    assert.deepEqual([target.status, live(text).length], ['posted', 1])
    assert.match(target.warnings.join(), /Comments are closed/)
  })
})

/** The network took it, although nobody here knows. */
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

describe('what is kept of an error', () => {
  test('is bounded, and holds no token', async () => {
    const { run, read } = await sent()
    const message = `Invalid token "demotoken1" in Bearer abcdefghijkl and access_token=supersecret ${'x'.repeat(5_000)}`
    ground.fakes.script({
      network: 'demo',
      call: 'commit',
      behave: { status: 400, body: { error: { code: 'bad', message } } },
    })
    await run()
    const { error } = only(await read())
    assert.equal(error?.message.length, 2_000)
    assert.doesNotMatch(error?.message ?? '', /demotoken1|abcdefghijkl|supersecret/)
  })
})

describe('a claim', () => {
  test('is one statement, whatever is due', async () => {
    await ground.runDue()
    for (let n = 0; n < 5; n += 1) await sent()
    const watch = ground.cms.database.watchStatements()
    await ground.runDue()
    watch.stop()
    const claims = watch.texts.filter((text) => text.includes('with recursive waiting'))
    assert.ok(claims.length <= 4, String(claims.length))
  })

  test('takes two of a network and one of an account at a time', async () => {
    const text = newText()
    const accounts = [await ground.account(), await ground.account(), await ground.account()]
    const posts = []
    for (const accountId of accounts)
      for (const caption of [text, `${text}!`]) posts.push(await ground.post([accountId], { caption }))
    for (const { id } of posts) await ground.publish(id)
    ground.fakes.script({ network: 'demo', call: 'commit', nth: 'all', behave: { delayMs: 30 } })
    const most = { all: 0, account: 0 }
    const other = createSocialWorker(ground.cms.services)
    const done = Promise.all([ground.runDue(), other.runDue()]).then(() => true)
    while (!(await Promise.race([done, passTime(5, 'between two looks')]))) {
      const rows = await ground.cms.database.db.query<{ account_id: string }>({
        text: "select account_id from social_target where status = 'publishing'",
      })
      most.all = Math.max(most.all, rows.length)
      most.account = Math.max(
        most.account,
        ...[...Map.groupBy(rows, (row) => row.account_id).values()].map((all) => all.length),
        0,
      )
    }
    await ground.runDue()
    for (const { id } of posts) assert.equal((await ground.read(id)).status, 'posted')
    assert.equal(live(text).length + live(`${text}!`).length, 6)
    assert.equal(most.account, 1)
    assert.ok(most.all <= 4, `two processes, two each: ${most.all}`)
  })

  test('by two processes at once sends each target once', async () => {
    const second = await ground.second()
    const workers = [ground.cms.services, second.cms.services].map((services) => createSocialWorker(services))
    const captions = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const caption = newText()
        const { id } = await ground.post([await ground.account(), await ground.account({ network: 'other' })], {
          caption,
        })
        await ground.publish(id)
        return caption
      }),
    )
    for (let round = 0; round < 6; round += 1) await Promise.all(workers.map((worker) => worker.runDue()))
    for (const caption of captions) assert.equal(live(caption).length, 2, caption)
    const warned = [...ground.logs, ...second.logs].filter((line) => line.includes('could not be read'))
    assert.deepEqual(warned, [], 'a race is nothing to log')
  })
})

describe('what listeners receive', () => {
  test('webhooks receive how it ended, with each target', async () => {
    const admin = await ground.person('admin')
    await addHook(admin.client, { url: PUBLIC_TARGET, events: ['social.post.posted', 'social.post.failed'] })
    const { id, run } = await sent()
    await run()
    const [row] = await ground.cms.database.db.query<{ payload: string }>({
      text: 'select payload from webhook_delivery order by id desc limit 1',
    })
    const payload = typeof row?.payload === 'string' ? JSON.parse(row.payload) : row?.payload
    assert.equal(payload.event, 'social.post.posted')
    assert.deepEqual(
      [payload.data.id, payload.data.status, payload.data.targets.map(({ status }: { status: string }) => status)],
      [id, 'posted', ['posted']],
    )
  })
})
