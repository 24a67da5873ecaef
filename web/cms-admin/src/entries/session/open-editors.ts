import type { Entry } from '@stoa/cms-model/entries.ts'
import { useSyncExternalStore } from 'react'
import type { EditorSession } from './session.ts'
import { isDirty } from './session-state.ts'
import { valuesOf } from './values.ts'

/** The interface of an editor for parts beside it. */
export type OpenEditor = {
  entryId: () => string | undefined
  /** The editor holds unsaved changes. */
  isUnsaved: () => boolean
  subscribe: (listener: () => void) => () => void
  save: () => void
  discard: () => void
  /** Goes on with what is stored by now, as a step that can be undone; never over what is not saved. */
  adopt: (stored: Entry) => void
}

let open: readonly OpenEditor[] = []
const listeners = new Set<() => void>()

const set = (next: readonly OpenEditor[]): void => {
  open = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** An editor is open, until the returned function is called. */
export const announceEditor = (session: EditorSession): (() => void) => {
  const editor = editorOf(session)
  set([...open, editor])
  return () => set(open.filter((one) => one !== editor))
}

const editorOf = (session: EditorSession): OpenEditor => ({
  entryId: () => session.state().entry?.id,
  isUnsaved: () => isDirty(session.state()),
  subscribe: session.subscribe,
  save: () => void session.save(),
  discard: () => {
    const { entry } = session.state()
    if (entry) session.resolve(entry, valuesOf(entry))
  },
  adopt: (stored) => {
    const state = session.state()
    if (isDirty(state) || stored.deletedAt !== null || stored.version <= (state.entry?.version ?? 0)) return
    session.resolve(stored, valuesOf(stored))
  },
})

export const openEditorOf = (entryId: string): OpenEditor | undefined =>
  open.find((editor) => editor.entryId() === entryId)

/** The editor that has this entry open, and whether it holds what is not saved. */
export const useOpenEditor = (
  entryId: string | null | undefined,
): { editor: OpenEditor | undefined; isUnsaved: boolean } => {
  const editor = useSyncExternalStore(subscribe, () => (entryId ? openEditorOf(entryId) : undefined))
  const isUnsaved = useSyncExternalStore(editor?.subscribe ?? subscribe, () => editor?.isUnsaved() ?? false)
  return { editor, isUnsaved }
}
