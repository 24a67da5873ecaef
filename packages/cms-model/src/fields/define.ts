import type { z } from 'zod'
import type { FieldProblem } from '../errors.ts'
import { mediaIdsIn } from '../html/media-address.ts'
import type { Narrows } from './narrowing.ts'
import type { TypeWriter } from './typescript.ts'

/** What is wrong, and with which member: a dot path like `items.2.url`. */
export type Problem = FieldProblem

/** The records that a value mentions. */
export type Links = {
  media: string[]
  /** Files whose address is in a text. It may be of a file that is gone, or of another library. */
  addressed: string[]
  entries: { to: string; id: string }[]
  /** Entries of any type that a text links to. They may be gone. */
  linked: string[]
}

/** Values that have an order, and can be sorted by, `unique` and `indexed`. */
export const scalars = ['text', 'number', 'boolean', 'date', 'datetime'] as const
export type Scalar = (typeof scalars)[number]

/** What values can be asked for in a filter. */
export type Comparison =
  | Scalar
  /** Text that is too long to be compared as a whole. */
  | 'writing'
  /** Several of the field's `options`. */
  | 'choices'
  /** Entries of the type that the field names as `to`. */
  | 'reference'
  /** One file of the library, or several. */
  | 'media'
  /** Values can only be tested for presence. */
  | 'presence'

/** The forms of writing that people get help with. Of the first two, a page can have inline HTML instead. */
export type Writing = 'text' | 'textarea' | 'markdown' | 'richtext' | 'select'

/** What a database can ask of a stored value at once. The pattern means the same to PostgreSQL. */
export type StoredRule = {
  pattern?: string
  oneOf?: readonly string[]
  min?: number | string | undefined
  max?: number | string | undefined
  isInteger?: boolean | undefined
}

/** What cleaning needs from the site besides the field. */
export type Site = { embedHosts: readonly string[] }

/** Options as the registry sees them; each type knows its own. */
export type Options = { readonly [name: string]: unknown }

/**
 * A field type: everything that is known about it outside of its screens. Values reach `check` after `clean`; both take
 * anything and never throw. The options are those of the field, already validated.
 */
export type FieldDefinition<
  T extends string = string,
  O extends Options = Options,
  S extends z.ZodObject = z.ZodObject,
> = {
  readonly type: T
  /** The options of a field of this type, besides the members that all fields have. Strict. */
  readonly options: S
  /** What is wrong with options that are right one by one, by option name. */
  checkOptions?(options: O): Problem[]
  /** For each option, whether a change of it can make values wrong that were right. */
  readonly narrows: Readonly<Record<keyof O & string, Narrows>>
  /** The value of a field that nobody filled in. */
  empty(options: O): unknown
  /** True when nobody filled it in. */
  isEmpty(value: unknown): boolean
  /** Everything wrong with the value. The empty value is always right: whether it may stay empty is not asked here. */
  check(value: unknown, options: O, path: string): Problem[]
  /** What is stored of a value that was sent. Cleaning twice is cleaning once. */
  clean?(value: unknown, options: O, site: Site): unknown
  /** What a value of another type becomes where nothing of it is lost; undefined for any other value. */
  adopt?(value: unknown, options: O): unknown
  /** What is read of a stored value. Without this: the value if it is right, else what is adopted, else the empty one. */
  read?(value: unknown, options: O, seen: 'all' | 'visible'): unknown
  /** Whether a stored value is shown as the empty one. Without this: when it is not right. */
  isMisfit?(value: unknown, options: O): boolean
  /** Required values inside this one that are empty. */
  missing?(value: unknown, options: O, path: string): Problem[]
  links(value: unknown, options: O): Partial<Links>
  /** The words to find it by. */
  text(value: unknown, options: O): string
  readonly comparesAs: Comparison
  /** Without this: the database takes every value of the right kind for a right one. */
  storedRule?(options: O): StoredRule
  /** The value that the cell of a pasted table stands for. Without this: it does not fit into a cell. */
  fromCell?(cell: string, options: O): unknown
  /** The type of what delivery puts in the place of a value. The options are as a website reads them, unchecked. */
  typescript(options: Options, types: TypeWriter): string
  readonly writing?: Writing
  /** How the assistant compares two values. Without this: as text. */
  readonly changeView?: 'richtext' | 'markdown' | 'media' | 'list' | 'json'
}

/** A field type, with its options checked against its functions. */
export const defineField = <T extends string, S extends z.ZodRawShape>(
  definition: FieldDefinition<T, z.infer<z.ZodObject<S>>, z.ZodObject<S, z.core.$strict>>,
) => definition

export const noLinks = (): Partial<Links> => ({})

/** Files whose address is in the text. */
export const addressedIn = (value: unknown): Partial<Links> => ({
  addressed: typeof value === 'string' ? mediaIdsIn(value) : [],
})
