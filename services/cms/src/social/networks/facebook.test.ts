import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import { createFakeFacebook } from '@stoa/tests/lib/social/facebook.ts'
import { failureOf } from '@stoa/tests/lib/social/network-ground.ts'
import { groundPerFile } from '@stoa/tests/lib/social/network-suite.ts'
import { resumeFromEverySave } from '@stoa/tests/lib/social/network-target.ts'
import { facebook } from './facebook.ts'
import type { Draft, DraftMedia } from './network.ts'

const suite = groundPerFile('facebook', facebook, () => createFakeFacebook({ pagesPerAnswer: 1, chunkBytes: 2000 }))
const { last, image } = suite

describe('facebook: connect', () => {
  test('every Page with a token and the right to create content becomes an account', () => {
    assert.deepEqual(
      suite.accounts.map(({ remoteId, name, handle, kind }) => ({ remoteId, name, handle, kind })),
      [
        { remoteId: '1001', name: 'Acme', handle: 'acme', kind: 'page' },
        { remoteId: '1002', name: 'Acme Shop', handle: null, kind: 'page' },
      ],
    )
    assert.equal(suite.account.avatarUrl, 'https://img.example/1001.jpg')
    assert.equal(suite.account.tokens.accessExpiresAt, null)
    assert.notEqual(suite.account.tokens.accessToken.reveal(), suite.accounts[1]?.tokens.accessToken.reveal())
  })

  test('no Page to post to is reported as such', async () => {
    await suite.with(
      createFakeFacebook({ pages: [{ id: '1', name: 'Read only', tasks: ['ANALYZE'], hasToken: true }] }),
      async (other) => {
        const failure = await failureOf(other.connect())
        assert.equal(failure.code, 'NO_PAGES')
        assert.match(failure.message, /no Page you can post to/)
      },
    )
  })

  test('a token is checked without being used, and one that Facebook ended is reported as such', async () => {
    const [found] = await suite.ground.connect()
    assert.ok(found)
    await facebook.probe?.(suite.ground.reach, found.tokens)
    suite.ground.fake.consent.tokens.delete(found.tokens.accessToken.reveal())
    const failure = await failureOf(facebook.probe?.(suite.ground.reach, found.tokens) ?? assert.fail())
    assert.deepEqual([failure.kind, failure.code, failure.message], ['auth', '190', 'Session has expired'])
    const wrong = { ...suite.ground.reach, clientSecret: new Secret('wrong') }
    const ofApp = await failureOf(facebook.probe?.(wrong, suite.account.tokens) ?? assert.fail())
    assert.equal(ofApp.kind, 'config')
  })

  test('a permission that was taken out is not among the scopes', async () => {
    await suite.with(createFakeFacebook({ declined: ['pages_manage_engagement'] }), async (other) => {
      const [found] = await other.connect()
      assert.ok(found?.tokens.scopes.includes('pages_manage_posts'))
      assert.ok(!found?.tokens.scopes.includes('pages_manage_engagement'))
    })
  })

  test('a Page whose token could not be a header is left out, and scopes default to those requested', async () => {
    const broken = { id: '7', name: 'Broken', tasks: ['CREATE_CONTENT'], access_token: 'a\r\nb' }
    const fine = { id: '8', name: 'Fine', tasks: ['CREATE_CONTENT'], access_token: 'ab' }
    suite.ground.answer('accounts', 200, { data: [broken, fine] })
    suite.ground.answer('permissions', 404, { error: { message: 'No', code: 100 } })
    const found = await suite.ground.connect()
    assert.deepEqual(
      found.map(({ remoteId }) => remoteId),
      ['8'],
    )
    assert.deepEqual(found[0]?.tokens.scopes, facebook.oauth.endpoints.scopes)
  })

  test('a wrong secret is reported in the words of Facebook', async () => {
    const grant = await suite.ground.consent()
    const wrong = { ...suite.ground.reach, clientSecret: new Secret('wrong') }
    assert.equal((await failureOf(facebook.connect(wrong, grant))).message, 'Error validating client secret.')
  })

  test('after a disconnect the token of the Page is of no use', async () => {
    const [, shop] = await suite.ground.connect()
    assert.ok(shop)
    await facebook.revoke?.(suite.ground.reach, shop.tokens)
    assert.equal((await failureOf(suite.ground.target(shop).commit())).kind, 'auth')
  })
})

describe('facebook: publish', () => {
  test('text and link go out, the link of the option first', async () => {
    const posted = await suite.ground.target(suite.account, { caption: 'Words', link: 'https://a.example/' }).run()
    assert.deepEqual([last().text, last().link, last().account], ['Words', 'https://a.example/', '1001'])
    assert.equal(posted.url, `https://www.facebook.com/${posted.remoteId}`)
    const options = { link: 'https://b.example/' }
    await suite.ground.target(suite.account, { link: 'https://a.example/', options }).run()
    assert.equal(last().link, 'https://b.example/')
  })

  test('images are attached in their order with their alt texts', async () => {
    const media = [await image({ alt: 'one' }), await image({ alt: 'two', format: 'png' }), await image()]
    await suite.ground.target(suite.account, { media }).run()
    assert.deepEqual(last().alts, ['one', 'two', ''])
    assert.deepEqual(
      (last().media ?? []).map((id) => suite.ground.fake.photos.get(id)?.bytes),
      media.map((item) => item.bytes),
    )
  })

  test('a video is sent in the parts that Facebook asks for, its link is the last line', async () => {
    const before = suite.ground.count('upload')
    const target = suite.ground.target(suite.account, {
      caption: 'Watch',
      link: 'https://a.example/',
      media: [suite.ground.files.video({ bytes: 5000 })],
    })
    const posted = await target.run()
    assert.equal(suite.ground.count('upload') - before, 3)
    assert.deepEqual([last().bytes, last().isReel, last().text], [5000, false, 'Watch\nhttps://a.example/'])
    assert.equal(posted.url, `https://www.facebook.com/1001/videos/${posted.remoteId}/`)
  })

  test('a video can be a reel', async () => {
    await suite.ground
      .target(suite.account, { caption: 'Reel', media: [suite.ground.files.video()], options: { asReel: true } })
      .run()
    assert.deepEqual([last().bytes, last().isReel, last().text], [5000, true, 'Reel'])
  })

  test('the address of a video that is still processed comes later', async () => {
    suite.ground.fake.processing.questions = 1
    const target = suite.ground.target(suite.account, { media: [suite.ground.files.video()] })
    const posted = await target.run()
    assert.deepEqual([posted.url, posted.warnings], [null, []])
    assert.equal(await target.lookAgain(posted), `https://www.facebook.com/1001/videos/${posted.remoteId}/`)
  })

  test('a video that cannot be processed is a warning', async () => {
    suite.ground.fake.processing.failure = 'The sound is broken'
    const posted = await suite.ground.target(suite.account, { media: [suite.ground.files.video()] }).run()
    assert.deepEqual(posted.warnings, ["Facebook couldn't process the video: The sound is broken"])
  })

  test('the first comment is added; one that fails is a warning', async () => {
    const options = { firstComment: 'More here' }
    const posted = await suite.ground.target(suite.account, { options }).run()
    assert.deepEqual(suite.ground.fake.comments.at(-1), { post: posted.remoteId, text: 'More here' })
    suite.ground.answer('comment', 500, { error: { message: 'Try later', code: 2 } })
    const other = await suite.ground.target(suite.account, { options }).run()
    assert.deepEqual(other.warnings, ["The first comment couldn't be added: Try later"])
  })

  test('a process that dies goes on from every point, and uploads nothing twice', async () => {
    const media = [await image(), await image(), await image()]
    await resumeFromEverySave(suite.ground, () => suite.ground.target(suite.account, { media }), ['photo'])
    const video = [suite.ground.files.video()]
    await resumeFromEverySave(suite.ground, () => suite.ground.target(suite.account, { media: video }), [
      'video',
      'upload',
    ])
    const options = { asReel: true }
    await resumeFromEverySave(suite.ground, () => suite.ground.target(suite.account, { media: video, options }), [
      'reel',
      'upload',
    ])
  })

  test('a reel whose upload was answered by nobody is not sent again', async () => {
    const target = suite.ground.target(suite.account, {
      media: [suite.ground.files.video()],
      options: { asReel: true },
    })
    suite.ground.drop('upload', 'dropAfter')
    const before = suite.ground.count('upload')
    await assert.rejects(target.upload(), { name: 'LineCut' })
    await target.run()
    assert.equal(suite.ground.count('upload') - before, 1)
  })

  test('a video whose part was answered by nobody starts a new session', async () => {
    const target = suite.ground.target(suite.account, { media: [suite.ground.files.video()] })
    suite.ground.drop('upload', 'dropAfter', 2)
    await assert.rejects(target.upload(), { name: 'LineCut' })
    assert.equal((await failureOf(target.upload())).kind, 'transient')
    await target.run()
    assert.equal(last().bytes, 5000)
  })
})

describe('facebook: an answer that does not come', () => {
  const kinds = { text: {}, video: { video: true }, reel: { video: true, options: { asReel: true } } }
  for (const [name, { video, ...given }] of Object.entries(kinds) as [string, { video?: true; options?: object }][]) {
    test(`${name}, cut before the commit: it is surely not there`, async () => {
      const media = video ? [suite.ground.files.video()] : []
      const target = suite.ground.target(suite.account, { caption: `${name} before`, media, ...(given as object) })
      await target.prepare()
      suite.ground.drop('commit', 'dropBefore')
      await assert.rejects(target.commit(), { name: 'LineCut' })
      assert.equal(await target.reconcile(), 'not-posted')
      await target.commit()
    })

    test(`${name}, cut after the commit: it is found`, async () => {
      const media = video ? [suite.ground.files.video()] : []
      const target = suite.ground.target(suite.account, { caption: `${name} after`, media, ...(given as object) })
      await target.prepare()
      suite.ground.drop('commit', 'dropAfter')
      const live = suite.ground.posts().length
      await assert.rejects(target.commit(), { name: 'LineCut' })
      const found = await target.reconcile()
      assert.ok(typeof found === 'object')
      assert.equal(found.remoteId, last().id)
      assert.ok(found.url)
      assert.equal(suite.ground.posts().length, live + 1)
    })
  }
})

describe('facebook: failures', () => {
  type Case = [status: number, error: Record<string, unknown>, kind: string]
  const subcodes = (kind: string, ...numbers: number[]): Case[] =>
    numbers.map((error_subcode) => [400, { code: 100, error_subcode }, kind])
  const cases: Case[] = [
    [500, {}, 'transient'],
    [400, { code: 1 }, 'transient'],
    [400, { code: 2 }, 'transient'],
    [400, { code: 341 }, 'transient'],
    [400, { code: 100, is_transient: true }, 'transient'],
    ...subcodes('transient', 1363047, 1609010),
    ...[4, 17, 32, 613, 80_000, 80_001, 80_014].map((code): Case => [400, { code }, 'rate']),
    [429, {}, 'rate'],
    ...subcodes('rate', 1390008),
    ...[190, 102, 10, 200, 299].map((code): Case => [400, { code }, 'auth']),
    [401, {}, 'auth'],
    ...subcodes('auth', 1404078),
    [400, { code: 368 }, 'policy'],
    ...subcodes('policy', 1346003, 1404102, 1404112, 4854002, 1609008),
    [400, { code: 506 }, 'duplicate'],
    ...subcodes('duplicate', 1366051),
    [400, { code: 100 }, 'invalid'],
    [400, { code: 300 }, 'invalid'],
    [400, { code: 80_015 }, 'invalid'],
    ...subcodes('invalid', 1366046, 2069019),
    [404, {}, 'invalid'],
  ]
  test('code and subcode decide the kind', async () => {
    for (const [status, error, kind] of cases) {
      suite.ground.fakes.clearScripts()
      suite.ground.answer('commit', status, { error: { message: 'No', ...error } })
      const failure = await failureOf(suite.ground.target(suite.account).commit())
      assert.equal(failure.kind, kind, JSON.stringify([status, error]))
      assert.equal(failure.httpStatus, status)
    }
  })

  test('the longest time of the usage header counts', async () => {
    const usage = {
      1001: [{ type: 'pages', estimated_time_to_regain_access: 5 }],
      1002: [{ type: 'pages', estimated_time_to_regain_access: 20 }],
    }
    const headers = { 'x-business-use-case-usage': JSON.stringify(usage), 'x-app-usage': '{"call_count":100}' }
    suite.ground.answer('commit', 400, { error: { message: 'Wait', code: 80_001 } }, headers)
    const failure = await failureOf(suite.ground.target(suite.account).commit())
    const minutes = (Number(failure.retryAt) - Date.now()) / 60_000
    assert.ok(minutes > 19 && minutes <= 20, String(minutes))
    assert.equal(failure.pauses, 'account')
  })

  test('a response that is not JSON is reported by its status', async () => {
    suite.ground.answer('commit', 502, '<html>Bad gateway</html>')
    const failure = await failureOf(suite.ground.target(suite.account).commit())
    assert.deepEqual([failure.kind, failure.code], ['transient', 'HTTP_502'])
  })

  test('a success without an id is an outcome that is not known', async () => {
    suite.ground.answer('commit', 200, {})
    assert.equal((await failureOf(suite.ground.target(suite.account).commit())).kind, 'unknown')
  })
})

describe('facebook: check', () => {
  const video: DraftMedia = {
    kind: 'video',
    type: 'video/mp4',
    bytes: 1,
    width: 1080,
    height: 1920,
    seconds: 30,
    alt: '',
  }
  const keys = (options: Draft['options'], media: DraftMedia[] = []) =>
    facebook.check?.({ caption: 'Hi', link: null, media, options, capabilities: {} }).map(({ key }) => key)

  test('a reel is an upright video of 3 to 90 seconds', () => {
    const options = { asReel: true }
    assert.deepEqual(keys(options, [video]), [])
    assert.deepEqual(keys(options), ['options.asReel'])
    assert.deepEqual(keys(options, [{ ...video, seconds: 91 }]), ['media'])
    assert.deepEqual(keys(options, [{ ...video, seconds: 2.9 }]), ['media'])
    assert.deepEqual(keys(options, [{ ...video, width: 1920, height: 1080 }]), ['media'])
    assert.deepEqual(keys(options, [{ ...video, width: 360, height: 640 }]), ['media'])
    assert.deepEqual(keys({ asReel: false }, [{ ...video, seconds: 200 }]), [])
  })

  test('a link is an address of the web', () => {
    assert.deepEqual(keys({ link: 'https://example.com/a' }), [])
    assert.deepEqual(keys({ link: 'javascript:alert(1)' }), ['options.link'])
    assert.deepEqual(keys({ link: 'example' }), ['options.link'])
  })
})
