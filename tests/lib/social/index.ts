import { createFakeFacebook } from './facebook.ts'
import type { FakeNetwork } from './fake-network.ts'
import { type FakeNetworks, startFakeNetworks } from './fake-networks.ts'
import { createFakeInstagram } from './instagram.ts'
import { createFakeLinkedIn } from './linkedin.ts'
import { createFakeMastodon } from './mastodon.ts'
import { createFakePinterest } from './pinterest.ts'
import { createFakeThreads } from './threads.ts'
import { createFakeTikTok } from './tiktok.ts'
import { createFakeX } from './x.ts'
import { createFakeYouTube } from './youtube.ts'

/** `perDay`: of the networks that count the posts of a day. */
type FakeOptions = { perDay?: number }

/** A fake of every network, new for each start: one line per network. */
export const createFakes = (options: FakeOptions = {}): Record<string, FakeNetwork> => ({
  facebook: createFakeFacebook(),
  instagram: createFakeInstagram(options),
  threads: createFakeThreads(options),
  x: createFakeX(),
  linkedin: createFakeLinkedIn(),
  tiktok: createFakeTikTok(),
  youtube: createFakeYouTube(),
  pinterest: createFakePinterest(),
  mastodon: createFakeMastodon(),
})

export const startSocialFakes = (options: FakeOptions = {}): Promise<FakeNetworks> =>
  startFakeNetworks(createFakes(options))
