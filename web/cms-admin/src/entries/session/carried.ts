import { createContext, use } from 'react'
import type { UndoStack } from '../../undo-stack.ts'
import type { EditorSession } from './session.ts'
import { isDirty } from './session-state.ts'

/** Work that a window takes along from screen to screen, and loses only when it is left itself. */
export type Carried = {
  /** One for everything that is edited in the window. */
  stack: UndoStack
  /** The work at an entry that was left before it was saved. */
  sessionOf: (entryId: string) => EditorSession | undefined
  /** Its screen is left: what is not saved by then stays. */
  leave: (session: EditorSession) => Promise<void>
  /** The entries that were left unsaved. */
  unsaved: () => readonly string[]
  /** The connection is back: what was left unsaved is tried again. */
  online: () => void
  subscribe: (listener: () => void) => () => void
}

type CarriedOptions = { stack: UndoStack; onUnsaved: (session: EditorSession) => void }

export const createCarried = ({ stack, onUnsaved }: CarriedOptions): Carried => {
  const sessions = new Map<string, EditorSession>()
  const listeners = new Set<() => void>()
  let unsaved: readonly string[] = []
  const notify = () => {
    unsaved = [...sessions].flatMap(([id, session]) => (!session.isOpen() && isDirty(session.state()) ? [id] : []))
    for (const listener of listeners) listener()
  }
  /** Saved changes need not be carried further. */
  const settle = (id: string, session: EditorSession) => {
    if (!session.isOpen() && !isDirty(session.state()) && sessions.get(id) === session) sessions.delete(id)
    notify()
  }
  return {
    stack,
    sessionOf: (entryId) => sessions.get(entryId),
    leave: async (session) => {
      const id = session.state().entry?.id
      const ending = session.end()
      if (id === undefined) return
      sessions.set(id, session)
      await ending
      if (!session.isOpen() && isDirty(session.state())) onUnsaved(session)
      settle(id, session)
    },
    online: () => {
      for (const [id, session] of sessions)
        if (!session.isOpen() && session.state().isOffline) void session.save('auto').then(() => settle(id, session))
    },
    unsaved: () => unsaved,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const CarriedContext = createContext<Carried | null>(null)

export const CarriedProvider = CarriedContext.Provider

/** Null where every screen is left on its own. */
export const useCarried = (): Carried | null => use(CarriedContext)
