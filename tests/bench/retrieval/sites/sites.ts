import { bicycles } from './bicycles.ts'
import { dentist } from './dentist.ts'
import type { SmallSite } from './site.ts'

export const smallSites: readonly SmallSite[] = [dentist, bicycles]
