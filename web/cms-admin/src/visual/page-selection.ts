import { useEffect, useSyncExternalStore } from 'react'

/** What is chosen on the page of an entry, for parts beside the page editor. */
export type PageSelection = {
  entryId: string
  section: { id: string; label: string } | undefined
  fieldKey: string | undefined
}

let selection: PageSelection | undefined
const listeners = new Set<() => void>()

const set = (next: PageSelection | undefined): void => {
  selection = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

type Published = Omit<PageSelection, 'entryId'> & { entryId: string | undefined }

/** Publishes the selection for as long as the page is open. */
export const usePublishSelection = ({ entryId, section, fieldKey }: Published): void => {
  const [id, label] = [section?.id, section?.label]
  useEffect(() => {
    if (entryId === undefined) return
    set({ entryId, section: id === undefined ? undefined : { id, label: label ?? id }, fieldKey })
    return () => set(undefined)
  }, [entryId, id, label, fieldKey])
}

export const usePageSelection = (): PageSelection | undefined => useSyncExternalStore(subscribe, () => selection)
