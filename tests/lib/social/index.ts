import { createFacebookFake } from './facebook.ts'
import type { FakeNetwork } from './fake-network.ts'
import { type FakeNetworks, startFakeNetworks } from './fake-networks.ts'
import { createInstagramFake } from './instagram.ts'
import { createPinterestFake } from './pinterest.ts'
import { createThreadsFake } from './threads.ts'

/** A fake of every network, new for each start: one line per network. */
const fakes = (): Record<string, FakeNetwork> => ({
  facebook: createFacebookFake(),
  instagram: createInstagramFake(),
  threads: createThreadsFake(),
  pinterest: createPinterestFake(),
})

export const startSocialFakes = (): Promise<FakeNetworks> => startFakeNetworks(fakes())
