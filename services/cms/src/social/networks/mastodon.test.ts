import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createFakeMastodon } from '@stoa/tests/lib/social/mastodon.ts'
import {
  failureOf,
  type Ground,
  outgoingOf,
  type PostKind,
  startGround,
} from '@stoa/tests/lib/social/network-ground.ts'
import { publish as publishAll } from '@stoa/tests/lib/social/network-target.ts'
import type { NetworkFailure } from './http/failure.ts'
import { mastodon, textOfStatus, wordsOf } from './mastodon.ts'
import type { FoundAccount, Network, Outgoing, Progress, Publishing } from './network.ts'

let ground: Ground
let account: FoundAccount
before(async () => {
  ground = await startGround('mastodon', mastodon, createFakeMastodon())
  account = (await ground.connect())[0] ?? assert.fail('nothing was connected')
})
after(() => ground.close())

const posting = async (kind: PostKind, change: Partial<Outgoing> = {}, sender = account) =>
  ground.publishing(sender, { ...(await outgoingOf(mastodon, kind, {}, ground.files)), ...change })
const publish = async (network: Network, publishing: Publishing<Progress>) =>
  (await publishAll(network, publishing)).posted
const lastPost = () => ground.posts().at(-1) ?? assert.fail('nothing is live')
const calls = (from: number) =>
  ground.fakes
    .journal()
    .slice(from)
    .map(({ call }) => call)

describe('Mastodon', () => {
  test('accounts are those of a server: their id, handle and limits', () => {
    const { host } = new URL(ground.fakes.url)
    assert.deepEqual([account.remoteId, account.handle], [`1@${host}`, `@ada@${host}`])
    assert.deepEqual(
      [account.capabilities.captionMax, account.capabilities.urlLength, account.capabilities.altMax],
      [500, 23, 1_500],
    )
    assert.ok(account.capabilities.imageTypes?.includes('image/avif'))
  })

  test('a server that does not report its limits has the usual ones', async () => {
    ground.script('instance', { status: 404, body: { error: 'Not found' } })
    assert.deepEqual(await mastodon.capabilities?.(await posting('text')), {})
    ground.script('instance', {
      status: 200,
      body: { configuration: { statuses: { max_characters: 'many' }, media_attachments: null } },
    })
    assert.deepEqual(await mastodon.capabilities?.(await posting('text')), {})
    ground.fakes.clearScripts()
    assert.equal((await mastodon.capabilities?.(await posting('text')))?.captionMax, 500)
  })

  test('a video is attached once the server is done with it, and an upload is not repeated after a crash', async () => {
    const from = ground.fakes.journal().length
    const publishing = await posting('video')
    await mastodon.publisher.upload(publishing)
    await mastodon.publisher.upload(publishing)
    assert.equal(await mastodon.publisher.wait?.(publishing), 'processing')
    await assert.rejects(
      mastodon.publisher.commit(publishing),
      (error: NetworkFailure) => error.facts.kind === 'transient' && /finished processing/.test(error.message),
    )
    assert.equal(await mastodon.publisher.wait?.(publishing), 'processing')
    assert.equal(await mastodon.publisher.wait?.(publishing), 'ready')
    assert.equal(await mastodon.publisher.wait?.(publishing), 'ready')
    await mastodon.publisher.commit(publishing)
    assert.deepEqual(calls(from), ['upload', 'wait', 'commit', 'wait', 'wait', 'commit'])
    assert.deepEqual(lastPost().alt, ['What can be seen'])
  })

  test('options go where the server has them', async () => {
    const options = { visibility: 'unlisted', spoilerText: 'Careful', language: 'de', sensitive: true }
    await publish(mastodon, await posting('text', { options }))
    const { visibility, spoiler, language } = lastPost()
    assert.deepEqual([visibility, spoiler, language], ['unlisted', 'Careful', 'de'])
  })

  test('the same key is the same post, and another key another one', async () => {
    const before = ground.posts().length
    const publishing = await posting('text', { idempotencyKey: 'one' })
    const first = await publish(mastodon, publishing)
    assert.deepEqual(await publish(mastodon, publishing), first)
    await publish(mastodon, await posting('text', { idempotencyKey: 'two' }))
    assert.equal(ground.posts().length, before + 2)
  })

  test('after the time of a key the post is looked up, and nothing is sent', async () => {
    const caption = 'Hello @ada@example.test & <friends>\nhttps://example.com/a?b=1&c=2'
    const posted = await publish(mastodon, await posting('text', { caption }))
    const before = ground.posts().length
    const anHourLater = async (change: Partial<Outgoing>) => {
      const publishing = await posting('text', { since: new Date(Date.now() - 60_000), ...change })
      return mastodon.publisher.reconcile({ ...publishing, now: () => new Date(Date.now() + 3_600_000) })
    }
    assert.deepEqual(await anHourLater({ caption }), posted)
    assert.equal(await anHourLater({ caption: 'Never sent' }), 'not-posted')
    assert.equal(await anHourLater({ caption, since: new Date(Date.now() + 60_000) }), 'not-posted')
    assert.equal(await anHourLater({ caption, options: { visibility: 'private' } }), 'unknown')
    ground.script('statuses', { status: 401, body: { error: 'This method requires an authenticated user' } })
    assert.equal(await anHourLater({ caption }), 'unknown')
    ground.fakes.clearScripts()
    assert.equal(ground.posts().length, before)
  })

  test('what the server says decides what is done', async () => {
    const answers: [number, string, string][] = [
      [401, 'The access token is invalid', 'auth'],
      [403, 'Your login is currently disabled', 'auth'],
      [403, 'This action is outside the authorized scopes', 'auth'],
      [403, 'This action is not allowed', 'policy'],
      [422, "Validation failed: Text can't be blank", 'invalid'],
      [404, 'Record not found', 'invalid'],
      [503, 'There was a temporary problem serving your request', 'transient'],
    ]
    for (const [status, error, kind] of answers) {
      ground.script('commit', { status, body: { error } })
      await assert.rejects(
        publish(mastodon, await posting('text')),
        ({ facts }: NetworkFailure) => facts.kind === kind && facts.message === error && facts.httpStatus === status,
        error,
      )
      ground.fakes.clearScripts()
    }
  })

  test('a token that was revoked is refused', async () => {
    const [other] = await ground.connect()
    assert.ok(other)
    await mastodon.revoke?.(ground.reach, other.tokens)
    assert.equal((await failureOf(publish(mastodon, await posting('text', {}, other)))).kind, 'auth')
  })

  test('a content warning counts with the caption, and a language is a code', () => {
    const draft = { caption: 'x'.repeat(490), link: null, media: [], options: {}, capabilities: {} }
    const problems = (options: object, capabilities = {}) =>
      mastodon.check?.({ ...draft, options: { ...options }, capabilities }).map(({ key }) => key)
    assert.deepEqual(problems({ spoilerText: 'ten chars.' }), [])
    assert.deepEqual(problems({ spoilerText: 'ten chars..' }), ['options.spoilerText'])
    assert.deepEqual(problems({ spoilerText: 'ten chars..' }, { captionMax: 5_000 }), [])
    assert.deepEqual(problems({ language: 'English' }), ['options.language'])
    assert.deepEqual(problems({ language: 'pt-BR' }), [])
  })

  test('the text of a post is read from its HTML', () => {
    const html =
      '<p>Hi <span class="h-card"><a href="https://b.test/@ada" class="u-url mention">@<span>ada</span></a></span> &amp; <a href="https://example.com/long/path"><span class="invisible">https://</span><span class="ellipsis">example.com/long</span><span class="invisible">/path</span></a></p><p>Two<br />lines &lt;b&gt; &amp;lt;</p>'
    const text = 'Hi @ada@b.test & https://example.com/long/path\n\nTwo\nlines <b> &lt;'
    assert.equal(textOfStatus(html), wordsOf(text))
  })
})
