import type { Problem } from '@stoa/cms-model/fields/define.ts'
import type { Field, FieldOf } from '@stoa/cms-model/fields/field.ts'
import type { FieldType } from '@stoa/cms-model/fields/types/index.ts'

/** The props of a value's editor, whatever the type of its field. */
export type EditorProps<F extends Field = Field> = {
  field: F
  /** The value parsed by the field's type, or the type's empty value: never of a foreign shape. */
  value: unknown
  onChange: (value: unknown) => void
  /** The path of the value in the entry's data: `hero`, `items.2.url`. */
  path: string
  /** Problems of the value and of everything inside it, each with its full path. */
  problems: readonly Problem[]
  disabled: boolean
  /** Without a box and a label, as it stands on a page: the text and the cover of an entry. */
  look?: 'page' | undefined
}

export type EditorOf<T extends FieldType> = (props: EditorProps<FieldOf<T>>) => React.ReactNode
