import { newKey } from '@stoa/ui/browser/new-key.ts'
import { type Drafts, noDrafts, unsavedSources } from './drafts.ts'

/** Unsaved changes to the site, for as long as the window is open. */
export type SiteWork = {
  /** One for each window: two do not write over each other's copies. */
  key: string
  drafts: () => Drafts
  update: (next: (drafts: Drafts) => Drafts) => void
  isUnsaved: () => boolean
  /** The selected part; it stays selected while a page is edited. */
  chosen: () => Chosen | null
  choose: (chosen: Chosen | null) => void
  subscribe: (listener: () => void) => () => void
}

/** A part of the site, or a surface of its design. */
export type Chosen = { kind: 'part' | 'surface'; id: string }

export const createSiteWork = (): SiteWork => {
  let drafts = noDrafts
  let chosen: Chosen | null = null
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  return {
    key: newKey(),
    drafts: () => drafts,
    update: (next) => {
      drafts = next(drafts)
      notify()
    },
    chosen: () => chosen,
    choose: (next) => {
      chosen = next
      notify()
    },
    isUnsaved: () => unsavedSources(drafts).length > 0,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
