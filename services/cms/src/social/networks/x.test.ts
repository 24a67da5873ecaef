import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import { fileOf } from '@stoa/tests/lib/social/files.ts'
import { accountReachOf, draftOf, failureOf } from '@stoa/tests/lib/social/network-ground.ts'
import { groundPerTest } from '@stoa/tests/lib/social/network-suite.ts'
import { bringMedia, dieAfter, ProcessDied, publish } from '@stoa/tests/lib/social/network-target.ts'
import { createFakeX, type FakeXOptions } from '@stoa/tests/lib/social/x.ts'
import type { FailureFacts } from './http/failure.ts'
import { LineCut } from './http/http.ts'
import type { Outgoing } from './network.ts'
import { x } from './x.ts'

const MB = 2 ** 20
const NOW = new Date('2026-11-02T10:00:00Z')
const suite = groundPerTest('x', x, createFakeX)

const { start } = suite
const ready = async (outgoing: Partial<Outgoing>, options: FakeXOptions = {}) => {
  const account = await start(options)
  return suite.ground.publishing(account, outgoing)
}

describe('X: connecting', () => {
  it('finds the one account, with tokens and scopes', async () => {
    const account = await start()
    assert.deepEqual(
      { ...account, tokens: undefined },
      {
        remoteId: '1001',
        name: 'Stoa',
        handle: 'stoa',
        avatarUrl: 'https://pbs.example/stoa.jpg',
        profileUrl: 'https://x.com/stoa',
        kind: 'profile',
        capabilities: {},
        tokens: undefined,
      },
    )
    assert.equal(account.tokens.refreshToken?.reveal().startsWith('refresh-'), true)
    assert.ok(account.tokens.accessExpiresAt)
  })

  it('knows longer posts only of accounts that have them', async () => {
    assert.deepEqual((await start({ verifiedType: 'blue' })).capabilities, { captionMax: 25_000 })
    const account = await start({ verifiedType: 'government' })
    assert.deepEqual(await x.capabilities?.(accountReachOf(suite.ground.reach, account)), {})
  })

  it('says which scopes were granted', async () => {
    await start()
    const grant = await suite.ground.consent((url) => url.searchParams.append('decline', 'media.write'))
    const [account] = await x.connect(suite.ground.reach, grant)
    assert.deepEqual(account?.tokens.scopes, ['tweet.read', 'tweet.write', 'users.read', 'offline.access'])
  })

  it('fails with a verifier that does not fit, and with a code that is used or older than 30 seconds', async () => {
    await start()
    const wrong = { ...(await suite.ground.consent()), codeVerifier: new Secret('another') }
    assert.equal((await failureOf(x.connect(suite.ground.reach, wrong))).code, 'invalid_grant')
    const grant = await suite.ground.consent()
    await x.connect(suite.ground.reach, grant)
    assert.equal((await failureOf(x.connect(suite.ground.reach, grant))).kind, 'auth')
    let time = 0
    await start({ now: () => time })
    const late = await suite.ground.consent()
    time += 30_000
    assert.equal((await failureOf(x.connect(suite.ground.reach, late))).kind, 'auth')
  })

  it('names a wrong secret as a matter of the settings', async () => {
    await start()
    const reach = { ...suite.ground.reach, clientSecret: new Secret('wrong') }
    assert.equal((await failureOf(x.connect(reach, await suite.ground.consent()))).kind, 'config')
  })

  it('renews tokens, and the old refresh token is worth nothing then', async () => {
    const { tokens } = await start()
    const renewed = await x.refresh?.run(suite.ground.reach, tokens)
    assert.notEqual(renewed?.refreshToken?.reveal(), tokens.refreshToken?.reveal())
    assert.deepEqual(renewed?.scopes, tokens.scopes)
    assert.equal((await failureOf(Promise.resolve(x.refresh?.run(suite.ground.reach, tokens)))).code, 'invalid_grant')
  })

  it('revokes both tokens', async () => {
    const account = await start()
    await x.revoke?.(suite.ground.reach, account.tokens)
    assert.equal(suite.ground.calls().revoke, 2)
    assert.equal((await failureOf(publish(x, suite.ground.publishing(account)))).kind, 'auth')
  })
})

describe('X: posting', () => {
  it('posts text, and knows its address', async () => {
    const { posted } = await publish(x, await ready({ caption: 'Hello' }))
    const [post] = suite.ground.fakes.posts()
    assert.equal(post?.text, 'Hello')
    assert.deepEqual(posted, { remoteId: post?.id, url: `https://x.com/stoa/status/${post?.id}` })
  })

  it('posts four images in order with alt text, and asks X nothing more', async () => {
    const media = ['one', 'two', '', 'four'].map((alt) => fileOf('image/jpeg', 2_000, alt))
    const publishing = await ready({ media })
    await publish(x, publishing)
    const [post] = suite.ground.fakes.posts()
    assert.deepEqual(post?.alts, ['one', 'two', null, 'four'])
    assert.equal(post?.media.length, 4)
    const { upload, alt, status, commit } = suite.ground.calls()
    assert.deepEqual({ upload, alt, status, commit }, { upload: 4, alt: 3, status: undefined, commit: 1 })
  })

  it('posts a video in segments of at most 5 MB, and waits for X', async () => {
    const publishing = await ready({ media: [fileOf('video/mp4', 9 * MB)] }, { slowness: 2 })
    await publish(x, publishing)
    assert.equal(suite.ground.fakes.posts().length, 1)
    const { initialize, append, finalize, status } = suite.ground.calls()
    assert.deepEqual({ initialize, append, finalize, status }, { initialize: 1, append: 3, finalize: 1, status: 3 })
  })

  it('posts a GIF as such, with its alt text', async () => {
    await publish(x, await ready({ media: [fileOf('image/gif', 3_000, 'a cat')] }))
    assert.deepEqual(suite.ground.fakes.posts()[0]?.alts, ['a cat'])
    assert.equal(suite.ground.calls().status, undefined)
  })

  it('sends every option, and leaves out who can reply when it is everyone', async () => {
    const account = await start()
    const options = { replySettings: 'verified', madeWithAi: true, paidPartnership: true }
    await publish(x, suite.ground.publishing(account, { options }))
    await publish(x, suite.ground.publishing(account, { caption: 'Other', options: { replySettings: 'everyone' } }))
    const seen = suite.ground.fakes.posts().map((post) => [post.replySettings, post.madeWithAi, post.paidPartnership])
    assert.deepEqual(seen, [
      [null, false, false],
      ['verified', true, true],
    ])
  })

  it('fails with the words of X when a video cannot be processed', async () => {
    const publishing = await ready({ media: [fileOf('video/mp4', MB)] }, { isFailing: true, slowness: 1 })
    const failure = await failureOf(publish(x, publishing))
    assert.deepEqual([failure.kind, failure.code, failure.message], ['invalid', 'InvalidMedia', 'Bad video'])
    assert.equal(suite.ground.fakes.posts().length, 0)
  })

  it('goes on from every point where the process died, and uploads nothing twice', async () => {
    const media = [fileOf('video/mp4', 9 * MB)]
    for (let saves = 1; saves <= 6; saves += 1) {
      const publishing = await ready({ media }, { slowness: 1 })
      await assert.rejects(bringMedia(x, dieAfter(publishing, saves)), ProcessDied)
      await publish(x, publishing)
      const { initialize, append, finalize } = suite.ground.calls()
      assert.deepEqual({ initialize, append, finalize }, { initialize: 1, append: 3, finalize: 1 }, `after ${saves}`)
      assert.equal(suite.ground.fakes.posts().length, 1)
    }
    const images = [fileOf('image/png', 900, 'a'), fileOf('image/png', 901, 'b')]
    for (let saves = 1; saves <= 4; saves += 1) {
      const publishing = await ready({ media: images })
      await assert.rejects(bringMedia(x, dieAfter(publishing, saves)), ProcessDied)
      await publish(x, publishing)
      assert.deepEqual([suite.ground.calls().upload, suite.ground.calls().alt], [2, 2])
    }
  })

  it('uploads again what X has forgotten after a day', async () => {
    const publishing = await ready({ media: [fileOf('image/png', 900)] })
    await x.publisher.upload(publishing)
    const later = { ...publishing, now: () => new Date(Date.now() + 86_400_001) }
    await x.publisher.upload(later)
    assert.equal(suite.ground.calls().upload, 2)
  })
})

describe('X: when no answer comes', () => {
  it('finds a post that went out, with short addresses and files in its text', async () => {
    const cases: Partial<Outgoing>[] = [
      { caption: 'Plain' },
      { caption: 'Fish & <chips> https://example.com/a/b?c=d' },
      { caption: 'With a file', media: [fileOf('image/png', 900)] },
    ]
    for (const outgoing of cases) {
      const publishing = await ready(outgoing)
      await bringMedia(x, publishing)
      suite.ground.script('commit', { dropAfter: true })
      await assert.rejects(x.publisher.commit(publishing), LineCut)
      const found = await x.publisher.reconcile(publishing)
      assert.ok(typeof found === 'object', outgoing.caption)
      assert.equal(found.remoteId, suite.ground.fakes.posts()[0]?.id)
    }
  })

  it('says that a post did not go out when the line was cut before', async () => {
    const publishing = await ready({})
    suite.ground.script('commit', { dropBefore: true })
    await assert.rejects(x.publisher.commit(publishing), LineCut)
    assert.equal(await x.publisher.reconcile(publishing), 'not-posted')
    assert.equal(suite.ground.fakes.posts().length, 0)
  })

  it('takes no older post of the same text for it', async () => {
    const account = await start()
    await publish(x, suite.ground.publishing(account))
    const publishing = suite.ground.publishing(account, { since: new Date(Date.now() + 120_000) })
    assert.equal(await x.publisher.reconcile(publishing), 'not-posted')
  })

  it('takes no post with another link for it', async () => {
    const account = await start()
    await publish(x, suite.ground.publishing(account, { caption: 'https://example.com/one' }))
    const publishing = suite.ground.publishing(account, { caption: 'https://example.com/two' })
    assert.equal(await x.publisher.reconcile(publishing), 'not-posted')
  })

  it('does not know when too much was posted since', async () => {
    const account = await start()
    const publishing = suite.ground.publishing(account, { caption: 'Mine' })
    for (const caption of ['a', 'b', 'c', 'd', 'e']) await publish(x, suite.ground.publishing(account, { caption }))
    assert.equal(await x.publisher.reconcile(publishing), 'unknown')
  })

  it('knows a duplicate as one', async () => {
    const account = await start()
    await publish(x, suite.ground.publishing(account))
    const failure = await failureOf(publish(x, suite.ground.publishing(account)))
    assert.deepEqual([failure.kind, failure.httpStatus], ['duplicate', 403])
    assert.equal(suite.ground.fakes.posts().length, 1)
  })
})

describe('X: failures', () => {
  const reset = String(NOW.getTime() / 1_000 + 900)
  const retryAt = new Date('2026-11-02T10:15:00Z')
  const usedUp = 'https://api.x.com/2/problems/usage-capped'
  const cases: [string, { status: number; body?: unknown; headers?: Record<string, string> }, Partial<FailureFacts>][] =
    [
      ['a server error', { status: 503, body: 'busy' }, { kind: 'transient', code: 'HTTP_503' }],
      [
        'a rate limit',
        { status: 429, body: { title: 'Too Many Requests' }, headers: { 'x-rate-limit-reset': reset } },
        { kind: 'rate', message: 'Too Many Requests', retryAt, pauses: 'account' },
      ],
      [
        'the daily limit of the person',
        {
          status: 429,
          headers: {
            'x-rate-limit-reset': '1',
            'x-user-limit-24hour-remaining': '0',
            'x-user-limit-24hour-reset': reset,
          },
        },
        { kind: 'rate', retryAt, pauses: 'account' },
      ],
      [
        'the daily limit of the app',
        { status: 429, headers: { 'x-app-limit-24hour-remaining': '0', 'x-app-limit-24hour-reset': reset } },
        { kind: 'rate', retryAt, pauses: 'app' },
      ],
      ['a wait in seconds', { status: 429, headers: { 'retry-after': '900' } }, { kind: 'rate', retryAt }],
      [
        'a token that ended',
        { status: 401, body: { detail: 'Unauthorized' } },
        { kind: 'auth', message: 'Unauthorized' },
      ],
      [
        'a suspended account',
        { status: 403, body: { detail: 'User is suspended', type: 'https://api.x.com/2/problems/user-suspended' } },
        { kind: 'policy', code: 'user-suspended', message: 'User is suspended' },
      ],
      ['used-up credits', { status: 402, body: { title: 'CreditsDepleted' } }, { kind: 'billing' }],
      [
        'a usage cap',
        { status: 403, body: { type: usedUp, detail: 'Usage cap' } },
        { kind: 'billing', code: 'usage-capped' },
      ],
      [
        'a bad request',
        { status: 400, body: { errors: [{ message: 'text is too long' }], title: 'Invalid Request' } },
        { kind: 'invalid', message: 'text is too long', httpStatus: 400 },
      ],
    ]
  for (const [name, behave, expected] of cases)
    it(`calls ${name} ${expected.kind}`, async () => {
      const account = await start()
      suite.ground.script('commit', { headers: { 'x-transaction-id': 'trace-1' }, ...behave })
      const publishing = { ...suite.ground.publishing(account), now: () => NOW }
      const failure = await failureOf(x.publisher.commit(publishing))
      assert.deepEqual({ ...failure, ...expected }, failure)
    })

  it('keeps what the support of X asks for', async () => {
    const account = await start()
    suite.ground.script('commit', { status: 400, body: {}, headers: { 'x-transaction-id': 'trace-1' } })
    assert.equal((await failureOf(x.publisher.commit(suite.ground.publishing(account)))).traceId, 'trace-1')
  })
})

describe('X: at save time', () => {
  it('allows one cashtag', () => {
    const problems = (caption: string) => x.check?.(draftOf({ caption })).length
    assert.equal(problems('$TSLA is up, costs $5 and US$AB'), 0)
    assert.equal(problems('$TSLA and $goog'), 1)
  })

  it('allows a GIF only by itself', () => {
    const gif = { kind: 'image', type: 'image/gif' }
    assert.equal(x.check?.(draftOf({ media: [gif] } as never)).length, 0)
    assert.equal(x.check?.(draftOf({ media: [gif, { kind: 'image', type: 'image/png' }] } as never))[0]?.key, 'media')
  })
})
