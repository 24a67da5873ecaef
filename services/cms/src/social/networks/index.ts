import { facebook } from './facebook.ts'
import { instagram } from './instagram.ts'
import type { Network } from './network.ts'
import { pinterest } from './pinterest.ts'
import { threads } from './threads.ts'

/** Every network, by the name that it has in routes and records: one line each. */
export const networks: Readonly<Record<string, Network>> = {
  facebook,
  instagram,
  threads,
  pinterest,
}
