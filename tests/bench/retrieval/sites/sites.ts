import { bicycles } from './bicycles.ts'
import { climbing } from './climbing.ts'
import { dentist } from './dentist.ts'
import type { SmallSite } from './site.ts'

export const smallSites: readonly SmallSite[] = [dentist, bicycles]

/** No value was tuned on these. */
export const unseenSites: readonly SmallSite[] = [climbing]
