import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { inVersion } from '@stoa/tests/lib/social/fake-network.ts'
import type { Behaviour } from '@stoa/tests/lib/social/fake-networks.ts'
import { createFakes } from '@stoa/tests/lib/social/index.ts'
import {
  accountReachOf,
  failureOf,
  type Ground,
  outgoingOf,
  type PostKind,
  startGround,
} from '@stoa/tests/lib/social/network-ground.ts'
import { bringMedia, dieBefore, ProcessDied, publish } from '@stoa/tests/lib/social/network-target.ts'
import { NetworkFailure } from './http/failure.ts'
import { LineCut } from './http/http.ts'
import { networks } from './index.ts'
import type { Capabilities, FoundAccount, Network } from './network.ts'

/** Members of LinkedIn can't read their own posts, and TikTok reports nothing about photos whose response was lost. */
const CANNOT_BE_READ = new Set(['linkedin text', 'linkedin image', 'linkedin video', 'tiktok image'])

describe('docs/social.md', async () => {
  const text = await readFile(new URL('../../../../../docs/social.md', import.meta.url), 'utf8')
  for (const [name, { label, unverified }] of Object.entries(networks))
    test(`lists what ${name} requires, and what could not be checked`, () => {
      assert.match(text, new RegExp(`^\\| ${label.replace(' Page', '')} \\| .+ \\| .+ \\|$`, 'm'))
      const section = text.split(`\n### ${label}\n`)[1]?.split('\n### ')[0] ?? ''
      assert.deepEqual(section.match(/(?<=^- ).+$/gm), unverified)
    })
})

const isHttps = (text: string) => URL.parse(text)?.protocol === 'https:' && !text.includes('#')

for (const [name, network] of Object.entries(networks)) {
  const { oauth, limits, options, walkthrough } = network

  describe(`${name} is complete`, () => {
    test('its name can be part of an address, and it has a label', () => {
      assert.match(name, /^[a-z]{1,20}$/)
      assert.ok(network.label.length > 0)
    })

    test('its addresses are https, and bases have no closing slash', () => {
      const { authorizeUrl, tokenUrl, apiBase, uploadBase } = oauth.endpoints
      for (const url of [authorizeUrl, tokenUrl, apiBase]) assert.ok(isHttps(url), url)
      for (const base of [apiBase, uploadBase].filter((text) => text !== '')) {
        assert.ok(isHttps(base) && !base.endsWith('/'), base)
        assert.equal(new URL(base).search, '')
      }
      if (oauth.isServerChosen) for (const url of [authorizeUrl, tokenUrl]) assert.ok(url.startsWith(apiBase))
    })

    test('it asks for scopes, each once, which its separator can separate', () => {
      const { scopes } = oauth.endpoints
      assert.ok(scopes.length > 0)
      assert.equal(new Set(scopes).size, scopes.length)
      for (const scope of scopes) assert.ok(scope !== '' && !/[\s,]/.test(scope), scope)
    })

    test('it is in the environment if it is one of the four', () => {
      assert.equal(oauth.hasEnvironment, ['facebook', 'instagram', 'linkedin', 'x'].includes(name))
    })

    test('its walkthrough names the callback, its date and how long it takes', () => {
      assert.ok(walkthrough.steps.some(({ body }) => body.includes('{callback}')))
      assert.ok(walkthrough.steps.every(({ title, body }) => title !== '' && body !== ''))
      assert.match(walkthrough.checkedOn, /^20\d\d-\d\d(-\d\d)?$/)
      assert.notEqual(walkthrough.leadTime, '')
      if (oauth.versionEndsOn) assert.match(oauth.versionEndsOn, /^20\d\d-\d\d-\d\d$/)
    })

    test('its limits make sense', () => {
      assert.ok(limits.captionMax > 0 && limits.imagesMax >= 0)
      assert.equal(limits.imagesMax > 0, limits.imageTypes.length > 0)
      assert.ok(limits.imagesMax === 0 || limits.imageMaxBytes > 0)
      assert.ok(limits.videoTypes.length === 0 || limits.videoMaxBytes > 0)
      for (const type of limits.imageTypes) assert.match(type, /^image\/[a-z]+$/)
      for (const type of limits.videoTypes) assert.match(type, /^video\/[a-z0-9.-]+$/)
      for (const range of [limits.videoSeconds, limits.image.aspect]) assert.ok(range === null || range[0] < range[1])
      assert.ok(limits.textOnly || limits.imagesMax > 0 || limits.videoTypes.length > 0)
      if (limits.photoCaptionMax !== undefined) assert.ok(limits.photoCaptionMax >= limits.captionMax)
    })

    test('its options have unique names, and a choice has values', () => {
      assert.equal(new Set(options.map(({ key }) => key)).size, options.length)
      for (const { key, label, type, values } of options) {
        assert.match(key, /^[a-z][A-Za-z0-9]*$/)
        assert.notEqual(label, '')
        // What an account may choose comes from the network.
        if (type === 'select') assert.ok((values?.length ?? 0) > 0 || network.capabilities !== undefined, key)
      }
    })

    test('its rules take an empty draft and one full of nonsense', () => {
      const draft = { caption: '', link: null, media: [], options: {}, capabilities: {} }
      const nonsense = Object.fromEntries(options.map(({ key }) => [key, { not: ['a', 'value'] }]))
      for (const problem of [
        ...(network.check?.(draft) ?? []),
        ...(network.check?.({ ...draft, options: nonsense }) ?? []),
      ])
        assert.ok(problem.message !== '' && /^(caption|media|options\.\w+)$/.test(problem.key))
    })
  })

  describe(`${name} against its fake`, () => {
    let ground: Ground
    let account: FoundAccount
    let capabilities: Capabilities
    // New for each test: what was posted before would be in the way of looking for a post.
    beforeEach(async () => {
      ground = await startGround(name, network, createFakes()[name] ?? assert.fail('there is no fake'))
      account = (await ground.connect())[0] ?? assert.fail('nothing was connected')
      capabilities = {
        ...account.capabilities,
        ...(await network.capabilities?.(accountReachOf(ground.reach, account))),
      }
    })
    afterEach(() => ground.close())
    const kinds = kindsOf(network)
    const [first = 'text'] = kinds
    const posting = async (kind: PostKind) =>
      ground.publishing(account, await outgoingOf(network, kind, capabilities, ground.files))
    const live = () => ground.posts().length
    /** The call after which it is live, by its name in the journal. */
    const commitCall = async (kind: PostKind) => {
      const before = ground.fakes.journal().length
      await publish(network, await posting(kind))
      const calls = ground.fakes
        .journal()
        .slice(before)
        .map(({ call }) => call)
      return calls.includes('commit')
        ? 'commit'
        : (calls.findLast((call) => call.startsWith('upload')) ?? assert.fail(calls.join()))
    }
    const scripted = async (behave: Behaviour) => {
      const call = await commitCall(first)
      const publishing = await posting(first)
      await network.publisher.upload(publishing)
      ground.fakes.clearScripts()
      ground.script(call, behave, 'all')
      try {
        return await failureOf(publish(network, publishing))
      } finally {
        ground.fakes.clearScripts()
      }
    }

    test('a consent finds accounts with tokens and the scopes that were asked for', async () => {
      assert.ok(account.remoteId !== '' && account.name !== '')
      assert.notEqual(account.tokens.accessToken.reveal(), '')
      assert.deepEqual(
        oauth.endpoints.scopes.filter((scope) => !account.tokens.scopes.includes(scope)),
        [],
      )
    })

    test('a code is good once, and its failure has words', async () => {
      await assert.rejects(
        network.connect(ground.reach, { code: 'never-issued', codeVerifier: null }),
        (error: unknown) => error instanceof NetworkFailure && error.message !== '' && error.facts.kind !== 'transient',
      )
    })

    for (const kind of kinds) {
      test(`${kind}: goes out once, with its words`, async () => {
        const before = live()
        const publishing = await posting(kind)
        const { posted, confirmed } = await publish(network, publishing)
        assert.equal(live(), before + 1)
        assert.notEqual(posted.remoteId, '')
        const url = confirmed?.url ?? posted.url
        assert.ok(url === null || /^https?:\/\//.test(url))
        assert.ok(JSON.stringify(ground.posts()).includes(publishing.outgoing.caption))
      })

      test(`${kind}: goes on where the process died before it wrote down what it did`, async () => {
        for (let save = 1, died = true; died; save += 1) {
          const before = live()
          const publishing = await posting(kind)
          died = await bringMedia(network, dieBefore(publishing, save)).then(
            () => false,
            (error: unknown) => error instanceof ProcessDied || assert.fail(String(error)),
          )
          await publish(network, publishing).catch((error: unknown) => {
            // The worker tries again by itself
            if (!(error instanceof NetworkFailure && error.facts.kind === 'transient')) throw error
            return publish(network, publishing)
          })
          assert.equal(live(), before + 1, `save ${save}`)
        }
      })

      test(`${kind}: cut before the commit, nothing is lost or out twice`, async () => {
        const call = await commitCall(kind)
        const before = live()
        const publishing = await posting(kind)
        if (call === 'commit') await bringMedia(network, publishing)
        ground.drop(call, 'dropBefore')
        await assert.rejects(publish(network, publishing), LineCut)
        ground.fakes.clearScripts()
        assert.equal(live(), before)
        const found = await network.publisher.reconcile(publishing)
        if (found === 'unknown') return assert.ok(CANNOT_BE_READ.has(`${name} ${kind}`))
        if (found === 'not-posted') await publish(network, publishing)
        assert.equal(live(), before + 1)
      })

      test(`${kind}: cut after the commit, it is found and not sent again`, async () => {
        const call = await commitCall(kind)
        const before = live()
        const publishing = await posting(kind)
        if (call === 'commit') await bringMedia(network, publishing)
        ground.drop(call, 'dropAfter')
        await assert.rejects(publish(network, publishing), LineCut)
        ground.fakes.clearScripts()
        assert.equal(live(), before + 1)
        const found = await network.publisher.reconcile(publishing)
        assert.equal(live(), before + 1)
        if (found === 'unknown') return assert.ok(CANNOT_BE_READ.has(`${name} ${kind}`))
        assert.notEqual(found, 'not-posted')
      })
    }

    const inTwoMinutes = () => new Date(Date.now() + 120_000)
    const resets: Record<string, () => Record<string, string>> = {
      'a number of seconds': () => ({ 'retry-after': '120' }),
      'a date': () => ({ 'retry-after': inTwoMinutes().toUTCString() }),
      'the second of the epoch': () => ({ 'x-rate-limit-reset': String(Math.ceil(+inTwoMinutes() / 1_000)) }),
      'the seconds that are left': () => ({ 'x-ratelimit-reset': '120' }),
      'a time in ISO 8601': () => ({ 'x-ratelimit-reset': inTwoMinutes().toISOString() }),
    }
    for (const [form, headers] of Object.entries(resets))
      test(`too many calls are a pause until the time that the network sends as ${form}`, async () => {
        const facts = await scripted({ status: 429, body: {}, headers: headers() })
        assert.equal(facts.kind, 'rate')
        assert.ok(Math.abs(Number(facts.retryAt) - +inTwoMinutes()) < 10_000, facts.retryAt?.toISOString())
      })

    if (oauth.endpoints.apiBase.endsWith(`/${oauth.endpoints.apiVersion}`))
      test('a version that an admin set is in every address', async () => {
        const { apiVersion: own } = oauth.endpoints
        const fake = inVersion(createFakes()[name] ?? assert.fail(), own, 'v99.9')
        const other = await startGround(name, network, fake, { apiVersion: 'v99.9' })
        try {
          const [found] = await other.connect()
          assert.ok(found)
          for (const kind of kinds)
            await publish(network, other.publishing(found, await outgoingOf(network, kind, capabilities, other.files)))
          assert.equal(other.posts().length, kinds.length)
          assert.deepEqual(
            other.fakes.journal().filter(({ path }) => path.includes(`/${own}`)),
            [],
          )
        } finally {
          await other.close()
        }
      })

    test('a token that is refused, a fault of the network, and a rejected post are distinguished', async () => {
      assert.equal((await scripted({ status: 401, body: {} })).kind, 'auth')
      assert.equal((await scripted({ status: 503, body: 'Over capacity' })).kind, 'transient')
      const refused = await scripted({ status: 400, body: { error: 'No', message: 'No' } })
      assert.ok(!['transient', 'rate', 'auth', 'unknown'].includes(refused.kind), refused.kind)
      assert.ok(refused.message !== '' && refused.httpStatus === 400)
    })
  })
}

function kindsOf({ limits }: Network): PostKind[] {
  return [
    ...(limits.textOnly ? (['text'] as const) : []),
    ...(limits.imagesMax > 0 ? (['image'] as const) : []),
    ...(limits.videoTypes.length > 0 ? (['video'] as const) : []),
  ]
}
