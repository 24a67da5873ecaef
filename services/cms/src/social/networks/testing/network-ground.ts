import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { Secret } from '@stoa/kit/secret.ts'
import type { FakeNetwork } from '@stoa/tests/lib/social/fake-network.ts'
import { startFakeNetworks } from '@stoa/tests/lib/social/fake-networks.ts'
import sharp from 'sharp'
import { createNetworkHttp } from '../exchange.ts'
import { type FailureFacts, NetworkFailure } from '../failure.ts'
import type {
  AppReach,
  FoundAccount,
  Network,
  Outgoing,
  Posted,
  Progress,
  Publishing,
  PublishMedia,
  Tokens,
} from '../network.ts'
import { authorizeUrlOf } from '../oauth.ts'

export const REDIRECT_URI = 'https://site.example/social/oauth/callback'

/** A process that ends right after it saved something. */
export class Killed extends Error {}

/** One network against its fake: consent, and posts that are driven step by step. */
export const startGround = async <F extends FakeNetwork>(name: string, network: Network, fake: F) => {
  const fakes = await startFakeNetworks({ [name]: fake })
  const files = await startFiles()
  const endpoints = { ...network.oauth.endpoints, ...fakes.overrides(name) }
  const http = createNetworkHttp(createEgress({ ports: [443] }), endpoints)
  const reach: AppReach = {
    http,
    endpoints,
    clientId: 'the-app',
    clientSecret: new Secret('the-secret'),
    redirectUri: REDIRECT_URI,
    now: () => new Date(),
  }

  const consentUrl = () => authorizeUrlOf(network.oauth, reach, { state: 'state-1', codeChallenge: null })
  const grant = async () => {
    const back = new URL(await fakes.consent(consentUrl()))
    assert.equal(back.searchParams.get('state'), 'state-1')
    return { code: back.searchParams.get('code') ?? '', codeVerifier: null }
  }

  /** One target: its progress lives as long as this object, each step begins with nothing else. */
  const target = (account: FoundAccount, given: Partial<Outgoing> = {}) => {
    const outgoing: Outgoing = {
      caption: 'Hello',
      link: null,
      options: {},
      media: [],
      optionMedia: async () => null,
      idempotencyKey: 'key-1',
      since: new Date(),
      ...given,
    }
    let progress: Progress = {}
    let saves = 0
    let killAtSave: number | null = null
    const publishing = (): Publishing<Progress> => ({
      http,
      endpoints,
      accessToken: account.tokens.accessToken,
      account: { ...account, scopes: account.tokens.scopes },
      now: () => new Date(),
      outgoing,
      progress: structuredClone(progress),
      signal: AbortSignal.timeout(60_000),
      async save(more) {
        progress = { ...progress, ...JSON.parse(JSON.stringify(more)) }
        saves += 1
        if (saves === killAtSave) throw new Killed()
      },
    })
    const { publisher } = network
    const prepare = async (maxQuestions = 10): Promise<void> => {
      await publisher.upload(publishing())
      for (let question = 1; publisher.wait; question += 1) {
        if ((await publisher.wait(publishing())) === 'ready') return
        assert.ok(question < maxQuestions, 'the network was not done in time')
      }
    }
    const confirm = async (posted: Posted) =>
      (await publisher.confirm?.(publishing(), posted)) ?? { ...posted, warnings: [] }
    return {
      progress: () => progress,
      saves: () => saves,
      killAtSave(save: number | null) {
        killAtSave = save
      },
      upload: () => publisher.upload(publishing()),
      wait: async () => publisher.wait?.(publishing()),
      prepare,
      commit: () => publisher.commit(publishing()),
      reconcile: () => publisher.reconcile(publishing()),
      confirm,
      lookAgain: async (posted: Posted) => publisher.lookAgain?.run(publishing(), posted),
      async run() {
        await prepare()
        const posted = await publisher.commit(publishing())
        return { ...posted, ...(await confirm(posted)) }
      },
    }
  }

  return {
    fake,
    fakes,
    files,
    endpoints,
    reach,
    grant,
    consentUrl,
    target,
    connect: async () => network.connect(reach, await grant()),
    script: (call: string, status: number, body: unknown, headers: Record<string, string> = {}) =>
      fakes.script({ network: name, call, behave: { status, body, headers } }),
    drop: (call: string, when: 'dropBefore' | 'dropAfter', nth = 1) =>
      fakes.script({ network: name, call, nth, behave: { [when]: true } }),
    calls: (call: string) => fakes.journal(name).filter((entry) => entry.call === call).length,
    posts: () => fakes.posts(name),
    async close() {
      await Promise.all([fakes.close(), files.close()])
    },
  }
}

/**
 * Kills a process after each thing that it saves before the commit, goes on from what was saved, and says how often
 * the calls that bring something to the network were made.
 */
export const resumeFromEverySave = async (
  ground: Pick<Awaited<ReturnType<typeof startGround>>, 'calls' | 'posts'>,
  makeTarget: () => ReturnType<Awaited<ReturnType<typeof startGround>>['target']>,
  calls: readonly string[],
): Promise<void> => {
  const counts = () => calls.map((call) => ground.calls(call))
  const since = (before: number[]) => counts().map((count, index) => count - (before[index] ?? 0))
  const first = makeTarget()
  let before = counts()
  await first.prepare()
  const usual = since(before)
  await first.commit()
  for (let save = 1; save <= first.saves(); save += 1) {
    const target = makeTarget()
    target.killAtSave(save)
    before = counts()
    await assert.rejects(target.prepare(), Killed)
    target.killAtSave(null)
    await target.prepare()
    assert.deepEqual(since(before), usual, `calls ${calls} when killed after save ${save}`)
    const live = ground.posts().length
    await target.commit()
    assert.equal(ground.posts().length, live + 1)
  }
}

export const failureOf = async (attempt: Promise<unknown>): Promise<FailureFacts> => {
  try {
    await attempt
  } catch (error) {
    if (error instanceof NetworkFailure) return error.facts
    throw error
  }
  throw new assert.AssertionError({ message: 'it was no failure' })
}

/** Secrets compared by their values. */
export const revealed = (tokens: Tokens) => ({
  ...tokens,
  accessToken: tokens.accessToken.reveal(),
  refreshToken: tokens.refreshToken?.reveal() ?? null,
})

const startFiles = async () => {
  const contents = new Map<string, { bytes: Buffer; type: string }>()
  const server = createServer((request, response) => {
    const file = contents.get(request.url ?? '')
    if (!file) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': file.type }).end(file.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const medium = (
    bytes: Buffer,
    facts: Pick<PublishMedia, 'kind' | 'type' | 'width' | 'height' | 'seconds'>,
    alt = '',
  ): PublishMedia => {
    const path = `/${contents.size}.${facts.type.split('/')[1]}`
    contents.set(path, { bytes, type: facts.type })
    return {
      ...facts,
      alt,
      bytes: bytes.length,
      filename: path.slice(1),
      async *read({ from, to } = { from: 0, to: bytes.length }) {
        // Small pieces of odd length, so that nobody counts on larger ones.
        for (let at = from; at < to; at += 1021) yield bytes.subarray(at, Math.min(at + 1021, to))
      },
      publicUrl: async () => `${url}${path}`,
    }
  }

  return {
    url,
    async image({ width = 800, height = 800, format = 'jpeg' as 'jpeg' | 'png', alt = '' } = {}) {
      const picture = sharp({ create: { width, height, channels: 3, background: '#3a7' } })
      const bytes = await picture.toFormat(format).toBuffer()
      return medium(bytes, { kind: 'image', type: `image/${format}`, width, height, seconds: null }, alt)
    },
    /** Enough of a video for those who look at its first bytes only. */
    video({ bytes = 5000, alt = '' } = {}) {
      const content = Buffer.alloc(bytes, 'v')
      content.write('\0\0\0\x18ftypisom', 0, 'latin1')
      return medium(content, { kind: 'video', type: 'video/mp4', width: 1080, height: 1920, seconds: 12 }, alt)
    },
    /** An address that leads to nothing. */
    forget: () => contents.clear(),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
