import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import type { ReactNode } from 'react'
import type { SelectedPart } from '../fields/field-selection.ts'
import type { Item } from './arrange.ts'

/** One field of the open entry, as an action sees it. */
export type FieldHandle = {
  type: ContentType
  /** Undefined until the first save. */
  entryId: string | undefined
  field: Field
  /** The path of the value in the entry's data: `hero`, `items.2.url`. */
  path: string
  value: unknown
  /** The current selection in the field's editor. */
  selected: () => SelectedPart | null
  /** One step that can be undone. Does nothing once the field is gone or read-only. */
  setValue: (value: unknown) => void
  readonly: boolean
}

type FieldActionBase = Item & {
  label: string
  icon: ReactNode
  appliesTo: (field: Field, about: { readonly: boolean }) => boolean
}

/** An item in a field's menu: it runs at once, or shows a layer of its own until that closes. */
export type FieldAction = FieldActionBase &
  (
    | { run: (handle: FieldHandle) => void | Promise<void> }
    | { Component: (props: { handle: FieldHandle; onClose: () => void }) => ReactNode }
  )
