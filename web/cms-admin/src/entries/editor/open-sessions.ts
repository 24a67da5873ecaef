import { useSyncExternalStore } from 'react'
import type { Session } from './session.ts'
import { isDirty } from './session-state.ts'

let open: readonly Session[] = []
const listeners = new Set<() => void>()

const set = (next: readonly Session[]): void => {
  open = next
  for (const listener of listeners) listener()
}

/** An editor is open, until the returned function is called. */
export const announceSession = (session: Session): (() => void) => {
  set([...open, session])
  return () => set(open.filter((one) => one !== session))
}

export const openSessions = (): readonly Session[] => open

/** The session of the editor that has this entry open, and whether it holds what is not saved; for parts beside the editor. */
export const useOpenSession = (
  entryId: string | null | undefined,
): { session: Session | undefined; isUnsaved: boolean } => {
  const find = () => open.find((session) => session.state().entry?.id === entryId)
  const session = useSyncExternalStore(subscribe, find)
  const isUnsaved = useSyncExternalStore(
    session?.subscribe ?? subscribe,
    () => session !== undefined && isDirty(session.state()),
  )
  return { session, isUnsaved }
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
