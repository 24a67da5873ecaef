import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { DesignRecord } from '@stoa/cms-model/design.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import type { WebsiteState } from '@stoa/cms-model/website.ts'
import { createContext, use } from 'react'
import type { DraftsHandle } from './use-drafts.ts'
import type { Saving } from './use-saving.ts'

/** What the service said when the screen was opened, and since. */
export type SiteData = {
  me: Me
  website: WebsiteState
  design: DesignRecord
  settings: Settings
  types: readonly ContentType[]
}

export type SiteView = SiteData & { work: DraftsHandle; saving: Saving }

const SiteContext = createContext<SiteView | null>(null)

export const SiteProvider = SiteContext.Provider

/** The site that is edited, for every part of the screen. */
export const useSite = (): SiteView => {
  const view = use(SiteContext)
  if (view === null) throw new Error('useSite must be used inside the site editor')
  return view
}
