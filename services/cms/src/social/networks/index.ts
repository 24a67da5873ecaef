import { linkedin } from './linkedin.ts'
import type { Network } from './network.ts'
import { tiktok } from './tiktok.ts'
import { x } from './x.ts'
import { youtube } from './youtube.ts'

/** Every network, by the name that it has in routes and records: one line each. */
export const networks: Readonly<Record<string, Network>> = {
  x,
  linkedin,
  tiktok,
  youtube,
}
