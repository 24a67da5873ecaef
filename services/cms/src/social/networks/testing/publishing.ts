import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { codeChallengeOf } from '@stoa/kit/oauth/state.ts'
import { Secret } from '@stoa/kit/secret.ts'
import type { FakeNetworks } from '@stoa/tests/lib/social/fake-networks.ts'
import sharp from 'sharp'
import { createNetworkHttp } from '../exchange.ts'
import type {
  AppReach,
  Capabilities,
  Endpoints,
  FoundAccount,
  Network,
  Option,
  Outgoing,
  Posted,
  Progress,
  Publishing,
  PublishMedia,
} from '../network.ts'
import { authorizeUrlOf } from '../oauth.ts'

export const REDIRECT_URI = 'https://site.example/social/oauth/callback'
export type PostKind = 'text' | 'image' | 'video'

export const reachOf = (fakes: FakeNetworks, name: string, network: Network): AppReach => {
  const overrides = fakes.overrides(name)
  const own = network.oauth.endpoints
  const uploadBase = overrides.uploadBase ?? (own.uploadBase === own.apiBase ? overrides.apiBase : own.uploadBase)
  const endpoints: Endpoints = { ...own, ...overrides, uploadBase }
  const { clientId, clientSecret } = fakes.app(name)
  return {
    http: createNetworkHttp(createEgress({ ports: [443] }), endpoints),
    endpoints,
    clientId,
    clientSecret: new Secret(clientSecret),
    redirectUri: REDIRECT_URI,
    now: () => new Date(),
  }
}

/** A person's consent, and what the network makes of it. */
export const connect = async (fakes: FakeNetworks, network: Network, reach: AppReach): Promise<FoundAccount[]> => {
  const verifier = network.oauth.pkce ? 'v'.repeat(43) : null
  const challenge = verifier && codeChallengeOf(verifier)
  const url = authorizeUrlOf(network.oauth, reach, { state: 'the-state', codeChallenge: challenge })
  const back = new URL(await fakes.consent(url))
  const code = back.searchParams.get('code') ?? ''
  return network.connect(reach, { code, codeVerifier: verifier === null ? null : new Secret(verifier) })
}

let made = 0

/** What a network is asked to send, with everything that it must be told. */
export const outgoingOf = async (
  network: Network,
  kind: PostKind,
  capabilities: Capabilities,
  files: Files,
): Promise<Outgoing> => ({
  // Networks refuse the same words twice, and a post is looked for by them.
  caption: `A ${kind} from the contract test, number ${++made}`,
  link: null,
  options: Object.fromEntries(network.options.flatMap((option) => chosen(option, capabilities))),
  media: kind === 'text' ? [] : [await (kind === 'image' ? files.image() : files.video())],
  optionMedia: async () => null,
  idempotencyKey: `key-${Math.random()}`,
  since: new Date(),
})

const chosen = (option: Option, { boards, privacyLevels }: Capabilities): [string, unknown][] => {
  if (option.type === 'board') return [[option.key, boards?.[0]?.id]]
  if (option.key === 'privacyLevel' || option.key === 'privacy') {
    const level = privacyLevels?.[0] ?? option.values?.[0]?.value
    return level === undefined ? [] : [[option.key, level]]
  }
  if (!option.required) return []
  if (option.type === 'select') return [[option.key, option.values?.[0]?.value]]
  return [[option.key, option.type === 'boolean' ? false : 'A title']]
}

/** One target, whose progress goes through JSON as a column keeps it. */
export const publishingOf = (reach: AppReach, account: FoundAccount, outgoing: Outgoing): Publishing<Progress> => {
  let progress: Progress = {}
  const { tokens, ...members } = account
  return {
    http: reach.http,
    endpoints: reach.endpoints,
    accessToken: tokens.accessToken,
    account: { ...members, scopes: tokens.scopes },
    now: reach.now,
    outgoing,
    get progress() {
      return progress
    },
    async save(change) {
      progress = JSON.parse(JSON.stringify({ ...progress, ...change }))
    },
    signal: new AbortController().signal,
  }
}

/** As the worker does, without the delays between. */
export const bringMedia = async ({ publisher }: Network, publishing: Publishing<Progress>): Promise<void> => {
  await publisher.upload(publishing)
  for (let asked = 1; (await publisher.wait?.(publishing)) === 'processing'; asked += 1)
    if (asked > 20) throw new Error('the network is never ready')
}

export const publish = async (network: Network, publishing: Publishing<Progress>): Promise<Posted> => {
  await bringMedia(network, publishing)
  return network.publisher.commit(publishing)
}

export type Files = { image(): Promise<PublishMedia>; video(): Promise<PublishMedia>; close(): Promise<void> }

/** A picture and a video, which networks that want to can read by their address. */
export const startFiles = async (): Promise<Files> => {
  const picture = { create: { width: 1080, height: 1080, channels: 3 as const, background: '#4a6' } }
  const jpeg = await sharp(picture).jpeg().toBuffer()
  const mp4 = Buffer.concat([
    Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'),
    Buffer.alloc(300_000),
  ])
  const stored: Record<string, { bytes: Buffer; type: string }> = {
    '/file.jpg': { bytes: jpeg, type: 'image/jpeg' },
    '/file.mp4': { bytes: mp4, type: 'video/mp4' },
  }
  const server = createServer((request, response) => {
    const file = stored[request.url ?? '']
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const media = (path: string, size: [number, number], seconds: number | null): PublishMedia => {
    const { bytes, type } = stored[path] ?? { bytes: Buffer.alloc(0), type: '' }
    return {
      kind: seconds === null ? 'image' : 'video',
      type,
      bytes: bytes.length,
      width: size[0],
      height: size[1],
      seconds,
      alt: 'What can be seen',
      filename: path.slice(1),
      async *read({ from, to } = { from: 0, to: bytes.length }) {
        yield bytes.subarray(from, to)
      },
      publicUrl: async () => `${base}${path}`,
    }
  }
  return {
    image: async () => media('/file.jpg', [1080, 1080], null),
    video: async () => media('/file.mp4', [1080, 1920], 20),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
