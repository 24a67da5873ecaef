import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createFakeThreads } from '@stoa/tests/lib/social/threads.ts'
import type { FoundAccount } from './network.ts'
import { failureOf, resumeFromEverySave, startGround } from './testing/network-ground.ts'
import { threads } from './threads.ts'

const DAY_MS = 86_400_000
let passedMs = 0
const start = () => startGround('threads', threads, createFakeThreads({ now: () => Date.now() + passedMs }))

let ground: Awaited<ReturnType<typeof start>>
let account: FoundAccount
before(async () => {
  ground = await start()
  ;[account] = (await ground.connect()) as [FoundAccount]
})
after(() => ground.close())
beforeEach(() => {
  passedMs = 0
  ground.fakes.clearScripts()
  Object.assign(ground.fake.processing, { questions: 0, failure: null, isExpired: false })
})
const last = () => ground.posts()[0]
const form = () => last()?.form as Record<string, string>
const image = (given = {}) => ground.files.image(given)

describe('threads: connect', () => {
  test('a consent becomes one profile with a token of 60 days', () => {
    assert.equal(account.remoteId, '25000000000000001')
    assert.equal(account.profileUrl, 'https://www.threads.net/@acme')
    assert.ok(Number(account.tokens.accessExpiresAt) > Date.now() + 59 * DAY_MS)
  })

  test('a consent that was denied comes back without a code', async () => {
    const back = new URL(await ground.fakes.consent(ground.consentUrl(), 'deny'))
    assert.equal(back.searchParams.get('error'), 'access_denied')
    assert.equal(back.searchParams.get('code'), null)
  })

  test('the redirect address must be the same in both legs', async () => {
    const grant = await ground.grant()
    const other = { ...ground.reach, redirectUri: 'https://site.example/elsewhere' }
    assert.match((await failureOf(threads.connect(other, grant))).message, /redirect_uri/)
  })

  test('a token is renewed with itself', async () => {
    passedMs = DAY_MS + 1000
    const renewed = await threads.refresh?.run(ground.reach, account.tokens)
    assert.notEqual(renewed?.accessToken.reveal(), account.tokens.accessToken.reveal())
  })
})

describe('threads: publish', () => {
  test('text alone goes out with its options', async () => {
    const options = { replyControl: 'mentioned_only', topicTag: 'Gardening' }
    const posted = await ground.target(account, { caption: 'Only words', options }).run()
    assert.equal(posted.url, `https://www.threads.net/@acme/post/${posted.remoteId}`)
    assert.deepEqual(
      [form().media_type, form().text, form().reply_control, form().topic_tag],
      ['TEXT', 'Only words', 'mentioned_only', 'Gardening'],
    )
  })

  test('an image and a video have their alt texts', async () => {
    await ground.target(account, { media: [await image({ alt: 'A field', format: 'png' })] }).run()
    assert.deepEqual([form().media_type, form().alt_text], ['IMAGE', 'A field'])
    ground.fake.processing.questions = 2
    await ground.target(account, { media: [ground.files.video({ alt: 'Waves' })] }).run()
    assert.deepEqual([form().media_type, form().alt_text], ['VIDEO', 'Waves'])
  })

  test('a carousel is made when all of its items are ready', async () => {
    ground.fake.processing.questions = 2
    const media = [await image({ alt: 'one' }), await image({ alt: 'two' })]
    await ground.target(account, { caption: 'Two', media, options: { replyControl: 'everyone' } }).run()
    assert.deepEqual(last()?.alts, ['one', 'two'])
    assert.deepEqual([form().text, form().reply_control], ['Two', 'everyone'])
  })

  test('the first reply hangs below the post', async () => {
    const posted = await ground.target(account, { options: { firstComment: 'More' } }).run()
    assert.deepEqual(posted.warnings, [])
    assert.deepEqual(ground.fake.comments.at(-1), { post: posted.remoteId, text: 'More' })
  })

  test('a first reply that fails is a warning', async () => {
    ground.script('comment', 403, { error: { message: 'No replies', code: 10 } })
    const posted = await ground.target(account, { options: { firstComment: 'More' } }).run()
    assert.deepEqual(posted.warnings, ["The first comment couldn't be added: No replies"])
  })

  test('a process that dies goes on from every point, and builds no container twice', async () => {
    const media = [await image(), await image()]
    await resumeFromEverySave(ground, () => ground.target(account, { media }), ['container'])
    await resumeFromEverySave(ground, () => ground.target(account), ['container'])
  })

  test('media that cannot be processed fail with the reason', async () => {
    ground.fake.processing.failure = 'FAILED_DOWNLOADING_VIDEO'
    const failure = await failureOf(ground.target(account, { media: [ground.files.video()] }).prepare())
    assert.deepEqual(
      [failure.kind, failure.code, failure.message],
      ['invalid', 'PROCESSING_FAILED', 'FAILED_DOWNLOADING_VIDEO'],
    )
  })
})

describe('threads: an answer that does not come', () => {
  test('cut before the commit: it is surely not there', async () => {
    const target = ground.target(account, { caption: 'cut before' })
    await target.prepare()
    ground.drop('commit', 'dropBefore')
    await assert.rejects(target.commit(), { name: 'LineCut' })
    assert.equal(await target.reconcile(), 'not-posted')
  })

  test('cut after the commit: it is found, with its address', async () => {
    const target = ground.target(account, { caption: 'cut after' })
    await target.prepare()
    ground.drop('commit', 'dropAfter')
    await assert.rejects(target.commit(), { name: 'LineCut' })
    assert.deepEqual(await target.reconcile(), {
      remoteId: last()?.id,
      url: `https://www.threads.net/@acme/post/${last()?.id}`,
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
      ground.fakes.clearScripts()
      ground.script('container', status, { error: { message: 'No', ...error } })
      assert.equal((await failureOf(ground.target(account).upload())).kind, kind, JSON.stringify(error))
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
