import { createSealer, type Sealer } from '@stoa/kit/crypto/seal.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Config } from '../../config.ts'

/** A key as it signs: its private half is unsealed, so never log it. */
export type SigningKey = {
  readonly domain: string
  readonly selector: string
  readonly algorithm: 'rsa-sha256' | 'ed25519-sha256'
  readonly privateKeyPem: string
}

/** What the operations of domains and addresses share in a process. */
export type Hosting = {
  /** Our own name: bounces, forwards and reports come back to it. */
  readonly hostname: string
  /** Outside production, names that nobody can own need no proof. */
  readonly trustsReservedNames: boolean
  readonly sealer: Sealer
  readonly signingKeys: SigningKeyCache
  close(): void
}

declare module '../../context.ts' {
  interface Ports {
    readonly hosting: Hosting
  }
}

export type SigningKeyCache = {
  get(domainId: string): SigningKey | null | undefined
  /** The generation before the key was read: what was invalidated in the meantime is not kept. */
  readonly generation: number
  keep(domainId: string, key: SigningKey | null, generation: number): void
}

const MAX_KEPT_KEYS = 10_000

/** Without a bus nothing is cached: a change made by another process could not be received. */
export const createHosting = (config: Pick<Config, 'hostname' | 'secret' | 'environment'>, bus?: Bus): Hosting => {
  const kept = new Map<string, SigningKey | null>()
  let generation = 0
  const forget = () => {
    generation += 1
    kept.clear()
  }
  const leave = bus?.subscribe(({ topic }) => {
    if (topic === 'domain') forget()
  }, forget)
  return {
    hostname: config.hostname,
    trustsReservedNames: config.environment !== 'production',
    sealer: createSealer({ current: config.secret }, 'dkim'),
    signingKeys: {
      get: (domainId) => (bus?.connected ? kept.get(domainId) : undefined),
      get generation() {
        return generation
      },
      keep: (domainId, key, of) => {
        if (!bus?.connected || of !== generation) return
        if (kept.size >= MAX_KEPT_KEYS) kept.clear()
        kept.set(domainId, key)
      },
    },
    close: () => leave?.(),
  }
}
