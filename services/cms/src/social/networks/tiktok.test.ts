import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileOf } from '@stoa/tests/lib/social/files.ts'
import { accountReachOf, draftOf, failureOf } from '@stoa/tests/lib/social/network-ground.ts'
import { groundPerTest } from '@stoa/tests/lib/social/network-suite.ts'
import { bringMedia, dieAfter, ProcessDied, publish } from '@stoa/tests/lib/social/network-target.ts'
import { createFakeTikTok, type FakeTikTokOptions } from '@stoa/tests/lib/social/tiktok.ts'
import type { FailureFacts } from './http/failure.ts'
import { LineCut } from './http/http.ts'
import type { Outgoing } from './network.ts'
import { tiktok } from './tiktok.ts'
import { chunksOf } from './tiktok-publisher.ts'

const NOW = new Date('2026-11-02T10:00:00Z')
const options = { privacyLevel: 'PUBLIC_TO_EVERYONE' }
const suite = groundPerTest('tiktok', tiktok, createFakeTikTok)

const { start } = suite
const ready = async (outgoing: Partial<Outgoing> = {}, facts: FakeTikTokOptions = {}) => {
  const account = await start(facts)
  return suite.ground.publishing(account, { media: [fileOf('video/mp4', 900_000)], options, ...outgoing })
}
const photos = [fileOf('image/jpeg', 1_000), fileOf('image/jpeg', 1_001)]

describe('TikTok: connecting', () => {
  it('finds the account, and what it may choose', async () => {
    const account = await start()
    assert.deepEqual(
      { ...account, tokens: undefined },
      {
        remoteId: 'open-1',
        name: 'Stoa',
        handle: 'stoa',
        avatarUrl: 'https://p16.example/stoa.jpg',
        profileUrl: 'https://www.tiktok.com/@stoa',
        kind: 'profile',
        tokens: undefined,
        capabilities: {
          privacyLevels: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
          maxVideoSec: 300,
        },
      },
    )
    assert.ok(account.tokens.refreshExpiresAt)
    assert.deepEqual(await tiktok.capabilities?.(accountReachOf(suite.ground.reach, account)), account.capabilities)
  })

  it('reads an error that comes with 200, and a scope that was not granted', async () => {
    const account = await start()
    const grant = await suite.ground.consent()
    await tiktok.connect(suite.ground.reach, grant)
    const used = await failureOf(tiktok.connect(suite.ground.reach, grant))
    assert.deepEqual([used.kind, used.code, used.httpStatus], ['auth', 'invalid_grant', 200])
    const less = await suite.ground.consent((url) => url.searchParams.append('decline', 'video.publish'))
    const failure = await failureOf(tiktok.connect(suite.ground.reach, less))
    assert.deepEqual([failure.kind, failure.code], ['auth', 'scope_not_authorized'])
    assert.ok(account)
  })

  it('renews tokens with what comes back, and revokes them', async () => {
    const account = await start()
    const renewed = await tiktok.refresh?.run(suite.ground.reach, account.tokens)
    assert.ok(renewed)
    assert.notEqual(renewed.refreshToken?.reveal(), account.tokens.refreshToken?.reveal())
    await tiktok.revoke?.(suite.ground.reach, renewed)
    const reach = accountReachOf(suite.ground.reach, { ...account, tokens: renewed })
    assert.equal((await failureOf(Promise.resolve(tiktok.capabilities?.(reach)))).kind, 'auth')
  })
})

describe('TikTok: chunks', () => {
  const MB = 1_000_000
  const cases: [size: number, chunkBytes: number, count: number][] = [
    [1, 1, 1],
    [25 * MB, 25 * MB, 1],
    [64 * MB, 64 * MB, 1],
    [64 * MB + 1, 32 * MB, 2],
    [95 * MB, 32 * MB, 2],
    [96 * MB, 32 * MB, 3],
    [4_294_967_296, 32 * MB, 134],
  ]
  for (const [size, chunkBytes, count] of cases)
    it(`cuts ${size} bytes into ${count}`, () => {
      assert.deepEqual(chunksOf(size), { chunkBytes, count })
    })
})

describe('TikTok: posting', () => {
  it('posts a video, and keeps the id before any byte is sent', async () => {
    const publishing = await ready({ caption: 'Look' })
    await tiktok.publisher.upload(publishing)
    assert.equal(typeof publishing.progress.publishId, 'string')
    assert.equal(suite.ground.calls().upload, undefined)
    assert.equal(suite.ground.fakes.posts().length, 0)
    const { posted, confirmed } = await publish(tiktok, publishing)
    const [post] = suite.ground.fakes.posts()
    assert.equal(post?.text, 'Look')
    assert.equal(posted.remoteId, publishing.progress.publishId)
    assert.equal(confirmed?.url, `https://www.tiktok.com/@stoa/video/${post?.id}`)
    assert.deepEqual([suite.ground.calls().initialize, suite.ground.calls().upload], [1, 1])
  })

  it('posts photos by their addresses', async () => {
    const { confirmed } = await publish(
      tiktok,
      await ready({ media: photos, options: { ...options, photoTitle: 'T', autoAddMusic: true } }),
    )
    const [post] = suite.ground.fakes.posts()
    assert.equal(post?.media.length, 2)
    const { title, description, auto_add_music } = (post?.info ?? {}) as Record<string, unknown>
    assert.deepEqual([title, description, auto_add_music], ['T', 'Hello', true])
    assert.equal(confirmed?.url, `https://www.tiktok.com/@stoa/photo/${post?.id}`)
  })

  it('sends every option, and turns off what nobody turned on', async () => {
    const account = await start()
    const post = async (more: Record<string, unknown>) => {
      const media = [fileOf('video/mp4', 900)]
      await publish(tiktok, suite.ground.publishing(account, { media, options: { ...options, ...more } }))
      return suite.ground.fakes.posts()[0]?.info
    }
    assert.deepEqual(await post({}), {
      title: 'Hello',
      privacy_level: 'PUBLIC_TO_EVERYONE',
      disable_comment: true,
      brand_content_toggle: false,
      brand_organic_toggle: false,
      disable_duet: true,
      disable_stitch: true,
      is_aigc: false,
      video_cover_timestamp_ms: 0,
    })
    const all = await post({
      allowComment: true,
      allowDuet: true,
      allowStitch: true,
      brandContent: true,
      brandOrganic: true,
      aiGenerated: true,
    })
    assert.deepEqual(all, {
      title: 'Hello',
      privacy_level: 'PUBLIC_TO_EVERYONE',
      disable_comment: false,
      brand_content_toggle: true,
      brand_organic_toggle: true,
      disable_duet: false,
      disable_stitch: false,
      is_aigc: true,
      video_cover_timestamp_ms: 0,
    })
  })

  it('sends a video or photos to the inbox when asked to', async () => {
    const inbox = { ...options, postMode: 'MEDIA_UPLOAD' }
    const { posted } = await publish(tiktok, await ready({ options: inbox }))
    assert.equal(posted.url, 'https://www.tiktok.com/@stoa')
    assert.equal(suite.ground.calls().inbox, 1)
    const [account] = await suite.ground.connect()
    assert.ok(account)
    await publish(tiktok, suite.ground.publishing(account, { media: photos, options: inbox }))
    assert.equal(suite.ground.fakes.posts().length, 0)
  })

  it('gives the profile until moderation has given out the id', async () => {
    let isModerated = false
    const publishing = await ready({}, { isModerated: () => isModerated, slowness: 1 })
    const { posted, confirmed } = await publish(tiktok, publishing)
    assert.deepEqual([posted.url, confirmed?.url], ['https://www.tiktok.com/@stoa', 'https://www.tiktok.com/@stoa'])
    assert.deepEqual(tiktok.publisher.lookAgain?.afterMs, [600_000, 3_600_000, 21_600_000])
    assert.equal(await tiktok.publisher.lookAgain?.run(publishing, posted), null)
    isModerated = true
    const url = await tiktok.publisher.lookAgain?.run(publishing, posted)
    assert.equal(url, `https://www.tiktok.com/@stoa/video/${suite.ground.fakes.posts()[0]?.id}`)
  })

  it('fails with the reason of TikTok, and starts from the beginning then', async () => {
    const publishing = await ready({}, { failReason: 'frame_rate_check_failed' })
    const failure = await failureOf(publish(tiktok, publishing))
    assert.deepEqual([failure.kind, failure.code], ['invalid', 'frame_rate_check_failed'])
    assert.equal(publishing.progress.publishId, null)
  })

  it('warns when TikTok refuses a post later', async () => {
    const publishing = await ready({}, { failReason: 'spam_risk_text', slowness: 1 })
    const { confirmed } = await publish(tiktok, publishing)
    assert.deepEqual(confirmed?.warnings, ["TikTok couldn't publish the post: spam_risk_text"])
  })

  it('has posted what TikTok took, whatever it answers to the first question after', async () => {
    for (const media of [photos, [fileOf('video/mp4', 900)]]) {
      const publishing = await ready({ media })
      await bringMedia(tiktok, publishing)
      suite.ground.script('status', { status: 401, body: { error: { code: 'access_token_invalid', message: 'no' } } })
      const posted = await tiktok.publisher.commit(publishing)
      assert.equal(posted.remoteId, publishing.progress.publishId)
      assert.equal(suite.ground.fakes.posts().length, 1)
    }
  })

  it('sends large videos in chunks, and goes on from every one', async () => {
    for (const saves of [1, 2]) {
      const publishing = await ready({ media: [fileOf('video/mp4', 65_000_000)] })
      await assert.rejects(bringMedia(tiktok, dieAfter(publishing, saves)), ProcessDied)
      await publish(tiktok, publishing)
      assert.deepEqual([suite.ground.calls().initialize, suite.ground.calls().upload], [1, 2])
      assert.equal(suite.ground.fakes.posts().length, 1)
    }
  })

  it('starts again when an upload has expired', async () => {
    const publishing = await ready()
    await bringMedia(tiktok, publishing)
    suite.ground.script('upload', { status: 403, body: {} })
    assert.equal((await failureOf(tiktok.publisher.commit(publishing))).kind, 'transient')
    await publish(tiktok, publishing)
    assert.deepEqual([suite.ground.calls().initialize, suite.ground.fakes.posts().length], [2, 1])
  })
})

describe('TikTok: when no answer comes', () => {
  it('finds a video that went out, while it is being processed too', async () => {
    for (const slowness of [0, 1]) {
      const publishing = await ready({}, { slowness })
      await bringMedia(tiktok, publishing)
      suite.ground.script('upload', { dropAfter: true })
      await assert.rejects(tiktok.publisher.commit(publishing), LineCut)
      const found = await tiktok.publisher.reconcile(publishing)
      assert.equal(typeof found === 'object' && found.remoteId, publishing.progress.publishId)
    }
  })

  it('sends the rest of a video to the same upload', async () => {
    const publishing = await ready()
    await bringMedia(tiktok, publishing)
    suite.ground.script('upload', { dropBefore: true })
    await assert.rejects(tiktok.publisher.commit(publishing), LineCut)
    assert.equal(await tiktok.publisher.reconcile(publishing), 'not-posted')
    await publish(tiktok, publishing)
    assert.deepEqual([suite.ground.calls().initialize, suite.ground.fakes.posts().length], [1, 1])
  })

  it('does not support photos, and knows that a video without an id was not sent', async () => {
    const publishing = await ready({ media: photos })
    suite.ground.script('commit', { dropAfter: true })
    await assert.rejects(tiktok.publisher.commit(publishing), LineCut)
    assert.equal(await tiktok.publisher.reconcile(publishing), 'unknown')
    assert.equal(await tiktok.publisher.reconcile(await ready()), 'not-posted')
  })

  it('asks about photos whose id is known, and never sends them again', async () => {
    const publishing = await ready({ media: photos })
    await assert.rejects(tiktok.publisher.commit(dieAfter(publishing, 1)), ProcessDied)
    assert.equal(typeof (await tiktok.publisher.reconcile(publishing)), 'object')
    await tiktok.publisher.commit(publishing)
    assert.equal(suite.ground.fakes.posts().length, 1)
  })
})

describe('TikTok: failures', () => {
  const day = new Date('2026-11-03T10:00:00Z')
  const cases: [code: string, expected: Partial<FailureFacts>][] = [
    ['internal_error', { kind: 'transient' }],
    ['photo_pull_failed', { kind: 'transient' }],
    ['rate_limit_exceeded', { kind: 'rate', retryAt: new Date('2026-11-02T10:01:00Z'), pauses: 'account' }],
    ['spam_risk_too_many_posts', { kind: 'rate', retryAt: day, pauses: 'account' }],
    ['spam_risk_too_many_pending_share', { kind: 'rate', retryAt: day }],
    ['reached_active_user_cap', { kind: 'rate', retryAt: day, pauses: 'app' }],
    ['access_token_invalid', { kind: 'auth' }],
    ['scope_permission_missed', { kind: 'auth' }],
    ['spam_risk', { kind: 'policy' }],
    ['spam_risk_user_banned_from_posting', { kind: 'policy' }],
    ['unaudited_client_can_only_post_to_private_accounts', { kind: 'policy' }],
    ['url_ownership_unverified', { kind: 'policy' }],
    ['invalid_params', { kind: 'invalid' }],
  ]
  for (const [code, expected] of cases)
    it(`calls ${code} ${expected.kind}, with a status of 200 too`, async () => {
      const publishing = { ...(await ready({ media: photos })), now: () => NOW }
      suite.ground.script('commit', {
        status: 200,
        body: { data: {}, error: { code, message: 'Words', log_id: 'log' } },
      })
      const failure = await failureOf(tiktok.publisher.commit(publishing))
      const whole = { code, message: 'Words', httpStatus: 200, traceId: 'log', ...expected }
      assert.deepEqual({ ...failure, ...whole }, failure)
      assert.equal(suite.ground.fakes.posts().length, 0)
    })

  it('calls a 5xx transient and a 429 rate, whatever the body is', async () => {
    const publishing = await ready({ media: photos })
    suite.ground.script('commit', { status: 503, body: 'down' })
    assert.equal((await failureOf(tiktok.publisher.commit(publishing))).kind, 'transient')
    suite.ground.script('commit', { status: 429, body: {}, headers: { 'retry-after': '30' } })
    const { kind, retryAt } = await failureOf(tiktok.publisher.commit({ ...publishing, now: () => NOW }))
    assert.deepEqual([kind, retryAt], ['rate', new Date('2026-11-02T10:00:30Z')])
  })
})

describe('TikTok: at save time', () => {
  const capabilities = { privacyLevels: ['SELF_ONLY', 'PUBLIC_TO_EVERYONE'], maxVideoSec: 60 }
  const keysOf = (draft: Record<string, unknown>) =>
    tiktok.check?.(draftOf({ capabilities, ...draft })).map(({ key }) => key)

  it('takes only privacy levels that the account has', () => {
    assert.deepEqual(keysOf({ options: { privacyLevel: 'SELF_ONLY' } }), [])
    assert.deepEqual(keysOf({ options: { privacyLevel: 'FOLLOWER_OF_CREATOR' } }), ['options.privacyLevel'])
    assert.deepEqual(keysOf({ options: { privacyLevel: 'FOLLOWER_OF_CREATOR' }, capabilities: {} }), [])
  })

  it('refuses a paid partnership that nobody sees', () => {
    assert.deepEqual(keysOf({ options: { privacyLevel: 'SELF_ONLY', brandContent: true } }), ['options.privacyLevel'])
  })

  it('refuses a video that is longer than the account may post', () => {
    assert.deepEqual(keysOf({ media: [{ kind: 'video', seconds: 60 }] }), [])
    assert.deepEqual(keysOf({ media: [{ kind: 'video', seconds: 61 }] }), ['media'])
  })
})
