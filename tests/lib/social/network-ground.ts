import { endpointsOf } from '@stoa/cms/social/apps/overrides.ts'
import { createNetworkHttp } from '@stoa/cms/social/networks/http/exchange.ts'
import { type FailureFacts, NetworkFailure } from '@stoa/cms/social/networks/http/failure.ts'
import { authorizeUrlOf } from '@stoa/cms/social/networks/http/oauth.ts'
import type {
  AccountReach,
  AppReach,
  Capabilities,
  Draft,
  FoundAccount,
  Network,
  Option,
  Outgoing,
  Progress,
} from '@stoa/cms/social/networks/network.ts'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { codeChallengeOf } from '@stoa/kit/oauth/state.ts'
import { Secret } from '@stoa/kit/secret.ts'
import type { FakeNetwork } from './fake-network.ts'
import { type Behaviour, startFakeNetworks } from './fake-networks.ts'
import { type Files, startFiles } from './files.ts'
import { createTarget } from './network-target.ts'

export const REDIRECT_URI = 'https://site.example/social/oauth/callback'

export type Ground<F extends FakeNetwork = FakeNetwork> = Awaited<ReturnType<typeof startGround<F>>>
export type GroundOptions = {
  now?: () => Date
  /** In place of the network's own. */
  apiVersion?: string
}

/** One network against its fake, over real sockets and a real egress that knows only public addresses. */
export const startGround = async <F extends FakeNetwork>(
  name: string,
  network: Network,
  fake: F,
  { now = () => new Date(), ...overrides }: GroundOptions = {},
) => {
  const fakes = await startFakeNetworks({ [name]: fake })
  const files = await startFiles()
  const endpoints = endpointsOf(network.oauth, null, { ...fakes.overrides(name), ...overrides })
  const { clientId, clientSecret } = fakes.app(name)
  const reach: AppReach = {
    http: createNetworkHttp(createEgress({ ports: [443] }), endpoints),
    endpoints,
    clientId,
    clientSecret: new Secret(clientSecret),
    redirectUri: REDIRECT_URI,
    now,
  }

  /** Completes the consent as a person's browser would. */
  const consent = async (change?: (url: URL) => void): Promise<{ code: string; codeVerifier: Secret | null }> => {
    const verifier = network.oauth.pkce ? 'v'.repeat(43) : null
    const codeChallenge = verifier && codeChallengeOf(verifier)
    const url = new URL(authorizeUrlOf(network.oauth, reach, { state: 'the-state', codeChallenge }))
    change?.(url)
    const back = new URL(await fakes.consent(url.href))
    if (back.searchParams.get('state') !== 'the-state') throw new Error('the state came back changed')
    return { code: back.searchParams.get('code') ?? '', codeVerifier: verifier === null ? null : new Secret(verifier) }
  }

  /** A publishing of one post, whose progress is kept as the worker keeps it. */
  const publishing = (account: FoundAccount, outgoing: Partial<Outgoing> = {}) => {
    const saved: Progress[] = []
    let progress: Progress = {}
    return {
      ...accountReachOf(reach, account),
      outgoing: { ...EMPTY, since: now(), ...outgoing },
      get progress() {
        return progress
      },
      async save(change: Progress) {
        // Through JSON, as a column keeps it.
        progress = JSON.parse(JSON.stringify({ ...progress, ...change }))
        saved.push(progress)
      },
      signal: new AbortController().signal,
      saved,
    }
  }

  const script = (call: string, behave: Behaviour, nth: number | 'all' = 1) =>
    fakes.script({ network: name, call, nth, behave })
  const calls = () => {
    const counts: Record<string, number> = {}
    for (const { call } of fakes.journal(name)) counts[call] = (counts[call] ?? 0) + 1
    return counts
  }
  return {
    fake,
    fakes,
    files,
    reach,
    consent,
    connect: async () => network.connect(reach, await consent()),
    publishing,
    target: (account: FoundAccount, outgoing: Partial<Outgoing> = {}) =>
      createTarget(network, publishing(account, outgoing)),
    /** Makes a call of the network behave otherwise, from the next one on. */
    script,
    answer: (call: string, status: number, body: unknown, headers: Record<string, string> = {}) =>
      script(call, { status, body, headers }),
    drop: (call: string, when: 'dropBefore' | 'dropAfter', nth = 1) => script(call, { [when]: true }, nth),
    /** How often the network was called, by the names of the calls. */
    calls,
    count: (call: string) => calls()[call] ?? 0,
    posts: () => fakes.posts(name),
    async close() {
      await Promise.all([fakes.close(), files.close()])
    },
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

export type PostKind = 'text' | 'image' | 'video'
let made = 0

/** A post for the network, with all required input. */
export const outgoingOf = async (
  network: Network,
  kind: PostKind,
  capabilities: Capabilities,
  files: Files,
): Promise<Partial<Outgoing>> => {
  const alt = 'What can be seen'
  return {
    // Networks refuse the same words twice, and a post is looked for by them.
    caption: `A ${kind} from the contract test, number ${++made}`,
    options: Object.fromEntries(network.options.flatMap((option) => chosen(option, capabilities))),
    media: kind === 'text' ? [] : [kind === 'image' ? await files.image({ alt }) : files.video({ alt })],
    idempotencyKey: `key-${made}`,
  }
}

const chosen = (option: Option, { boards, privacyLevels }: Capabilities): [string, unknown][] => {
  if (option.type === 'board') return [[option.key, boards?.[0]?.id]]
  if (option.key === 'privacyLevel') return [[option.key, privacyLevels?.[0] ?? option.values?.[0]?.value]]
  if (!option.required) return []
  if (option.type === 'select') return [[option.key, option.values?.[0]?.value]]
  return [[option.key, option.type === 'boolean' ? false : 'A title']]
}

/** The error of an attempt that must fail. */
export const failureOf = async (attempt: Promise<unknown>): Promise<FailureFacts> => {
  try {
    await attempt
  } catch (error) {
    if (error instanceof NetworkFailure) return error.facts
    throw error
  }
  throw new Error('it was no failure')
}

/** A draft of nothing, with these members. */
export const draftOf = (draft: Partial<Draft> = {}): Draft => ({
  caption: '',
  link: null,
  media: [],
  options: {},
  capabilities: {},
  ...draft,
})
