import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileOf } from '@stoa/tests/lib/social/files.ts'
import { createFakeLinkedIn, type FakeLinkedInOptions } from '@stoa/tests/lib/social/linkedin.ts'
import { failureOf } from '@stoa/tests/lib/social/network-ground.ts'
import { groundPerTest } from '@stoa/tests/lib/social/network-suite.ts'
import { bringMedia, dieAfter, ProcessDied, publish } from '@stoa/tests/lib/social/network-target.ts'
import type { FailureFacts } from './http/failure.ts'
import { LineCut } from './http/http.ts'
import { linkedin } from './linkedin.ts'
import { escapeLittleText } from './linkedin-publisher.ts'
import type { Network, Outgoing } from './network.ts'

const MB = 2 ** 20
const NOW = new Date('2026-11-02T10:00:00Z')
const PAGE_SCOPES = [
  'r_basicprofile',
  'w_member_social',
  'w_organization_social',
  'r_organization_social',
  'rw_organization_admin',
]
const forPages: Network = {
  ...linkedin,
  oauth: { ...linkedin.oauth, endpoints: { ...linkedin.oauth.endpoints, scopes: PAGE_SCOPES } },
}
const suite = groundPerTest('linkedin', linkedin, createFakeLinkedIn)

const asMember = async (outgoing: Partial<Outgoing> = {}, options: FakeLinkedInOptions = {}) => {
  const [member] = await suite.connect(options)
  assert.ok(member)
  return suite.ground.publishing(member, outgoing)
}
const asPage = async (outgoing: Partial<Outgoing> = {}, options: FakeLinkedInOptions = {}) => {
  const page = (await suite.connect(options, forPages)).find(({ kind }) => kind === 'organization')
  assert.ok(page)
  return suite.ground.publishing(page, outgoing)
}

describe('LinkedIn: connecting', () => {
  it('finds the person, with the scopes that were granted', async () => {
    const [member, ...more] = await suite.connect()
    assert.equal(more.length, 0)
    assert.deepEqual(
      [member?.remoteId, member?.name, member?.avatarUrl, member?.kind],
      ['urn:li:person:p1', 'Ada Page', 'https://media.example/ada.jpg', 'profile'],
    )
    assert.deepEqual(member?.tokens.scopes, ['openid', 'profile', 'w_member_social'])
    assert.equal(member?.tokens.refreshToken, null)
  })

  it('finds the pages that the person may post for, where the app is one for pages', async () => {
    const accounts = await suite.connect({}, forPages)
    assert.deepEqual(
      accounts.map(({ remoteId, name, handle, kind }) => [remoteId, name, handle, kind]),
      [
        ['urn:li:person:p1', 'Ada Page', null, 'profile'],
        ['urn:li:organization:77', 'Stoa Ltd', 'stoa-ltd', 'organization'],
        ['urn:li:organization:78', 'Stoa Labs', 'stoa-labs', 'organization'],
      ],
    )
  })

  it('says that nothing can be posted when LinkedIn dropped the scopes', async () => {
    await suite.connect()
    const grant = await suite.ground.consent((url) => url.searchParams.append('decline', 'w_member_social'))
    const failure = await failureOf(linkedin.connect(suite.ground.reach, grant))
    assert.deepEqual([failure.kind, failure.code], ['config', 'NO_ACCOUNTS'])
  })

  it('cannot renew tokens without a refresh token, and asks nobody', async () => {
    const [member] = await suite.connect()
    assert.ok(member && linkedin.refresh)
    const before = suite.ground.calls().token
    assert.equal((await failureOf(linkedin.refresh.run(suite.ground.reach, member.tokens))).kind, 'auth')
    assert.equal(suite.ground.calls().token, before)
  })

  it('revokes the token', async () => {
    const [member] = await suite.connect()
    assert.ok(member)
    await linkedin.revoke?.(suite.ground.reach, member.tokens)
    assert.equal((await failureOf(publish(linkedin, suite.ground.publishing(member)))).kind, 'auth')
  })
})

describe('LinkedIn: little text', () => {
  const cases: [string, string][] = [
    ['Plain text.', 'Plain text.'],
    [
      'a (b) [c] {d} <e> |f| *g* _h_ ~i~ @j \\k',
      'a \\(b\\) \\[c\\] \\{d\\} \\<e\\> \\|f\\| \\*g\\* \\_h\\_ \\~i\\~ \\@j \\\\k',
    ],
    ['#stoa and #день and #snake_case', '#stoa and #день and #snake_case'],
    ['# alone, C# and a#b', '\\# alone, C\\# and a\\#b'],
  ]
  for (const [text, escaped] of cases)
    it(`writes ${text}`, () => {
      assert.equal(escapeLittleText(text), escaped)
    })
})

describe('LinkedIn: posting', () => {
  it('posts text, escaped for LinkedIn, and knows its address', async () => {
    const caption = 'Hello (all) _now_ #stoa https://example.com/a_b'
    const { posted } = await publish(linkedin, await asMember({ caption }))
    const [post] = suite.ground.fakes.posts()
    assert.equal(post?.text, caption)
    assert.deepEqual([post?.visibility, post?.isReshareDisabled], ['PUBLIC', false])
    assert.deepEqual(posted, { remoteId: post?.id, url: `https://www.linkedin.com/feed/update/${post?.id}` })
  })

  it('posts one image, and many, with alt text', async () => {
    await publish(linkedin, await asMember({ media: [fileOf('image/png', 800, 'one')] }))
    assert.deepEqual(suite.ground.fakes.posts()[0]?.alts, ['one'])
    const media = ['a', '', 'c'].map((alt) => fileOf('image/jpeg', 900, alt))
    await publish(forPages, await asPage({ media }, { slowness: 1 }))
    assert.deepEqual(suite.ground.fakes.posts()[0]?.alts, ['a', null, 'c'])
    assert.equal(suite.ground.fakes.posts()[0]?.account, 'urn:li:organization:77')
  })

  it('gives the images of a person some time, because it may not ask', async () => {
    const publishing = await asMember({ media: [fileOf('image/png', 800)] })
    await linkedin.publisher.upload(publishing)
    assert.equal(await linkedin.publisher.wait?.(publishing), 'processing')
    assert.equal(await linkedin.publisher.wait?.(publishing), 'ready')
    assert.equal(suite.ground.calls().status, undefined)
  })

  it('calls an image that is still being processed a matter of time, and posts it then', async () => {
    const publishing = await asMember({ media: [fileOf('image/png', 800)] }, { slowness: 1 })
    assert.equal((await failureOf(publish(linkedin, publishing))).kind, 'transient')
    await publish(linkedin, publishing)
    assert.deepEqual([suite.ground.calls().upload, suite.ground.fakes.posts().length], [1, 1])
  })

  it('uploads a video to all of its addresses, and waits for LinkedIn', async () => {
    await publish(linkedin, await asMember({ media: [fileOf('video/mp4', 9 * MB)] }, { slowness: 2 }))
    const { video, upload, status } = suite.ground.calls()
    assert.deepEqual({ video, upload, status }, { video: 2, upload: 3, status: 3 })
    assert.equal(suite.ground.fakes.posts()[0]?.media.length, 1)
  })

  it('fails with the words of LinkedIn when a video cannot be processed', async () => {
    const publishing = await asMember({ media: [fileOf('video/mp4', MB)] }, { isFailing: true })
    const failure = await failureOf(publish(linkedin, publishing))
    assert.deepEqual([failure.kind, failure.message], ['invalid', 'Codec is not supported'])
    assert.equal(suite.ground.fakes.posts().length, 0)
  })

  it('sends every option, and the first comment once', async () => {
    const options = { visibility: 'CONNECTIONS', disableReshare: true, firstComment: 'More here' }
    const publishing = await asMember({ options })
    const { posted, confirmed } = await publish(linkedin, publishing)
    await linkedin.publisher.confirm?.(publishing, posted)
    const [post] = suite.ground.fakes.posts()
    assert.deepEqual([post?.visibility, post?.isReshareDisabled, post?.comments], ['CONNECTIONS', true, ['More here']])
    assert.deepEqual(confirmed?.warnings, [])
  })

  it('warns when the first comment fails: the post is out', async () => {
    const publishing = await asMember({ options: { firstComment: 'More' } })
    suite.ground.script('comment', { status: 403, body: { message: 'Comments are off' } })
    const { confirmed } = await publish(linkedin, publishing)
    assert.deepEqual(confirmed?.warnings, ["The first comment couldn't be added: Comments are off"])
    assert.equal(suite.ground.fakes.posts().length, 1)
  })

  it('goes on from every point where the process died, and uploads nothing twice', async () => {
    for (let saves = 1; saves <= 5; saves += 1) {
      const publishing = await asMember({ media: [fileOf('video/mp4', 9 * MB)] })
      await assert.rejects(bringMedia(linkedin, dieAfter(publishing, saves)), ProcessDied)
      await publish(linkedin, publishing)
      assert.deepEqual([suite.ground.calls().video, suite.ground.calls().upload], [2, 3], `after ${saves}`)
    }
    for (let saves = 1; saves <= 2; saves += 1) {
      const publishing = await asMember({ media: [fileOf('image/png', 800), fileOf('image/png', 801)] })
      await assert.rejects(bringMedia(linkedin, dieAfter(publishing, saves)), ProcessDied)
      await publish(linkedin, publishing)
      assert.equal(suite.ground.calls().upload, 2)
    }
  })
})

describe('LinkedIn: when no answer comes', () => {
  it('finds the post of a page', async () => {
    const publishing = await asPage({ caption: 'Hello (page) #stoa' })
    suite.ground.script('commit', { dropAfter: true })
    await assert.rejects(linkedin.publisher.commit(publishing), LineCut)
    const found = await linkedin.publisher.reconcile(publishing)
    assert.equal(typeof found === 'object' && found.remoteId, suite.ground.fakes.posts()[0]?.id)
  })

  it('says that the post of a page did not go out', async () => {
    const publishing = await asPage()
    suite.ground.script('commit', { dropBefore: true })
    await assert.rejects(linkedin.publisher.commit(publishing), LineCut)
    assert.equal(await linkedin.publisher.reconcile(publishing), 'not-posted')
  })

  it('does not know it of a person, and asks nothing', async () => {
    const publishing = await asMember()
    suite.ground.script('commit', { dropAfter: true })
    await assert.rejects(linkedin.publisher.commit(publishing), LineCut)
    assert.equal(await linkedin.publisher.reconcile(publishing), 'unknown')
    assert.equal(suite.ground.calls().list, undefined)
  })

  it('learns from a duplicate which post is live', async () => {
    const publishing = await asMember()
    const { posted } = await publish(linkedin, publishing)
    const failure = await failureOf(linkedin.publisher.commit(publishing))
    assert.deepEqual([failure.kind, failure.existingId], ['duplicate', posted.remoteId])
    assert.equal(suite.ground.fakes.posts().length, 1)
  })
})

describe('LinkedIn: failures', () => {
  const midnight = new Date('2026-11-03T00:00:00Z')
  const cases: [string, { status: number; body?: unknown; headers?: Record<string, string> }, Partial<FailureFacts>][] =
    [
      ['a server error', { status: 502, body: 'bad' }, { kind: 'transient' }],
      ['a passing refusal', { status: 400, body: { message: 'Unable to obtain activity' } }, { kind: 'transient' }],
      [
        'the daily limit',
        { status: 429, body: { message: 'Limit' } },
        { kind: 'rate', retryAt: midnight, pauses: 'account' },
      ],
      [
        'a limit with a wait',
        { status: 429, headers: { 'retry-after': '60' } },
        { kind: 'rate', retryAt: new Date('2026-11-02T10:01:00Z') },
      ],
      ['a token that ended', { status: 401, body: { serviceErrorCode: 65_601, message: 'Revoked' } }, { kind: 'auth' }],
      [
        'a token by its code',
        { status: 400, body: { serviceErrorCode: 65_600, message: 'Invalid' } },
        { kind: 'auth' },
      ],
      [
        'a missing permission',
        { status: 403, body: { code: 'ACCESS_DENIED', message: 'No' } },
        { kind: 'auth', code: 'ACCESS_DENIED' },
      ],
      ['another refusal', { status: 403, body: { message: 'Member is restricted' } }, { kind: 'policy' }],
      [
        'a version that ended',
        { status: 426, body: { code: 'NONEXISTENT_VERSION', message: 'Gone' } },
        { kind: 'config' },
      ],
      [
        'a version by its code',
        { status: 400, body: { code: 'NONEXISTENT_VERSION', message: 'Gone' } },
        { kind: 'config' },
      ],
      [
        'a wrong member',
        { status: 422, body: { message: 'commentary is too long' } },
        { kind: 'invalid', message: 'commentary is too long' },
      ],
      [
        'an id with the digits of a code',
        { status: 400, body: { message: 'No urn:li:share:65600429' } },
        { kind: 'invalid' },
      ],
    ]
  for (const [name, behave, expected] of cases)
    it(`calls ${name} ${expected.kind}`, async () => {
      const publishing = { ...(await asMember()), now: () => NOW }
      suite.ground.script('commit', { headers: { 'x-li-uuid': 'trace' }, ...behave })
      const failure = await failureOf(linkedin.publisher.commit(publishing))
      assert.deepEqual({ ...failure, ...expected }, failure)
      assert.equal(suite.ground.fakes.posts().length, 0)
    })

  it('names the configured version', async () => {
    await asMember({}, { version: '202700' })
    const [member] = await suite.ground.connect()
    assert.ok(member)
    assert.equal((await failureOf(publish(linkedin, suite.ground.publishing(member)))).kind, 'config')
    const publishing = suite.ground.publishing(member)
    const endpoints = { ...publishing.endpoints, apiVersion: '202700' }
    await linkedin.publisher.commit({ ...publishing, endpoints })
    assert.equal(suite.ground.fakes.posts().length, 1)
  })
})
