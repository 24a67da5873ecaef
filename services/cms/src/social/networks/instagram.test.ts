import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { createFakeInstagram } from '@stoa/tests/lib/social/instagram.ts'
import { failureOf } from '@stoa/tests/lib/social/network-ground.ts'
import { groundPerFile } from '@stoa/tests/lib/social/network-suite.ts'
import { resumeFromEverySave } from '@stoa/tests/lib/social/network-target.ts'
import { instagram } from './instagram.ts'
import type { Draft } from './network.ts'

const DAY_MS = 86_400_000
let passedMs = 0
const now = () => Date.now() + passedMs
const suite = groundPerFile('instagram', instagram, () => createFakeInstagram({ now }))
const { last, image } = suite
beforeEach(() => {
  passedMs = 0
})
const form = () => last().form as Record<string, string>

describe('instagram: connect', () => {
  test('a consent becomes one account with a token of 60 days', () => {
    assert.equal(suite.account.remoteId, '17841400000000001')
    assert.equal(suite.account.handle, 'acme')
    assert.equal(suite.account.profileUrl, 'https://www.instagram.com/acme/')
    assert.ok(Number(suite.account.tokens.accessExpiresAt) > Date.now() + 59 * DAY_MS)
    assert.deepEqual(suite.account.tokens.scopes, instagram.oauth.endpoints.scopes)
  })

  test('#_ at the end of a code is not part of it', async () => {
    const { code } = await suite.ground.consent()
    const [found] = await instagram.connect(suite.ground.reach, { code: `${code}#_`, codeVerifier: null })
    assert.equal(found?.remoteId, suite.account.remoteId)
  })

  test('a permission that was taken out is not among the scopes', async () => {
    await suite.with(createFakeInstagram({ declined: ['instagram_business_manage_comments'] }), async (other) => {
      const [found] = await other.connect()
      assert.ok(!found?.tokens.scopes.includes('instagram_business_manage_comments'))
    })
  })

  test('a code works once', async () => {
    const grant = await suite.ground.consent()
    await instagram.connect(suite.ground.reach, grant)
    assert.match((await failureOf(instagram.connect(suite.ground.reach, grant))).message, /has been used/)
  })

  test('a rejection by the token endpoint is reported in its own words', async () => {
    const body = { error_type: 'OAuthException', code: 400, error_message: 'Matching code was not found' }
    suite.ground.answer('token', 400, body)
    const failure = await failureOf(suite.ground.connect())
    assert.equal(failure.message, 'Matching code was not found')
  })

  test('a token is renewed with itself, one day later at the earliest', async () => {
    const refresh = () => instagram.refresh?.run(suite.ground.reach, suite.account.tokens)
    assert.equal((await failureOf(refresh() ?? Promise.resolve())).kind, 'invalid')
    passedMs = DAY_MS + 1000
    const renewed = await refresh()
    assert.notEqual(renewed?.accessToken.reveal(), suite.account.tokens.accessToken.reveal())
    assert.deepEqual(renewed?.scopes, suite.account.tokens.scopes)
  })
})

describe('instagram: publish', () => {
  test('an image goes out with caption, alt text and collaborators', async () => {
    const options = { collaborators: ['@one', 'two'] }
    const media = [await image({ alt: 'A green field' })]
    const posted = await suite.ground.target(suite.account, { caption: 'Spring', media, options }).run()
    assert.equal(posted.url, `https://www.instagram.com/p/${posted.remoteId}/`)
    assert.deepEqual(posted.warnings, [])
    assert.equal(last().text, 'Spring')
    assert.deepEqual(last().alts, ['A green field'])
    assert.equal(form().collaborators, '["one","two"]')
  })

  test('a carousel waits for its items, which keep their order and alt texts', async () => {
    suite.ground.fake.processing.questions = 1
    const media = [await image({ alt: 'one' }), await image({ alt: 'two' }), await image({ alt: 'three' })]
    await suite.ground.target(suite.account, { media }).run()
    assert.deepEqual(last().alts, ['one', 'two', 'three'])
    assert.deepEqual(last().media, await Promise.all(media.map((item) => item.publicUrl())))
  })

  test('a video becomes a reel with its options', async () => {
    suite.ground.fake.processing.questions = 3
    const options = { shareToFeed: false, thumbOffsetMs: 1500 }
    await suite.ground.target(suite.account, { media: [suite.ground.files.video()], options }).run()
    assert.deepEqual([form().media_type, form().share_to_feed, form().thumb_offset], ['REELS', 'false', '1500'])
  })

  test('what Instagram rejects is reported in its own words: PNG, aspect ratio, an unreachable URL', async () => {
    const png = await failureOf(
      suite.ground.target(suite.account, { media: [await image({ format: 'png' })] }).upload(),
    )
    assert.deepEqual([png.kind, png.code], ['invalid', '36001/2207005'])
    const wide = await failureOf(
      suite.ground.target(suite.account, { media: [await image({ width: 1400, height: 400 })] }).upload(),
    )
    assert.deepEqual([wide.kind, wide.code], ['invalid', '36003/2207009'])
    const media = [{ ...(await image()), publicUrl: async () => `${suite.ground.files.url}/nothing` }]
    const gone = await failureOf(suite.ground.target(suite.account, { media }).upload())
    assert.deepEqual([gone.kind, gone.code], ['invalid', '9004/2207052'])
  })

  test('the first comment is added once', async () => {
    const target = suite.ground.target(suite.account, { media: [await image()], options: { firstComment: '#one' } })
    const posted = await target.run()
    assert.deepEqual(await target.confirm(posted), { url: posted.url, warnings: [] })
    const comments = suite.ground.fake.comments.filter((comment) => comment.post === posted.remoteId)
    assert.deepEqual(comments, [{ post: posted.remoteId, text: '#one' }])
  })

  test('a first comment that fails is a warning', async () => {
    suite.ground.answer('comment', 400, { error: { message: 'Comments are off', code: 100 } })
    const target = suite.ground.target(suite.account, { media: [await image()], options: { firstComment: 'Hi' } })
    assert.deepEqual((await target.run()).warnings, ["The first comment couldn't be added: Comments are off"])
  })

  test('a first comment whose answer was lost is not written again', async () => {
    suite.ground.drop('comment', 'dropAfter')
    const target = suite.ground.target(suite.account, { media: [await image()], options: { firstComment: 'Hi' } })
    const posted = await target.run()
    assert.equal(posted.warnings.length, 1)
    assert.match((await target.confirm(posted)).warnings[0] ?? '', /may be missing/)
    assert.equal(suite.ground.fake.comments.filter((comment) => comment.post === posted.remoteId).length, 1)
  })
})

describe('instagram: containers', () => {
  test('a process that dies goes on from every point, and builds no container twice', async () => {
    const media = [await image(), await image(), await image()]
    await resumeFromEverySave(suite.ground, () => suite.ground.target(suite.account, { media }), ['container'])
    const one = [await image()]
    await resumeFromEverySave(suite.ground, () => suite.ground.target(suite.account, { media: one }), ['container'])
  })

  test('a container that ended is built anew', async () => {
    suite.ground.fake.processing.isExpired = true
    const before = suite.ground.count('container')
    await suite.ground.target(suite.account, { media: [await image()] }).run()
    assert.equal(suite.ground.count('container') - before, 2)
  })

  test('a video that cannot be processed fails for good, and the next try starts anew', async () => {
    suite.ground.fake.processing.failure = 'Error: Media upload has failed with error code 2207026'
    const target = suite.ground.target(suite.account, { media: [suite.ground.files.video()] })
    await target.upload()
    const failure = await failureOf(target.wait())
    assert.deepEqual([failure.kind, failure.code], ['invalid', 'PROCESSING_FAILED/2207026'])
    assert.match(failure.message, /2207026/)
    assert.equal(target.progress().container, null)
    suite.ground.fake.processing.failure = null
    await target.run()
  })

  test('processing that failed for a while is tried again with a new container', async () => {
    suite.ground.fake.processing.failure = 'Error: error code 2207053'
    const target = suite.ground.target(suite.account, { media: [suite.ground.files.video()] })
    assert.equal((await failureOf(target.prepare())).kind, 'transient')
    suite.ground.fake.processing.failure = null
    await target.run()
  })

  test('a server error of Instagram is worth one more try', async () => {
    const target = suite.ground.target(suite.account, { media: [await image()] })
    const error = { error: { message: 'Instagram server error', code: 100, error_subcode: 2207001 } }
    suite.ground.answer('container', 400, error)
    assert.equal((await failureOf(target.upload())).kind, 'transient')
    suite.ground.answer('container', 400, error)
    assert.equal((await failureOf(target.upload())).kind, 'invalid')
  })

  test('a container that is gone at the commit is forgotten', async () => {
    const target = suite.ground.target(suite.account, { media: [await image()] })
    await target.prepare()
    suite.ground.answer('commit', 400, { error: { message: 'Gone', code: 24, error_subcode: 2207008 } })
    assert.equal((await failureOf(target.commit())).kind, 'transient')
    assert.equal(target.progress().container, null)
    await target.run()
  })
})

describe('instagram: an answer that does not come', () => {
  test('cut before the commit: it is surely not there', async () => {
    const target = suite.ground.target(suite.account, { caption: 'cut before', media: [await image()] })
    await target.prepare()
    suite.ground.drop('commit', 'dropBefore')
    await assert.rejects(target.commit(), { name: 'LineCut' })
    assert.equal(await target.reconcile(), 'not-posted')
    await target.commit()
  })

  test('cut after the commit: it is found, with its address', async () => {
    const target = suite.ground.target(suite.account, { caption: 'cut after', media: [await image()] })
    await target.prepare()
    suite.ground.drop('commit', 'dropAfter')
    await assert.rejects(target.commit(), { name: 'LineCut' })
    const live = suite.ground.posts().length
    const found = await target.reconcile()
    assert.deepEqual(found, { remoteId: last().id, url: `https://www.instagram.com/p/${last().id}/` })
    assert.equal(suite.ground.posts().length, live)
  })

  test('a container that went out is not published a second time', async () => {
    const target = suite.ground.target(suite.account, { caption: 'went out', media: [await image()] })
    await target.prepare()
    const { remoteId } = await target.commit()
    const live = suite.ground.posts().length
    await target.prepare()
    assert.equal((await target.commit()).remoteId, remoteId)
    assert.equal(suite.ground.posts().length, live)
  })

  test('a post of another day with the same caption is not taken for this one', async () => {
    passedMs = -DAY_MS
    await suite.ground.target(suite.account, { caption: 'every day', media: [await image()] }).run()
    passedMs = 0
    const target = suite.ground.target(suite.account, { caption: 'every day', media: [await image()] })
    await target.prepare()
    assert.equal(await target.reconcile(), 'not-posted')
  })
})

describe('instagram: failures', () => {
  const cases: [status: number, error: Record<string, unknown>, kind: string][] = [
    [500, { code: 100 }, 'transient'],
    [400, { code: 1 }, 'transient'],
    [400, { code: 2 }, 'transient'],
    [400, { code: 100, is_transient: true }, 'transient'],
    ...[2207001, 2207003, 2207008, 2207020, 2207032, 2207053, 2207082].map(
      (error_subcode) => [400, { code: 100, error_subcode }, 'transient'] as [number, Record<string, unknown>, string],
    ),
    [400, { code: 4 }, 'rate'],
    [400, { code: 17 }, 'rate'],
    [400, { code: 32 }, 'rate'],
    [400, { code: 80_002 }, 'rate'],
    [400, { code: 9, error_subcode: 2207042 }, 'rate'],
    [401, { code: 190 }, 'auth'],
    [400, { code: 10 }, 'auth'],
    [400, { code: 100, error_subcode: 33 }, 'auth'],
    [400, { code: 100, message: 'The user is not an Instagram Business account' }, 'auth'],
    [400, { code: 368 }, 'policy'],
    [400, { code: 100, error_subcode: 2207050 }, 'policy'],
    [400, { code: 100, error_subcode: 2207051 }, 'policy'],
    ...[2207004, 2207005, 2207009, 2207010, 2207023, 2207026, 2207028, 2207052, 2207057].map(
      (error_subcode) => [400, { code: 100, error_subcode }, 'invalid'] as [number, Record<string, unknown>, string],
    ),
    [400, { code: 36_001 }, 'invalid'],
    [400, { code: 36_003 }, 'invalid'],
    // An id that has the digits of a code in it is no code.
    [400, { code: 100, message: 'Object 190490 does not exist' }, 'invalid'],
    [302, {}, 'config'],
  ]
  test('code and subcode decide the kind', async () => {
    const media = [await image()]
    for (const [status, error, kind] of cases) {
      suite.ground.fakes.clearScripts()
      suite.ground.answer('container', status, { error: { message: 'No', ...error } })
      const failure = await failureOf(suite.ground.target(suite.account, { media }).upload())
      assert.equal(failure.kind, kind, JSON.stringify(error))
      assert.equal(failure.httpStatus, status)
    }
  })

  test('words for people win over those for developers, and the trace is kept', async () => {
    const error = { message: 'dev', error_user_msg: 'Choose a smaller image', code: 100, fbtrace_id: 'T1' }
    suite.ground.answer('container', 400, { error })
    const failure = await failureOf(suite.ground.target(suite.account, { media: [await image()] }).upload())
    assert.deepEqual([failure.message, failure.traceId], ['Choose a smaller image', 'T1'])
  })

  test('the usage header says until when the account waits', async () => {
    const usage = { '17841': [{ type: 'instagram', estimated_time_to_regain_access: 30 }] }
    suite.ground.answer(
      'container',
      400,
      { error: { message: 'Slow down', code: 80_002 } },
      {
        'x-business-use-case-usage': JSON.stringify(usage),
      },
    )
    const failure = await failureOf(suite.ground.target(suite.account, { media: [await image()] }).upload())
    assert.equal(failure.pauses, 'account')
    const minutes = (Number(failure.retryAt) - Date.now()) / 60_000
    assert.ok(minutes > 29 && minutes <= 30, String(minutes))
  })

  test('a limit of the app pauses the app', async () => {
    suite.ground.answer('container', 400, { error: { message: 'Slow down', code: 4 } }, { 'retry-after': '120' })
    const failure = await failureOf(suite.ground.target(suite.account, { media: [await image()] }).upload())
    assert.equal(failure.pauses, 'app')
    assert.ok(Number(failure.retryAt) > Date.now() + 110_000)
  })
})

describe('instagram: check', () => {
  const draft = (given: Partial<Draft>): Draft => ({
    caption: 'Hi',
    link: null,
    media: [],
    options: {},
    capabilities: {},
    ...given,
  })
  const keys = (given: Partial<Draft>) => instagram.check?.(draft(given)).map((problem) => problem.key)

  test('20 mentions pass, 21 do not', () => {
    assert.deepEqual(keys({ caption: '@some.one '.repeat(20) }), [])
    assert.deepEqual(keys({ caption: '@some.one '.repeat(21) }), ['caption'])
    assert.deepEqual(keys({ caption: 'me@example.com '.repeat(30) }), [])
  })

  test('collaborators are usernames, three at most', () => {
    assert.deepEqual(keys({ options: { collaborators: ['a', '@b', 'c'] } }), [])
    assert.deepEqual(keys({ options: { collaborators: ['a', 'b', 'c', 'd'] } }), ['options.collaborators'])
    assert.deepEqual(keys({ options: { collaborators: ['a b'] } }), ['options.collaborators'])
  })

  test('the cover is a moment of the video', () => {
    const video = { kind: 'video', type: 'video/mp4', bytes: 1, width: 1, height: 1, seconds: 10, alt: '' } as const
    assert.deepEqual(keys({ media: [video], options: { thumbOffsetMs: 10_000 } }), [])
    assert.deepEqual(keys({ media: [video], options: { thumbOffsetMs: 10_001 } }), ['options.thumbOffsetMs'])
    assert.deepEqual(keys({ media: [video], options: { thumbOffsetMs: -1 } }), ['options.thumbOffsetMs'])
  })
})

describe('instagram: the number of posts a day', () => {
  test('a post over it waits, and nothing is brought to the network', async () => {
    const { quota } = suite.ground.fake
    const before = { containers: suite.ground.count('container'), used: quota.used }
    quota.used = quota.total
    const failure = await failureOf(suite.ground.target(suite.account, { media: [await image()] }).prepare())
    assert.deepEqual([failure.kind, failure.code, failure.pauses], ['rate', 'QUOTA_REACHED', 'account'])
    assert.ok(Number(failure.retryAt) > Date.now() + 3_000_000)
    assert.equal(suite.ground.count('container'), before.containers)
    quota.used = before.used
    await suite.ground.target(suite.account, { media: [await image()] }).run()
    assert.equal(quota.used, before.used + 1)
  })

  test('a network that does not report it is asked to publish, and may reject it', async () => {
    suite.ground.answer('quota', 400, { error: { code: 100, message: 'Unsupported get request' } })
    const target = suite.ground.target(suite.account, { media: [await image()] })
    await target.prepare()
    const { quota } = suite.ground.fake
    const { used } = quota
    quota.used = quota.total
    assert.equal((await failureOf(target.commit())).kind, 'rate')
    quota.used = used
  })
})
