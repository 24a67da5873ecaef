import { mastodon } from './mastodon.ts'
import type { Network } from './network.ts'

/** Every network, by the name that it has in routes and records: one line each. */
export const networks: Readonly<Record<string, Network>> = {
  mastodon,
}
