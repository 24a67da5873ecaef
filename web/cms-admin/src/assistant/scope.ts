import type { AssistantContext } from '@stoa/cms-model/assistant.ts'
import { labelFromKey } from '@stoa/cms-model/fields/field.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { entryItemQuery } from '../entries/queries.ts'
import { useOpenEditor } from '../entries/session/open-editors.ts'
import { typesQuery } from '../types/queries.ts'
import { type PageSelection, usePageSelection } from '../visual/page-selection.ts'
import { shownAt } from './screens.ts'

export type ChipKind = 'entry' | 'section' | 'field'
export type Chip = { kind: ChipKind; label: string }

export type AssistantScope = {
  chips: readonly Chip[]
  /** What is sent with a message, without the removed chips. */
  contextWithout: (removed: ReadonlySet<ChipKind>) => AssistantContext
  /** Changes when people go to something else. */
  key: string
  path: string
}

/** The person's current screen, and what "this" may mean there. */
export const useAssistantScope = (): AssistantScope => {
  const { pathname } = useLocation()
  const { screen, type: named, entryId } = shownAt(pathname)
  const { data: types } = useQuery(typesQuery)
  const { data: entry } = useQuery({ ...entryItemQuery(entryId ?? ''), enabled: entryId !== undefined })
  const { isUnsaved } = useOpenEditor(entryId)
  const type = named ?? entry?.type
  const chosen = useChosen(entryId)
  const focused = useFocusedField(entryId)
  const path = chosen?.fieldKey ?? focused
  const found = types?.items.find(({ name }) => name === type)
  const key = path?.split('.')[0]
  const field = found?.fields.find((one) => one.key === key)
  const fieldLabel = key === undefined ? undefined : field?.label || labelFromKey(key)
  return {
    chips: [
      ...(entryId === undefined
        ? []
        : [{ kind: 'entry' as const, label: entry?.title || found?.label || 'This entry' }]),
      ...(chosen?.section === undefined ? [] : [{ kind: 'section' as const, label: chosen.section.label }]),
      ...(fieldLabel === undefined ? [] : [{ kind: 'field' as const, label: fieldLabel }]),
    ],
    contextWithout: (removed) => ({
      screen,
      ...(type === undefined ? {} : { type }),
      ...(entryId === undefined || removed.has('entry') ? {} : { entryId }),
      ...(path === undefined || removed.has('field') || removed.has('entry') ? {} : { fieldKey: path }),
      dirty: isUnsaved,
      ...(chosen?.section === undefined || removed.has('section') || removed.has('entry')
        ? {}
        : { selection: { sectionId: chosen.section.id } }),
    }),
    key: `${pathname} ${chosen?.section?.id ?? ''} ${path ?? ''}`,
    path: pathname,
  }
}

/** The selection in the page editor. */
const useChosen = (entryId: string | undefined): PageSelection | undefined => {
  const selection = usePageSelection()
  return selection?.entryId === entryId ? selection : undefined
}

/** The field of the open entry that was worked in last. */
const useFocusedField = (entryId: string | undefined): string | undefined => {
  const [focused, setFocused] = useState<{ entryId: string; path: string }>()
  useEffect(() => {
    if (entryId === undefined) return
    const look = (event: FocusEvent) => {
      if (!(event.target instanceof Element)) return
      const path = event.target.closest('main [data-path]')?.getAttribute('data-path')
      // `:title` is a member of the entry, which is no field
      if (path) setFocused(path.startsWith(':') ? undefined : { entryId, path: path.slice(0, 200) })
    }
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [entryId])
  return focused?.entryId === entryId ? focused?.path : undefined
}
