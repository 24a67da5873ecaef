import { createEgress, type Egress } from '@stoa/kit/egress/egress.ts'
import { hostAndPortOf } from './base-url.ts'

/** Kinds that are always at the same address. */
export type HostedKind = 'a' | 'b' | 'cloud'

export type AiTimeouts = {
  readonly connectMs: number
  /** Until a hosted provider begins to answer. */
  readonly firstByteMs: number
  /** A local server may have to load the model first. */
  readonly localFirstByteMs: number
  /** Between two pieces of an answer. */
  readonly idleMs: number
  readonly stepMs: number
  /** No visitor of a website waits longer for an answer. */
  readonly visitorMs: number
  /** Before the second and the third attempt. */
  readonly retryMs: readonly number[]
}

/** What the AI features hold in the process. */
export type AiPort = {
  /** The way to providers. */
  readonly egress: Egress
  readonly hosts: Readonly<Record<HostedKind, string>>
  readonly timeouts: AiTimeouts
  /** Where the browser goes after a sign-in: the path of the admin's screen. */
  readonly returnPath: string
}

declare module '../../context.ts' {
  interface Ports {
    readonly ai: AiPort
  }
}

const HOSTS: Readonly<Record<HostedKind, string>> = {
  a: 'https://api.anthropic.com',
  b: 'https://api.openai.com',
  cloud: 'https://ollama.com',
}

const TIMEOUTS: AiTimeouts = {
  connectMs: 10_000,
  firstByteMs: 60_000,
  localFirstByteMs: 180_000,
  idleMs: 90_000,
  stepMs: 600_000,
  visitorMs: 60_000,
  retryMs: [1_000, 3_000],
}

export type AiParts = {
  /** Hosts in place of the real ones; they may be private. */
  aiHosts?: Partial<Record<HostedKind, string>>
  aiEgress?: Egress
  aiTimeouts?: Partial<AiTimeouts>
}

export const openAi = (adminBase: string, { aiHosts = {}, aiEgress, aiTimeouts }: AiParts): { ai: AiPort } => ({
  ai: {
    egress: aiEgress ?? createEgress({ ports: [443], privateHosts: Object.values(aiHosts).map(hostAndPortOf) }),
    hosts: { ...HOSTS, ...aiHosts },
    timeouts: { ...TIMEOUTS, ...aiTimeouts },
    returnPath: `${adminBase}/settings/ai`,
  },
})
