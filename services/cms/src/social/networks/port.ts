import { createEgress, type Egress } from '@stoa/kit/egress/egress.ts'
import { createSemaphore, type Semaphore } from '@stoa/kit/semaphore.ts'
import { networks } from './index.ts'
import type { Network } from './network.ts'

/** What social publishing holds in the process. */
export type SocialPorts = {
  /** Every network by its name. */
  readonly socialNetworks: Readonly<Record<string, Network>>
  /** The way out to networks. */
  readonly socialEgress: Egress
  /** Renewals of tokens, each of which keeps a database connection while the network answers. */
  readonly socialRenewals: Semaphore
  /** Where the browser goes after a consent: the path of the admin's screen. */
  readonly socialReturnPath: string
  /** How long the answer to a person who sends a post waits for quick networks. */
  readonly socialWaitMs: number
}

export const networkOf = ({ socialNetworks }: Pick<SocialPorts, 'socialNetworks'>, id: string): Network | undefined =>
  Object.hasOwn(socialNetworks, id) ? socialNetworks[id] : undefined

declare module '../../context.ts' {
  interface Ports extends SocialPorts {}
}

/** https; the second one is where servers go whose machine has a website already. What an admin set may have any. */
const PUBLIC_PORTS = [443, 8443]

/** A part of the smallest pool, so that requests are answered while networks are slow. */
const RENEWALS = { parallel: 2, waiting: 200 }

/** Longer than quick networks take, shorter than proxies wait. */
const WAIT_MS = 20_000

export type SocialParts = {
  /** In place of the nine. */
  socialNetworks?: Readonly<Record<string, Network>>
  socialEgress?: Egress
  socialWaitMs?: number
}

export const openSocial = (adminBase: string, parts: SocialParts): SocialPorts => ({
  socialNetworks: parts.socialNetworks ?? networks,
  socialEgress: parts.socialEgress ?? createEgress({ ports: PUBLIC_PORTS }),
  socialRenewals: createSemaphore(RENEWALS),
  socialReturnPath: `${adminBase}/social/accounts`,
  socialWaitMs: parts.socialWaitMs ?? WAIT_MS,
})
