import { useSyncExternalStore } from 'react'

export type LastPlace = { word: string; name: string }

const INBOX: LastPlace = { word: 'inbox', name: 'Inbox' }

// The list in which an all-folders search began; clearing the search returns there
let last = INBOX
const listeners = new Set<() => void>()

export const rememberPlace = (place: LastPlace): void => {
  if (place.word === last.word && place.name === last.name) return
  last = place
  for (const listener of listeners) listener()
}

export const lastPlace = (): LastPlace => last

export const useLastPlace = (): LastPlace =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, lastPlace)
