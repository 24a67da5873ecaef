import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { createContext } from 'react'
import type { FieldAction } from '../registry/field-actions.ts'

export type FieldActionScopeValue = {
  actions: readonly FieldAction[]
  type: ContentType
  entryId: string | undefined
  asOneStep: (run: () => void) => void
}

/** The entry whose fields have menus; null where fields have none. */
export const FieldActionScope = createContext<FieldActionScopeValue | null>(null)
