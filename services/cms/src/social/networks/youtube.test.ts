import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import { fileOf } from '@stoa/tests/lib/social/files.ts'
import { draftOf, failureOf } from '@stoa/tests/lib/social/network-ground.ts'
import { groundPerTest } from '@stoa/tests/lib/social/network-suite.ts'
import { bringMedia, dieAfter, ProcessDied, publish } from '@stoa/tests/lib/social/network-target.ts'
import { createFakeYouTube, type FakeYouTubeOptions } from '@stoa/tests/lib/social/youtube.ts'
import type { FailureFacts } from './http/failure.ts'
import { LineCut } from './http/http.ts'
import type { Outgoing } from './network.ts'
import { youtube } from './youtube.ts'

const MB = 2 ** 20
const NOW = new Date('2026-11-02T10:00:00Z')
const options = { title: 'A title', madeForKids: false }
const suite = groundPerTest('youtube', youtube, createFakeYouTube)

const { start } = suite
const ready = async (outgoing: Partial<Outgoing> = {}, facts: FakeYouTubeOptions = {}) => {
  const account = await start(facts)
  return suite.ground.publishing(account, { media: [fileOf('video/mp4', 900_000)], options, ...outgoing })
}

describe('YouTube: connecting', () => {
  it('finds the channel', async () => {
    const account = await start()
    assert.deepEqual(
      { ...account, tokens: undefined },
      {
        remoteId: 'UC-stoa',
        name: 'Stoa',
        handle: 'stoa',
        avatarUrl: 'https://yt3.example/stoa.jpg',
        profileUrl: 'https://www.youtube.com/channel/UC-stoa',
        kind: 'channel',
        capabilities: {},
        tokens: undefined,
      },
    )
  })

  it('says when there is no channel, and when a scope was not granted', async () => {
    assert.equal((await failureOf(start({ hasChannel: false }))).code, 'NO_CHANNEL')
    const less = await suite.ground.consent((url) => url.searchParams.append('decline', String(SCOPE_READ)))
    const failure = await failureOf(youtube.connect(suite.ground.reach, less))
    assert.deepEqual([failure.kind, failure.code], ['auth', 'insufficientPermissions'])
  })

  it('proves with the verifier that it asked', async () => {
    await start()
    const wrong = { ...(await suite.ground.consent()), codeVerifier: new Secret('another') }
    assert.equal((await failureOf(youtube.connect(suite.ground.reach, wrong))).code, 'invalid_grant')
  })

  it('renews tokens again and again with the same refresh token', async () => {
    const { tokens } = await start()
    const renewed = await youtube.refresh?.run(suite.ground.reach, tokens)
    assert.equal(renewed?.refreshToken, null)
    assert.notEqual(renewed?.accessToken.reveal(), tokens.accessToken.reveal())
    assert.ok(await youtube.refresh?.run(suite.ground.reach, tokens))
  })

  it('revokes the connection', async () => {
    const { tokens } = await start()
    await youtube.revoke?.(suite.ground.reach, tokens)
    assert.equal((await failureOf(Promise.resolve(youtube.refresh?.run(suite.ground.reach, tokens)))).kind, 'auth')
  })
})

describe('YouTube: posting', () => {
  it('uploads a video in one piece, and knows its address', async () => {
    const publishing = await ready({ caption: 'About it' })
    await youtube.publisher.upload(publishing)
    assert.equal(suite.ground.calls().upload, undefined)
    assert.equal(typeof publishing.progress.session, 'string')
    const posted = await youtube.publisher.commit(publishing)
    const [video] = suite.ground.fakes.posts()
    assert.deepEqual(posted, { remoteId: video?.id, url: `https://www.youtube.com/watch?v=${video?.id}` })
    assert.equal(video?.text, 'About it')
    assert.deepEqual([suite.ground.calls().initialize, suite.ground.calls().upload], [1, 1])
  })

  it('sends every option, and means what nobody chose', async () => {
    const account = await start()
    const send = async (chosen: Record<string, unknown>) => {
      const media = [fileOf('video/mp4', 900)]
      await publish(youtube, suite.ground.publishing(account, { media, options: chosen }))
      const [video] = suite.ground.fakes.posts()
      return { snippet: video?.snippet, status: video?.status, notify: video?.notify }
    }
    assert.deepEqual(await send(options), {
      snippet: { title: 'A title', description: 'Hello', categoryId: '22' },
      status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
      notify: 'true',
    })
    const chosen = {
      title: 'Other',
      madeForKids: true,
      tags: ['a', 'b c'],
      privacyStatus: 'unlisted',
      categoryId: '27',
      notifySubscribers: false,
    }
    assert.deepEqual(await send(chosen), {
      snippet: { title: 'Other', description: 'Hello', tags: ['a', 'b c'], categoryId: '27' },
      status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: true },
      notify: 'false',
    })
  })

  it('sets the thumbnail, and warns when that fails: the video is out', async () => {
    const image = fileOf('image/jpeg', 700)
    const outgoing = { options: { ...options, thumbnailMediaId: 'm1' }, optionMedia: async () => image }
    assert.deepEqual((await publish(youtube, await ready(outgoing))).confirmed?.warnings, [])
    assert.equal(suite.ground.fakes.posts()[0]?.thumbnail, 700)
    const publishing = await ready(outgoing)
    suite.ground.script('thumbnail', { status: 403, body: { error: { message: 'Verify your phone' } } })
    const { confirmed } = await publish(youtube, publishing)
    assert.deepEqual(confirmed?.warnings, ["The thumbnail wasn't set: Verify your phone"])
    const gone = await publish(youtube, await ready({ ...outgoing, optionMedia: async () => null }))
    assert.equal(gone.confirmed?.warnings.length, 1)
  })

  it('warns when YouTube rejects the video or makes it private', async () => {
    const rejected = await publish(youtube, await ready({}, { uploadStatus: 'rejected' }))
    assert.deepEqual(rejected.confirmed?.warnings, ['YouTube rejected the video: duplicate'])
    const hidden = await publish(youtube, await ready({}, { isUnaudited: true }))
    assert.match(hidden.confirmed?.warnings[0] ?? '', /private/)
  })

  it('goes on where YouTube stopped taking bytes', async () => {
    const publishing = await ready({ media: [fileOf('video/mp4', 3 * MB)] }, { takesBytes: MB })
    await publish(youtube, publishing)
    assert.deepEqual([suite.ground.calls().upload, suite.ground.fakes.posts().length], [3, 1])
  })

  it('gives up for now when YouTube takes no bytes at all', async () => {
    const publishing = await ready({ media: [fileOf('video/mp4', 33 * MB)] }, { takesBytes: 0 })
    const failure = await failureOf(publish(youtube, publishing))
    assert.deepEqual([failure.kind, failure.code], ['transient', 'NO_PROGRESS'])
    assert.equal(suite.ground.calls().upload, 1)
  })

  it('uploads large videos in chunks, and goes on from every point where the process died', async () => {
    for (const saves of [1, 2]) {
      const publishing = await ready({ media: [fileOf('video/mp4', 33 * MB)] })
      await assert.rejects(bringMedia(youtube, dieAfter(publishing, saves)), ProcessDied)
      await publish(youtube, publishing)
      // One of them asks how far the upload is.
      assert.deepEqual([suite.ground.calls().initialize, suite.ground.calls().upload], [1, 3], `after ${saves}`)
      assert.equal(suite.ground.fakes.posts().length, 1)
    }
  })

  it('starts a new upload when the old one is gone', async () => {
    const publishing = await ready()
    await youtube.publisher.upload(publishing)
    suite.ground.script('upload', { status: 410, body: '' })
    assert.equal((await failureOf(youtube.publisher.commit(publishing))).kind, 'transient')
    await publish(youtube, publishing)
    assert.deepEqual([suite.ground.calls().initialize, suite.ground.fakes.posts().length], [2, 1])
    const probed = await ready()
    await youtube.publisher.upload(probed)
    suite.ground.script('upload', { status: 404, body: '' })
    await publish(youtube, probed)
    assert.deepEqual([suite.ground.calls().initialize, suite.ground.fakes.posts().length], [2, 1])
  })
})

describe('YouTube: when no answer comes', () => {
  it('learns from the session that the video is there', async () => {
    const publishing = await ready()
    await youtube.publisher.upload(publishing)
    suite.ground.script('upload', { dropAfter: true })
    await assert.rejects(youtube.publisher.commit(publishing), LineCut)
    const found = await youtube.publisher.reconcile(publishing)
    assert.equal(typeof found === 'object' && found.remoteId, suite.ground.fakes.posts()[0]?.id)
    await publish(youtube, publishing)
    assert.equal(suite.ground.fakes.posts().length, 1)
  })

  it('learns from the session that the video is not there, and sends it', async () => {
    const publishing = await ready()
    assert.equal(await youtube.publisher.reconcile(publishing), 'not-posted')
    await youtube.publisher.upload(publishing)
    suite.ground.script('upload', { dropBefore: true })
    await assert.rejects(youtube.publisher.commit(publishing), LineCut)
    assert.equal(await youtube.publisher.reconcile(publishing), 'not-posted')
    await publish(youtube, publishing)
    assert.deepEqual([suite.ground.calls().initialize, suite.ground.fakes.posts().length], [1, 1])
  })

  it('takes a session that is gone for not posted', async () => {
    const publishing = await ready()
    await youtube.publisher.upload(publishing)
    suite.ground.script('upload', { status: 404, body: '' })
    assert.equal(await youtube.publisher.reconcile(publishing), 'not-posted')
    assert.equal(publishing.progress.session, null)
  })
})

describe('YouTube: failures', () => {
  const midnight = new Date('2026-11-03T08:00:00Z')
  const cases: [status: number, reason: string, expected: Partial<FailureFacts>][] = [
    [500, 'backendError', { kind: 'transient' }],
    [503, '', { kind: 'transient', code: 'HTTP_503' }],
    [400, 'processingFailure', { kind: 'transient' }],
    [403, 'quotaExceeded', { kind: 'rate', retryAt: midnight, pauses: 'app' }],
    [403, 'rateLimitExceeded', { kind: 'rate', retryAt: new Date('2026-11-02T10:02:00Z'), pauses: 'account' }],
    [400, 'uploadLimitExceeded', { kind: 'rate', retryAt: new Date('2026-11-03T10:00:00Z'), pauses: 'account' }],
    [401, 'authError', { kind: 'auth' }],
    [401, 'youtubeSignupRequired', { kind: 'auth' }],
    [403, 'forbidden', { kind: 'policy' }],
    [403, 'accessNotConfigured', { kind: 'config' }],
    [400, 'invalidTitle', { kind: 'invalid' }],
    [400, 'invalidDescription', { kind: 'invalid' }],
  ]
  for (const [status, reason, expected] of cases)
    it(`calls ${status} ${reason} ${expected.kind}`, async () => {
      const publishing = { ...(await ready()), now: () => NOW }
      const errors = reason === '' ? [] : [{ reason, message: 'Words' }]
      const headers = { 'retry-after': '120' }
      suite.ground.script('initialize', {
        status,
        headers,
        body: { error: { code: status, message: 'Words', errors } },
      })
      const failure = await failureOf(youtube.publisher.upload(publishing))
      const whole = { ...(reason && { code: reason }), message: 'Words', httpStatus: status, ...expected }
      assert.deepEqual({ ...failure, ...whole }, failure)
    })
})

describe('YouTube: at save time', () => {
  const keysOf = (draft: Record<string, unknown>) => youtube.check?.(draftOf(draft)).map(({ key }) => key)

  it('refuses angle brackets in the description, the title and tags', () => {
    assert.deepEqual(keysOf({ caption: 'a < b', options: { title: 'c > d', tags: ['<e>'] } }), [
      'caption',
      'options.title',
      'options.tags',
    ])
    assert.deepEqual(keysOf({ caption: 'a', options: { title: 'b', tags: ['c'] } }), [])
  })

  it('takes tags of 500 characters together, with commas and the quotes of tags with spaces', () => {
    assert.deepEqual(keysOf({ options: { tags: ['a'.repeat(249), 'b'.repeat(250)] } }), [])
    assert.deepEqual(keysOf({ options: { tags: ['a'.repeat(250), 'b'.repeat(250)] } }), ['options.tags'])
    assert.deepEqual(keysOf({ options: { tags: ['a b'.padEnd(498, 'c')] } }), [])
    assert.deepEqual(keysOf({ options: { tags: ['a b'.padEnd(499, 'c')] } }), ['options.tags'])
  })
})

const SCOPE_READ = youtube.oauth.endpoints.scopes[1]
