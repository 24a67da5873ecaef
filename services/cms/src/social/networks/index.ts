import { facebook } from './facebook.ts'
import { instagram } from './instagram.ts'
import { linkedin } from './linkedin.ts'
import { mastodon } from './mastodon.ts'
import type { Network } from './network.ts'
import { pinterest } from './pinterest.ts'
import { threads } from './threads.ts'
import { tiktok } from './tiktok.ts'
import { x } from './x.ts'
import { youtube } from './youtube.ts'

/** Every network, by the name that it has in routes and records: one line each. */
export const networks: Readonly<Record<string, Network>> = {
  facebook,
  instagram,
  threads,
  x,
  linkedin,
  tiktok,
  youtube,
  pinterest,
  mastodon,
}
