import { Secret } from '@stoa/kit/secret.ts'
import { NetworkFailure } from '../http/failure.ts'
import type { FoundAccount, Network, Tokens } from '../network.ts'

export type TestNetworkOptions = {
  hasEnvironment?: boolean
  readsAddresses?: boolean
  versionEndsOn?: string
  /** What a consent finds; one account if absent. */
  found?: () => FoundAccount[]
  refresh?: Network['refresh']
  capabilities?: Network['capabilities']
  probe?: Network['probe']
}

export const tokensOf = (members: Partial<Tokens> = {}): Tokens => ({
  accessToken: new Secret('access-1'),
  refreshToken: null,
  accessExpiresAt: null,
  refreshExpiresAt: null,
  scopes: ['post'],
  ...members,
})

export const foundAccount = (members: Partial<FoundAccount> = {}): FoundAccount => ({
  remoteId: '1',
  name: 'Ada',
  handle: '@ada',
  avatarUrl: null,
  profileUrl: null,
  kind: 'profile',
  tokens: tokensOf(),
  capabilities: {},
  ...members,
})

/** A network without a server: what others do with a network can be tried by itself. */
export const testNetwork = (options: TestNetworkOptions = {}): Network => ({
  label: 'Test network',
  oauth: {
    endpoints: {
      authorizeUrl: 'https://network.test/authorize',
      tokenUrl: 'https://network.test/token',
      apiBase: 'https://api.network.test',
      uploadBase: 'https://api.network.test',
      apiVersion: 'v1',
      scopes: ['post'],
    },
    scopeSeparator: ' ',
    pkce: false,
    hasEnvironment: options.hasEnvironment ?? false,
    ...(options.versionEndsOn && { versionEndsOn: options.versionEndsOn }),
  },
  limits: {
    captionMax: 100,
    captionCount: 'utf16',
    textOnly: true,
    imagesMax: 1,
    imageTypes: ['image/jpeg'],
    imageMaxBytes: 1_000_000,
    videoTypes: [],
    videoMaxBytes: 0,
    videoSeconds: null,
    altText: { image: true, video: false, max: null },
    image: { delivery: options.readsAddresses ? 'url' : 'upload', maxWidth: null, aspect: null },
    videoDelivery: 'upload',
    link: 'caption',
  },
  options: [],
  walkthrough: {
    consoleUrl: 'https://network.test/apps',
    checkedOn: '2026-01-01',
    leadTime: 'None',
    steps: [{ title: 'Enter', body: 'Enter {callback}' }],
  },
  unverified: [],
  connect: async (_reach, { code }) => {
    if (code === 'bad') throw new NetworkFailure({ kind: 'auth', code: 'invalid_grant', message: 'No such code' })
    return options.found?.() ?? [foundAccount()]
  },
  ...(options.refresh && { refresh: options.refresh }),
  ...(options.probe && { probe: options.probe }),
  ...(options.capabilities && { capabilities: options.capabilities }),
  publisher: {
    upload: async () => undefined,
    commit: async () => ({ remoteId: '1', url: null }),
    reconcile: async () => 'unknown',
  },
})
