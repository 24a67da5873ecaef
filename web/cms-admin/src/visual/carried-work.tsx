import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useUndoKeys } from '../entries/editor/use-undo-keys.ts'
import { type Carried, CarriedProvider, createCarried } from '../entries/session/carried.ts'
import { nameOf } from '../entries/session/labels.ts'
import { pageOf } from '../undo-sources.ts'
import { createUndoStack } from '../undo-stack.ts'
import { announceTurned } from '../undo-words.ts'
import { type EditWork, EditWorkProvider } from './edit-work.ts'
import { pagePath, SITE_PATH } from './pages.ts'
import { createSiteWork } from './site/site-work.ts'

/** What people do in this document, on its pages and on the site, as one work with one history. */
export const CarriedWork = ({ children }: { children: ReactNode }) => {
  const router = useRouter()
  const [{ work, carried }] = useState(() => createWork((to) => void router.navigate({ to })))
  const isSiteUnsaved = useSyncExternalStore(work.site.subscribe, work.site.isUnsaved)
  const leftUnsaved = useSyncExternalStore(carried.subscribe, carried.unsaved)
  useEffect(() => {
    window.addEventListener('online', carried.online)
    return () => window.removeEventListener('online', carried.online)
  }, [carried])
  // Also while one screen follows the other
  useUndoKeys(work.stack, { enabled: true, inFields: true })
  useUnsavedChanges(isSiteUnsaved || leftUnsaved.length > 0, { isCarried: true })
  return (
    <EditWorkProvider value={work}>
      <CarriedProvider value={carried}>{children}</CarriedProvider>
    </EditWorkProvider>
  )
}

const createWork = (goTo: (path: string) => void): { work: EditWork; carried: Carried } => {
  let lastPage: string | undefined
  const stack = createUndoStack({
    open: (source) => {
      const entryId = pageOf(source)
      goTo(entryId === undefined ? SITE_PATH : pagePath(entryId))
    },
    onTurned: announceTurned,
  })
  const carried = createCarried({
    stack,
    onUnsaved: (session) => {
      const { entry, values } = session.state()
      if (entry === null) return
      toast({
        title: `${nameOf(values)} has unsaved changes`,
        description: 'Go back to save them.',
        action: { label: 'Go back', onAction: () => goTo(pagePath(entry.id)) },
      })
    },
  })
  const work: EditWork = {
    stack,
    site: createSiteWork(),
    lastPage: () => lastPage,
    setLastPage: (entryId) => {
      lastPage = entryId
    },
  }
  return { work, carried }
}
