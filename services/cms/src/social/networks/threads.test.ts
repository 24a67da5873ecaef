import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { failureOf } from '@stoa/tests/lib/social/network-ground.ts'
import { groundPerFile } from '@stoa/tests/lib/social/network-suite.ts'
import { resumeFromEverySave } from '@stoa/tests/lib/social/network-target.ts'
import { createFakeThreads } from '@stoa/tests/lib/social/threads.ts'
import { threads } from './threads.ts'

const DAY_MS = 86_400_000
let passedMs = 0
const now = () => Date.now() + passedMs
const suite = groundPerFile('threads', threads, () => createFakeThreads({ now }))
const { last, image } = suite
beforeEach(() => {
  passedMs = 0
})
const form = () => last().form as Record<string, string>

describe('threads: connect', () => {
  test('a consent becomes one profile with a token of 60 days', () => {
    assert.equal(suite.account.remoteId, '25000000000000001')
    assert.equal(suite.account.profileUrl, 'https://www.threads.net/@acme')
    assert.ok(Number(suite.account.tokens.accessExpiresAt) > Date.now() + 59 * DAY_MS)
  })

  test('a consent that was denied comes back without a code', async () => {
    const { code } = await suite.ground.consent((url) => url.searchParams.set('deny', '1'))
    assert.equal(code, '')
  })

  test('the redirect address must be the same in both legs', async () => {
    const grant = await suite.ground.consent()
    const other = { ...suite.ground.reach, redirectUri: 'https://site.example/elsewhere' }
    assert.match((await failureOf(threads.connect(other, grant))).message, /redirect_uri/)
  })

  test('a token is renewed with itself', async () => {
    passedMs = DAY_MS + 1000
    const renewed = await threads.refresh?.run(suite.ground.reach, suite.account.tokens)
    assert.notEqual(renewed?.accessToken.reveal(), suite.account.tokens.accessToken.reveal())
  })
})

describe('threads: publish', () => {
  test('text alone goes out with its options', async () => {
    const options = { replyControl: 'mentioned_only', topicTag: 'Gardening' }
    const posted = await suite.ground.target(suite.account, { caption: 'Only words', options }).run()
    assert.equal(posted.url, `https://www.threads.net/@acme/post/${posted.remoteId}`)
    assert.deepEqual(
      [form().media_type, form().text, form().reply_control, form().topic_tag],
      ['TEXT', 'Only words', 'mentioned_only', 'Gardening'],
    )
  })

  test('an image and a video have their alt texts', async () => {
    await suite.ground.target(suite.account, { media: [await image({ alt: 'A field', format: 'png' })] }).run()
    assert.deepEqual([form().media_type, form().alt_text], ['IMAGE', 'A field'])
    suite.ground.fake.processing.questions = 2
    await suite.ground.target(suite.account, { media: [suite.ground.files.video({ alt: 'Waves' })] }).run()
    assert.deepEqual([form().media_type, form().alt_text], ['VIDEO', 'Waves'])
  })

  test('a carousel is made when all of its items are ready', async () => {
    suite.ground.fake.processing.questions = 2
    const media = [await image({ alt: 'one' }), await image({ alt: 'two' })]
    await suite.ground.target(suite.account, { caption: 'Two', media, options: { replyControl: 'everyone' } }).run()
    assert.deepEqual(last().alts, ['one', 'two'])
    assert.deepEqual([form().text, form().reply_control], ['Two', 'everyone'])
  })

  test('the first reply hangs below the post', async () => {
    const posted = await suite.ground.target(suite.account, { options: { firstComment: 'More' } }).run()
    assert.deepEqual(posted.warnings, [])
    assert.deepEqual(suite.ground.fake.comments.at(-1), { post: posted.remoteId, text: 'More' })
  })

  test('a first reply that fails is a warning', async () => {
    suite.ground.answer('comment', 403, { error: { message: 'No replies', code: 10 } })
    const posted = await suite.ground.target(suite.account, { options: { firstComment: 'More' } }).run()
    assert.deepEqual(posted.warnings, ["The first comment couldn't be added: No replies"])
  })

  test('a process that dies goes on from every point, and builds no container twice', async () => {
    const media = [await image(), await image()]
    await resumeFromEverySave(suite.ground, () => suite.ground.target(suite.account, { media }), ['container'])
    await resumeFromEverySave(suite.ground, () => suite.ground.target(suite.account), ['container'])
  })

  test('media that cannot be processed fail with the reason', async () => {
    suite.ground.fake.processing.failure = 'FAILED_DOWNLOADING_VIDEO'
    const failure = await failureOf(
      suite.ground.target(suite.account, { media: [suite.ground.files.video()] }).prepare(),
    )
    assert.deepEqual(
      [failure.kind, failure.code, failure.message],
      ['invalid', 'PROCESSING_FAILED', 'FAILED_DOWNLOADING_VIDEO'],
    )
  })
})

describe('threads: an answer that does not come', () => {
  test('cut before the commit: it is surely not there', async () => {
    const target = suite.ground.target(suite.account, { caption: 'cut before' })
    await target.prepare()
    suite.ground.drop('commit', 'dropBefore')
    await assert.rejects(target.commit(), { name: 'LineCut' })
    assert.equal(await target.reconcile(), 'not-posted')
  })

  test('cut after the commit: it is found, with its address', async () => {
    const target = suite.ground.target(suite.account, { caption: 'cut after' })
    await target.prepare()
    suite.ground.drop('commit', 'dropAfter')
    await assert.rejects(target.commit(), { name: 'LineCut' })
    assert.deepEqual(await target.reconcile(), {
      remoteId: last().id,
      url: `https://www.threads.net/@acme/post/${last().id}`,
    })
  })
})

describe('threads: failures', () => {
  const cases: [status: number, error: Record<string, unknown>, kind: string][] = [
    [503, {}, 'transient'],
    [400, { code: 1 }, 'transient'],
    [400, { code: 2 }, 'transient'],
    [400, { code: 100, is_transient: true }, 'transient'],
    [400, { code: 4 }, 'rate'],
    [400, { code: 17 }, 'rate'],
    [400, { code: 32 }, 'rate'],
    [429, {}, 'rate'],
    [400, { code: 190 }, 'auth'],
    [400, { code: 100, message: 'Error validating access token: it ended' }, 'auth'],
    [400, { code: 100, error_subcode: 2207051 }, 'policy'],
    [400, { code: 100, error_subcode: 4279013 }, 'policy'],
    [400, { code: 100, message: 'The media could not be fetched' }, 'invalid'],
  ]
  test('code and subcode decide the kind', async () => {
    for (const [status, error, kind] of cases) {
      suite.ground.fakes.clearScripts()
      suite.ground.answer('container', status, { error: { message: 'No', ...error } })
      assert.equal((await failureOf(suite.ground.target(suite.account).upload())).kind, kind, JSON.stringify(error))
    }
  })
})

test('threads: a topic has no periods and ampersands', () => {
  const draft = { caption: 'Hi', link: null, media: [], capabilities: {} }
  assert.deepEqual(threads.check?.({ ...draft, options: { topicTag: 'Home cooking' } }), [])
  for (const topicTag of ['a.b', 'a&b'])
    assert.deepEqual(
      threads.check?.({ ...draft, options: { topicTag } }).map(({ key }) => key),
      ['options.topicTag'],
    )
})

describe('threads: the number of posts a day', () => {
  test('a post over it waits, and nothing is brought to the network', async () => {
    const { quota } = suite.ground.fake
    const before = { containers: suite.ground.count('container'), used: quota.used }
    quota.used = quota.total
    const failure = await failureOf(suite.ground.target(suite.account).prepare())
    assert.deepEqual([failure.kind, failure.code, failure.pauses], ['rate', 'QUOTA_REACHED', 'account'])
    assert.ok(Number(failure.retryAt) > Date.now() + 3_000_000)
    assert.equal(suite.ground.count('container'), before.containers)
    quota.used = before.used
    await suite.ground.target(suite.account).run()
    assert.equal(quota.used, before.used + 1)
  })

  test('a network that does not report it is asked to publish, and may reject it', async () => {
    suite.ground.answer('quota', 400, { error: { code: 100, message: 'Unsupported get request' } })
    const target = suite.ground.target(suite.account)
    await target.prepare()
    const { quota } = suite.ground.fake
    const { used } = quota
    quota.used = quota.total
    assert.equal((await failureOf(target.commit())).kind, 'rate')
    quota.used = used
  })
})
