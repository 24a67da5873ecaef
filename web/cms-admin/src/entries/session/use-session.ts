import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { holdSignedOut } from '../../api.ts'
import { createUndoStack } from '../../undo-stack.ts'
import { announceTurned } from '../../undo-words.ts'
import {
  createEntry,
  entriesKey,
  entryItemQuery,
  entryQuery,
  type NewEntry,
  readEntry,
  updateEntry,
} from '../queries.ts'
import { type Carried, useCarried } from './carried.ts'
import { nameOf } from './labels.ts'
import { mergeWords } from './merge-words.ts'
import { announceEditor } from './open-editors.ts'
import { createSession, type EditorSession } from './session.ts'
import type { State } from './session-state.ts'
import { fieldKeyOf, type Member, newValues, valuesOf } from './values.ts'

type Opening = {
  type: ContentType
  entry: Entry | null
  me: Me
  locale: string
  /** Properties of a new entry besides its content, read when the entry is created. */
  beginning: () => Omit<NewEntry, 'type' | 'title' | 'slug' | 'data'>
}

/** The session of one entry while its screen is open. */
export const useSession = ({
  type,
  entry,
  me,
  locale,
  beginning,
}: Opening): { session: EditorSession; state: State } => {
  const queryClient = useQueryClient()
  const carried = useCarried()
  const [session] = useState(
    () =>
      (entry && carried?.sessionOf(entry.id)) ??
      createSession({
        type,
        entry,
        me,
        locale: entry?.locale ?? locale,
        values: entry ? valuesOf(entry) : newValues(type),
        requests: {
          create: (changes) => createEntry({ type: type.name, ...beginning(), ...changes }),
          update: updateEntry,
          read: readEntry,
        },
        onStored: (stored) => {
          queryClient.setQueryData(entryQuery(stored.id).queryKey, stored)
          void queryClient.invalidateQueries({ queryKey: entriesKey })
          void queryClient.invalidateQueries({ queryKey: ['entry', stored.id, 'revisions'] })
          void queryClient.invalidateQueries({ queryKey: entryItemQuery(stored.id).queryKey })
        },
        onMerged: (theirs, labels) => toast({ title: mergeWords(theirs.updatedBy, me, labels) }),
        mayReplace: isNotTypedIn,
        stack: carried?.stack ?? createUndoStack({ onTurned: announceTurned }),
      }),
  )
  const state = useSyncExternalStore(session.subscribe, session.state)
  useLife(session, carried)
  return { session, state }
}

/** True when the input of this member does not have the focus. */
const isNotTypedIn = (member: Member): boolean => {
  const path = fieldKeyOf(member) ?? `:${member}`
  return !document.activeElement?.closest(`[data-path="${path}"], [data-path^="${path}."]`)
}

const useLife = (session: EditorSession, carried: Carried | null): void => {
  useEffect(() => {
    const hide = () => {
      if (document.hidden) session.saveSoon()
    }
    const release = holdSignedOut(session.signedOut)
    const withdraw = announceEditor(session)
    session.start()
    document.addEventListener('visibilitychange', hide)
    window.addEventListener('blur', session.saveSoon)
    window.addEventListener('online', session.online)
    return () => {
      release()
      withdraw()
      document.removeEventListener('visibilitychange', hide)
      window.removeEventListener('blur', session.saveSoon)
      window.removeEventListener('online', session.online)
      if (carried) void carried.leave(session)
      else
        void session.end().then((isSaved) => {
          if (!isSaved && !session.isOpen()) announceUnsaved(nameOf(session.state().values))
        })
    }
  }, [session, carried])
}

const announceUnsaved = (name: string): void =>
  void toast({
    tone: 'danger',
    title: `“${name}” wasn't saved`,
    description: 'Your changes are stored in this browser. Open the entry again to restore them.',
  })
