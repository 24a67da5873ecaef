import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import { failureOf } from '@stoa/tests/lib/social/network-ground.ts'
import { groundPerFile } from '@stoa/tests/lib/social/network-suite.ts'
import { ProcessDied, resumeFromEverySave } from '@stoa/tests/lib/social/network-target.ts'
import { createFakePinterest } from '@stoa/tests/lib/social/pinterest.ts'
import type { Draft, FoundAccount, Outgoing, PublishMedia } from './network.ts'
import { pinterest } from './pinterest.ts'

const DAY_MS = 86_400_000
const suite = groundPerFile('pinterest', pinterest, () => createFakePinterest({ boardsPerAnswer: 2 }))
const { last, image } = suite
const target = (media: PublishMedia[], { options, ...given }: Partial<Outgoing> = {}) =>
  suite.ground.target(suite.account, { media, ...given, options: { boardId: '801', ...options } })

describe('pinterest: connect', () => {
  test('a consent becomes one account with all of its boards and tokens that can be renewed', () => {
    assert.equal(suite.account.remoteId, '99')
    assert.equal(suite.account.handle, 'acme')
    assert.deepEqual(
      suite.account.capabilities.boards?.map(({ name }) => name),
      ['Kitchen', 'Garden', 'Travel'],
    )
    assert.deepEqual(suite.account.tokens.scopes, pinterest.oauth.endpoints.scopes)
    assert.ok(Number(suite.account.tokens.accessExpiresAt) > Date.now() + 29 * DAY_MS)
    assert.ok(Number(suite.account.tokens.refreshExpiresAt) > Date.now() + 59 * DAY_MS)
  })

  test('a permission that was taken out is not among the scopes', async () => {
    await suite.with(createFakePinterest({ declined: ['boards:write'] }), async (other) => {
      const [found] = await other.connect()
      assert.deepEqual(found?.tokens.scopes, ['boards:read', 'pins:read', 'pins:write', 'user_accounts:read'])
    })
  })

  test('a code works once, with the right secret and redirect address only', async () => {
    const refused = async (change: object) =>
      failureOf(pinterest.connect({ ...suite.ground.reach, ...change }, await suite.ground.consent()))
    assert.equal((await refused({ clientSecret: new Secret('wrong') })).httpStatus, 401)
    assert.equal((await refused({ redirectUri: 'https://site.example/elsewhere' })).httpStatus, 400)
    const grant = await suite.ground.consent()
    await pinterest.connect(suite.ground.reach, grant)
    assert.equal((await failureOf(pinterest.connect(suite.ground.reach, grant))).message, 'The code is not valid.')
  })

  test('refresh tokens rotate', async () => {
    const [found] = (await suite.ground.connect()) as [FoundAccount]
    const renew = (tokens: FoundAccount['tokens']) =>
      pinterest.refresh?.run(suite.ground.reach, tokens) ?? assert.fail()
    const renewed = await renew(found.tokens)
    assert.notEqual(renewed.refreshToken?.reveal(), found.tokens.refreshToken?.reveal())
    assert.equal((await failureOf(renew(found.tokens))).httpStatus, 401)
    await renew(renewed)
  })

  test('boards are read again for the composer', async () => {
    const reach = {
      ...suite.ground.reach,
      accessToken: suite.account.tokens.accessToken,
      account: { ...suite.account, scopes: [] },
    }
    assert.deepEqual(await pinterest.capabilities?.(reach), suite.account.capabilities)
  })
})

describe('pinterest: publish', () => {
  test('an image is sent with everything that the author chose', async () => {
    const options = { boardId: '802', boardSectionId: '5', title: 'Roses', link: 'https://b.example/' }
    const given = { caption: 'In “May” \u{1f339}', link: 'https://a.example/', options }
    const posted = await target([await image({ width: 640, height: 480, alt: 'Red roses' })], given).run()
    assert.equal(posted.url, `https://www.pinterest.com/pin/${posted.remoteId}/`)
    const { board, section, title, link, alt, text, media } = last()
    assert.deepEqual(
      { board, section, title, link, alt, text, media },
      {
        board: '802',
        section: '5',
        title: 'Roses',
        link: 'https://b.example/',
        alt: 'Red roses',
        text: 'In “May” \u{1f339}',
        media: ['640x480'],
      },
    )
  })

  test("the post's link is used where the author chose no other", async () => {
    await target([await image()], { link: 'https://a.example/' }).run()
    assert.equal(last().link, 'https://a.example/')
  })

  test('images of the same size become a carousel', async () => {
    await target([await image({ format: 'png' }), await image(), await image()]).run()
    assert.deepEqual(last().media, ['800x800', '800x800', '800x800'])
  })

  test('a video is uploaded, processed and pinned with its cover', async () => {
    suite.ground.fake.processing.questions = 2
    await target([suite.ground.files.video()], { options: { coverKeyFrameSeconds: 3 } }).run()
    assert.match(last().media?.[0] ?? '', /^video \d+ cover 3$/)
    await target([suite.ground.files.video()]).run()
    assert.match(last().media?.[0] ?? '', /cover 0$/)
  })

  test('nothing of the signed upload is kept', async () => {
    const sending = target([suite.ground.files.video()])
    await sending.upload()
    assert.deepEqual(Object.keys(sending.progress()).sort(), ['isUploaded', 'mediaId'])
  })

  test('a video that cannot be processed fails for good, and the next try uploads it anew', async () => {
    suite.ground.fake.processing.failure = 'broken'
    const sending = target([suite.ground.files.video()])
    const failure = await failureOf(sending.prepare())
    assert.deepEqual([failure.kind, failure.code], ['invalid', 'PROCESSING_FAILED'])
    suite.ground.fake.processing.failure = null
    await sending.run()
  })

  test('a process that dies after the video is there does not upload it again', async () => {
    const video = suite.ground.files.video()
    const sending = target([video])
    const before = suite.ground.count('upload')
    await assert.rejects(sending.prepareUntilDeath(2), ProcessDied)
    await sending.run()
    assert.equal(suite.ground.count('upload') - before, 1)
  })

  test('a video whose upload was answered by nobody is not sent again', async () => {
    const sending = target([suite.ground.files.video()])
    suite.ground.drop('upload', 'dropAfter')
    const before = suite.ground.count('upload')
    await assert.rejects(sending.upload(), { name: 'LineCut' })
    await sending.run()
    assert.equal(suite.ground.count('upload') - before, 1)
  })

  test('a process that dies goes on from every point, and uploads nothing twice', async () => {
    const video = suite.ground.files.video()
    await resumeFromEverySave(suite.ground, () => target([video]), ['upload'])
  })

  test('a deleted board is reported in the words of Pinterest', async () => {
    const failure = await failureOf(target([await image()], { options: { boardId: '1' } }).run())
    assert.deepEqual([failure.kind, failure.code, failure.message], ['invalid', '40', 'Board not found.'])
  })
})

describe('pinterest: an answer that does not come', () => {
  test('cut before the commit: it is surely not there', async () => {
    const sending = target([await image()], { caption: 'cut before' })
    suite.ground.drop('commit', 'dropBefore')
    await assert.rejects(sending.commit(), { name: 'LineCut' })
    assert.equal(await sending.reconcile(), 'not-posted')
    await sending.commit()
  })

  test('cut after the commit: it is found by title and description', async () => {
    await target([await image()], { caption: 'cut after' }).run()
    const sending = target([await image()], { caption: 'cut after', options: { title: 'Mine' } })
    suite.ground.drop('commit', 'dropAfter')
    await assert.rejects(sending.commit(), { name: 'LineCut' })
    const { id } = last()
    assert.deepEqual(await sending.reconcile(), { remoteId: id, url: `https://www.pinterest.com/pin/${id}/` })
  })
})

describe('pinterest: failures', () => {
  const cases: [status: number, body: unknown, kind: string][] = [
    [500, { code: 0, message: 'Oops' }, 'transient'],
    [400, { code: 1, message: 'Unable to reach the URL. Please try again.' }, 'transient'],
    [429, {}, 'rate'],
    [400, { code: 8, message: 'Too many' }, 'rate'],
    [401, { code: 2, message: 'Authentication failed.' }, 'auth'],
    [403, { code: 29, message: 'Not permitted' }, 'auth'],
    [403, { code: 403, message: 'This link is blocked as spam' }, 'policy'],
    [400, { code: 1, message: 'Invalid' }, 'invalid'],
    [404, { code: 40, message: 'Board not found.' }, 'invalid'],
    [301, '', 'config'],
  ]
  test('status and code decide the kind', async () => {
    const media = [await image()]
    for (const [status, body, kind] of cases) {
      suite.ground.fakes.clearScripts()
      suite.ground.answer('commit', status, body)
      const failure = await failureOf(target(media).commit())
      assert.equal(failure.kind, kind, JSON.stringify(body))
      assert.equal(failure.httpStatus, status)
    }
  })

  test('the reset header says until when the account waits, in seconds or as a time', async () => {
    const media = [await image()]
    const epoch = Math.floor(Date.now() / 1000) + 90
    for (const value of ['90', `90, 90;w=60`, String(epoch)]) {
      suite.ground.answer('commit', 429, { code: 8, message: 'Wait' }, { 'x-ratelimit-reset': value })
      const failure = await failureOf(target(media).commit())
      const seconds = (Number(failure.retryAt) - Date.now()) / 1000
      assert.ok(seconds > 80 && seconds <= 90, `${value}: ${seconds}`)
      assert.equal(failure.pauses, 'account')
    }
  })

  test('upload errors of the store are distinguished by status', async () => {
    suite.ground.answer('upload', 503, 'SlowDown')
    assert.equal((await failureOf(target([suite.ground.files.video()]).upload())).kind, 'transient')
    suite.ground.answer('upload', 403, 'AccessDenied')
    assert.equal((await failureOf(target([suite.ground.files.video()]).upload())).kind, 'invalid')
  })
})

describe('pinterest: check', () => {
  const keys = (options: Draft['options'], given: Partial<Draft> = {}) =>
    pinterest
      .check?.({ caption: 'Hi', link: null, media: [], options, capabilities: suite.account.capabilities, ...given })
      .map(({ key }) => key)

  test('the board is one of the suite.account, as far as they are known', () => {
    assert.deepEqual(keys({ boardId: '801' }), [])
    assert.deepEqual(keys({ boardId: '1' }), ['options.boardId'])
    assert.deepEqual(keys({ boardId: '1' }, { capabilities: {} }), [])
  })

  test('a link is an address of at most 2048 characters', () => {
    const long = (length: number) => 'https://example.com/'.padEnd(length, 'a')
    assert.deepEqual(keys({ link: long(2048) }), [])
    assert.deepEqual(keys({ link: long(2049) }), ['options.link'])
    assert.deepEqual(keys({}, { link: long(2049) }), ['options.link'])
    assert.deepEqual(keys({ link: 'no address' }), ['options.link'])
  })

  test('the cover is a moment of the video', () => {
    const video = { kind: 'video', type: 'video/mp4', bytes: 1, width: 1, height: 1, seconds: 10, alt: '' } as const
    assert.deepEqual(keys({ coverKeyFrameSeconds: 10 }, { media: [video] }), [])
    assert.deepEqual(keys({ coverKeyFrameSeconds: 11 }, { media: [video] }), ['options.coverKeyFrameSeconds'])
  })
})
