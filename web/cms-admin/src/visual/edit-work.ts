import { createContext, use } from 'react'
import type { UndoStack } from '../undo-stack.ts'
import type { SiteWork } from './site/site-work.ts'

/** What the page editor's window carries from mode to mode. */
export type EditWork = {
  stack: UndoStack
  site: SiteWork
  /** The page that was edited last: the way back from the site. */
  lastPage: () => string | undefined
  setLastPage: (entryId: string) => void
}

const EditWorkContext = createContext<EditWork | null>(null)

export const EditWorkProvider = EditWorkContext.Provider

export const useEditWork = (): EditWork => {
  const work = use(EditWorkContext)
  if (work === null) throw new Error('useEditWork must be used inside the page editor')
  return work
}
