import type { FakeNetwork } from './fake-network.ts'
import { type FakeNetworks, startFakeNetworks } from './fake-networks.ts'
import { createFakeLinkedIn } from './linkedin.ts'
import { createFakeTikTok } from './tiktok.ts'
import { createFakeX } from './x.ts'
import { createFakeYouTube } from './youtube.ts'

/** A fake of every network, new for each start: one line per network. */
const fakes = (): Record<string, FakeNetwork> => ({
  x: createFakeX(),
  linkedin: createFakeLinkedIn(),
  tiktok: createFakeTikTok(),
  youtube: createFakeYouTube(),
})

export const startSocialFakes = (): Promise<FakeNetworks> => startFakeNetworks(fakes())
