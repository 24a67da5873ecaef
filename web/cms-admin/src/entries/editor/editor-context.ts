import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import type { TermReference } from '@stoa/cms-model/taxonomies.ts'
import { createContext, use } from 'react'
import type { Rights } from '../session/rights.ts'
import type { EditorSession } from '../session/session.ts'
import type { State } from '../session/session-state.ts'

/** Properties of a new entry besides its content; for a stored entry, changes to these are saved at once. */
export type Beginning = { locale: string; authorId: string; terms: readonly TermReference[] }

export type EditorView = {
  type: ContentType
  me: Me
  settings: Settings
  session: EditorSession
  state: State
  rights: Rights
  /** Writes are possible: allowed, and nothing has to be decided first. */
  canWrite: boolean
  beginning: Beginning
  setBeginning: (changes: Partial<Beginning>) => void
  /** Where Publish is: with the status of the entry where that is in sight, else in the header. */
  publishIn: 'card' | 'header'
  /** Puts the history in the place of the form. */
  showHistory: () => void
}

const EditorContext = createContext<EditorView | null>(null)

export const EditorProvider = EditorContext.Provider

/** The entry that the screen shows, for every part of it. */
export const useEditor = (): EditorView => {
  const view = use(EditorContext)
  if (view === null) throw new Error('useEditor must be used inside the entry editor')
  return view
}
