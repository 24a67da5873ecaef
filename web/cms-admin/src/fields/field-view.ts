import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { Field, FieldOf } from '@stoa/cms-model/fields/field.ts'
import type { FieldType } from '@stoa/cms-model/fields/types/index.ts'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Change } from '../diff/changes.ts'
import type { EditorProps } from './editor.ts'
import type { FrameKind } from './field-frame.tsx'
import type { HeldSlugs } from './slug-references.ts'

/** The parts of the picker, in its order. */
export const fieldGroups = ['Text', 'Values and choices', 'Media and structure'] as const

/** One value in a list of entries. */
export type CellProps<F extends Field = Field> = { field: F; value: unknown }

/** One difference. Without the field where its type is not known, or has changed since. */
export type ChangeProps = { change: Change; field: Field | undefined }

/** Options by their names, as the form of a type has them. */
export type DraftOptions = Readonly<Record<string, unknown>>

/** The form of the options that only the type has. */
export type OptionsProps<D = DraftOptions> = {
  options: D
  onChange(changes: Partial<D>): void
  /** With keys below the field. */
  problems: readonly FieldProblem[]
  /** The types that a reference may point to. */
  types: readonly TypeChoice[]
  /** The field isn't saved yet, so no entry has a value for it. */
  isNew: boolean
}
export type TypeChoice = { name: string; label: string }

export type DefaultProps<D = DraftOptions> = {
  options: D
  /** Null for nothing. */
  value: unknown
  onValue: (value: unknown) => void
  error: string | undefined
}

/** What the form has of an option that it can't have as it is stored: a number while it is typed, choices in an order. */
export type OptionDraft<V = unknown, S = unknown, D = DraftOptions> = {
  /** The option's value in a new field. */
  readonly blank: V
  read(stored: S): V
  /** The value to send, or undefined to leave it out. */
  write(value: V, options: D): S | undefined
  /** The error in words for people, where the schema's own would be technical. */
  problem?(value: V): string | undefined
  /** Other types have an option of this name that means something else. */
  readonly startsAnew?: true
}

/** What the screens know about a field type. `D` are its options in their form; without it, they are as they are stored. */
export type FieldView<T extends FieldType, D extends object = StoredOptions<FieldOf<T>>> = ViewOfField<FieldOf<T>, D> &
  (StoredOptions<FieldOf<T>> extends D ? unknown : { readonly draft: OptionDrafts<FieldOf<T>, D> })
/** A field view whose type is only known at run time. */
export type AnyFieldView = ViewOfField<Field, DraftOptions>

// A method's own type, so that the part of one type can stand for that of any
type ViewPart<P> = { draw(props: P): ReactNode }['draw'] & { preload?: () => Promise<void> }

type OptionName<F extends Field> = F extends Field ? Exclude<keyof F, keyof Field> : never
type StoredOptions<F extends Field> = Partial<Pick<F, OptionName<F> & keyof F>>
type OptionDrafts<F extends Field, D> = {
  readonly [N in keyof D]: OptionDraft<D[N], N extends keyof F ? F[N] : unknown, D>
}

type ViewOfField<F extends Field, D> = {
  /** The label for people. */
  readonly label: string
  /** One line about what it is good for. */
  readonly line: string
  readonly group: (typeof fieldGroups)[number]
  readonly icon: LucideIcon
  /** How it is drawn in the small form of a template. Without this: as one line. */
  readonly sketch?: 'area' | 'picture' | 'switch' | 'rows'

  /** An editor with much code is a `lazyPart`, because lists and diffs load the view, too. */
  readonly Editor: ViewPart<EditorProps<F>>
  /** The code of its editor is large, and comes with the first of its fields; that of others with the form. */
  readonly isRare?: boolean
  frame(field: F): FrameKind
  /** Its editor shows the problems of its parts at the part. */
  readonly showsInside?: boolean
  /** A hint about the options, in words below the help. */
  hint?(field: F): string
  /** What it can be of an entry that is edited as a page: its editor has that `look`. Without this: only part of the form. */
  onPage?(field: F): 'text' | 'cover' | undefined
  /** The slugs in its value, where a website has declared that it refers to entries by them; null if it holds anything else. */
  slugs?(field: F, value: unknown): HeldSlugs | null

  // The line that sums up a row of a list comes from `text` of the model (`list/summary.ts`): it needs nothing of the view
  /** Short, and never more than a line. */
  Cell(props: CellProps<F>): ReactNode
  /** Alignment of the column and its cells. */
  readonly align?: 'end'
  Change(props: ChangeProps): ReactNode

  /** Options of their own that form and service don't have alike. Without this: as they are stored. */
  readonly draft?: OptionDrafts<F, D>
  readonly Options?: ViewPart<OptionsProps<D>>
  /** The input for the default value. Without it, fields of the type have no default. */
  Default?(props: DefaultProps<D>): ReactNode
  /** Its values are made of fields, the option `fields`, which are listed and opened as those of a content type are. */
  readonly hasFields?: true
  /** What the list of fields says about the options, after the label. */
  detail?(options: D): string
  /** What the review of changes calls an option that asks for more than before: "fewer choices". Without this: its name. */
  readonly stricter?: { readonly [N in OptionName<F>]?: string }
  /** Options that say what values may refer to: whether a stored one still may is only checked when it is saved. */
  readonly checkedOnSave?: readonly OptionName<F>[]
}
