import { createNetworkHttp } from '@stoa/cms/social/networks/exchange.ts'
import { type FailureFacts, NetworkFailure } from '@stoa/cms/social/networks/failure.ts'
import type {
  AccountReach,
  AppReach,
  Confirmed,
  Endpoints,
  FoundAccount,
  Network,
  Options,
  Outgoing,
  Posted,
  Progress,
  Publishing,
  PublishMedia,
} from '@stoa/cms/social/networks/network.ts'
import { authorizeUrlOf } from '@stoa/cms/social/networks/oauth.ts'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { codeChallengeOf } from '@stoa/kit/oauth/state.ts'
import { Secret } from '@stoa/kit/secret.ts'
import type { FakeNetwork } from './fake-network.ts'
import { type Behaviour, type FakeNetworks, startFakeNetworks } from './fake-networks.ts'

export type Ground = {
  fakes: FakeNetworks
  reach: AppReach
  /** Makes a call of the network behave otherwise, from the next one on. */
  script(call: string, behave: Behaviour, nth?: number | 'all'): void
  /** How often the network was called, by the names of the calls. */
  calls(): Record<string, number>
  consent(change?: (url: URL) => void): Promise<{ code: string; codeVerifier: Secret | null }>
  connect(): Promise<FoundAccount[]>
  /** A publishing of one post, whose progress is kept as the worker keeps it. */
  publishing(account: FoundAccount, outgoing?: Partial<Outgoing>): Publishing<Progress> & { saved: Progress[] }
  close(): Promise<void>
}

/** One network against its fake, over real sockets and a real egress that knows only public addresses. */
export const startGround = async (
  name: string,
  network: Network,
  fake: FakeNetwork,
  now: () => Date = () => new Date(),
): Promise<Ground> => {
  const fakes = await startFakeNetworks({ [name]: fake })
  const endpoints: Endpoints = { ...network.oauth.endpoints, ...fakes.overrides(name) }
  const egress = createEgress({ ports: [443] })
  const reach: AppReach = {
    http: createNetworkHttp(egress, endpoints),
    endpoints,
    clientId: 'the-app',
    clientSecret: new Secret('the-secret'),
    redirectUri: 'https://site.example/social/oauth/callback',
    now,
  }

  const consent: Ground['consent'] = async (change) => {
    const verifier = network.oauth.pkce ? 'v'.repeat(43) : null
    const codeChallenge = verifier && codeChallengeOf(verifier)
    const url = new URL(authorizeUrlOf(network.oauth, reach, { state: 'the-state', codeChallenge }))
    change?.(url)
    const back = new URL(await fakes.consent(url.href))
    return { code: back.searchParams.get('code') ?? '', codeVerifier: verifier === null ? null : new Secret(verifier) }
  }

  return {
    fakes,
    reach,
    script: (call, behave, nth = 1) => fakes.script({ network: name, call, nth, behave }),
    calls() {
      const counts: Record<string, number> = {}
      for (const { call } of fakes.journal(name)) counts[call] = (counts[call] ?? 0) + 1
      return counts
    },
    consent,
    connect: async () => network.connect(reach, await consent()),
    publishing(account, outgoing = {}) {
      const saved: Progress[] = []
      let progress: Progress = {}
      return {
        ...accountReachOf(reach, account),
        outgoing: { ...EMPTY, since: now(), ...outgoing },
        get progress() {
          return progress
        },
        async save(change) {
          // Through JSON, as a column keeps it.
          progress = JSON.parse(JSON.stringify({ ...progress, ...change }))
          saved.push(progress)
        },
        signal: new AbortController().signal,
        saved,
      }
    },
    close: () => fakes.close(),
  }
}

export const accountReachOf = (reach: AppReach, { tokens, ...account }: FoundAccount): AccountReach => ({
  http: reach.http,
  endpoints: reach.endpoints,
  accessToken: tokens.accessToken,
  account: { ...account, scopes: tokens.scopes },
  now: reach.now,
})

const EMPTY: Omit<Outgoing, 'since'> = {
  caption: 'Hello',
  link: null,
  options: {},
  media: [],
  optionMedia: async () => null,
  idempotencyKey: 'key',
}

/** As the worker goes through a publisher, without the delays between. */
export const publish = async (
  { publisher }: Network,
  publishing: Publishing<Progress>,
): Promise<{ posted: Posted; confirmed: Confirmed | undefined }> => {
  await bringMedia({ publisher }, publishing)
  const posted = await publisher.commit(publishing)
  return { posted, confirmed: await publisher.confirm?.(publishing, posted) }
}

export const bringMedia = async (
  { publisher }: Pick<Network, 'publisher'>,
  publishing: Publishing<Progress>,
): Promise<void> => {
  await publisher.upload(publishing)
  for (let asked = 1; (await publisher.wait?.(publishing)) === 'processing'; asked += 1)
    if (asked > 10) throw new Error('the network is never ready')
}

/** A point where the process dies: `save` keeps what it got, and then nothing goes on. */
export class ProcessDied extends Error {}

export const dieAfter = (publishing: Publishing<Progress>, saves: number): Publishing<Progress> => {
  let left = saves
  return {
    ...publishing,
    get progress() {
      return publishing.progress
    },
    async save(change) {
      await publishing.save(change)
      left -= 1
      if (left === 0) throw new ProcessDied()
    },
  }
}

export const failureOf = async (attempt: Promise<unknown>): Promise<FailureFacts> => {
  try {
    await attempt
  } catch (error) {
    if (error instanceof NetworkFailure) return error.facts
    throw error
  }
  throw new Error('it was no failure')
}

/** A file of this size whose bytes tell where they are. */
export const fileOf = (type: string, bytes: number, alt = ''): PublishMedia => {
  const content = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 1_021) content[at] = (at / 1_021) % 251
  const isVideo = type.startsWith('video/')
  return {
    kind: isVideo ? 'video' : 'image',
    type,
    bytes,
    width: 640,
    height: 480,
    seconds: isVideo ? 10 : null,
    alt,
    filename: `file.${type.split('/')[1]}`,
    async *read({ from, to } = { from: 0, to: bytes }) {
      for (let at = from; at < to; at += 2 ** 20) yield content.subarray(at, Math.min(at + 2 ** 20, to))
    },
    publicUrl: async () => `https://site.example/media/social/token-${bytes}.jpg`,
  }
}

export const draftOf = (draft: { caption?: string; options?: Options } & Record<string, unknown>) => ({
  caption: '',
  link: null,
  media: [],
  options: {},
  capabilities: {},
  ...draft,
})
