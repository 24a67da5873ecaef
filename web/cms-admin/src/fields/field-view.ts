import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { Field, FieldOf } from '@stoa/cms-model/fields/field.ts'
import type { FieldType } from '@stoa/cms-model/fields/index.ts'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Change } from '../diff/changes.ts'
import type { FieldDraft } from '../types/draft.ts'
import type { EditorProps } from './editor.ts'
import type { FrameKind } from './field-frame.tsx'

/** The parts of the picker, in its order. */
export const fieldGroups = ['Text', 'Values and choices', 'Media and structure'] as const

/** One value in a list of entries. */
export type CellProps<F extends Field = Field> = { field: F; value: unknown }

/** One difference. Without the field where its type is not known, or has changed since. */
export type ChangeProps = { change: Change; field: Field | undefined }

/** The settings of a field that only its type has. */
export type OptionsProps = {
  field: FieldDraft
  onChange: (changes: Partial<FieldDraft>) => void
  /** With keys below the field. */
  problems: readonly FieldProblem[]
  /** What a reference may point to. */
  types: readonly TypeChoice[]
}
export type TypeChoice = { name: string; label: string }

export type DefaultProps = {
  field: FieldDraft
  /** Null for nothing. */
  onValue: (value: unknown) => void
  error: string | undefined
}

// A method's own type, so that the editor of one type can stand for that of any
type EditorPart<F extends Field> = { draw(props: EditorProps<F>): ReactNode }['draw'] & {
  preload?: () => Promise<void>
}

/** What the screens know about a field type. */
export type FieldView<T extends FieldType> = ViewOfField<FieldOf<T>>
/** The same, of a type that only shows at run time. */
export type AnyFieldView = ViewOfField<Field>

type ViewOfField<F extends Field> = {
  /** What people call it. */
  readonly label: string
  /** One line about what it is good for. */
  readonly line: string
  readonly group: (typeof fieldGroups)[number]
  readonly icon: LucideIcon
  /** One that brings much code is a `lazyPart`, because lists and differences know the view, too. */
  readonly Editor: EditorPart<F>
  /** The code of its editor is large, and comes with the first of its fields; that of others with the form. */
  readonly isRare?: boolean
  frame(field: F): FrameKind
  /** Its editor shows the problems of its parts at the part. */
  readonly showsInside?: boolean
  /** What the options ask for, in words below the help. */
  hint?(field: F): string
  /** Short, and never more than a line. */
  Cell(props: CellProps<F>): ReactNode
  /** Of the column with its cells. */
  readonly align?: 'end'
  Change(props: ChangeProps): ReactNode
  readonly Options?: ((props: OptionsProps) => ReactNode) & { preload?: () => Promise<void> }
  /** What a new entry starts with. Without this: nothing can be chosen. */
  Default?(props: DefaultProps): ReactNode
}
