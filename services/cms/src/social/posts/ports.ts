import type { CmsDb, CmsTx, Services } from '../../context.ts'
import type { AccountReach, Capabilities, Network } from '../networks/networks.ts'

/** An account as posts see it. */
export type TargetAccount = {
  id: string
  network: string
  name: string
  handle: string | null
  avatarUrl: string | null
  status: 'active' | 'needs_reconnect' | 'disconnected'
  statusReason: string | null
  capabilities: Capabilities
}

/** What posts and the worker ask of connected accounts. */
export type SocialAccounts = {
  /** Calls the network in the name of the account, with tokens that are renewed where need be. */
  withAccount<T>(
    services: Services,
    accountId: string,
    signal: AbortSignal,
    run: (reach: AccountReach) => Promise<T>,
  ): Promise<T>
  targetAccounts(db: CmsDb, ids: readonly string[]): Promise<readonly TargetAccount[]>
  pauseAccount(tx: CmsTx, accountId: string, until: Date): Promise<void>
  pauseApp(tx: CmsTx, network: string, until: Date): Promise<void>
}

export type SocialPort = {
  readonly networks: Readonly<Record<string, Network>>
  readonly accounts: SocialAccounts
  /** How long an answer waits for quick networks. */
  readonly publishWaitMs: number
}

declare module '../../context.ts' {
  interface Ports {
    readonly social: SocialPort
  }
}

export const networkOf = ({ networks }: Pick<SocialPort, 'networks'>, id: string): Network | undefined =>
  Object.hasOwn(networks, id) ? networks[id] : undefined
