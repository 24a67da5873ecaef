import type { z } from 'zod'
import type { FieldProblem } from '../errors.ts'
import { mediaIdsIn } from '../html/media-address.ts'

/** In the order of the specification. */
export const fieldTypeNames = [
  'text',
  'textarea',
  'richtext',
  'markdown',
  'number',
  'boolean',
  'date',
  'datetime',
  'select',
  'multiselect',
  'media',
  'gallery',
  'reference',
  'list',
  'json',
  'color',
  'url',
  'email',
] as const
export type FieldType = (typeof fieldTypeNames)[number]

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

/** How the values of a field compare, for sorting, filtering, `unique` and `indexed`. */
export type Scalar = 'text' | 'number' | 'boolean' | 'date' | 'datetime'

/** What cleaning knows of the site besides the field. */
export type Site = { embedHosts: readonly string[] }

/** Options as the registry sees them; each type knows its own. */
export type Options = { readonly [name: string]: unknown }

/**
 * A field type. Values reach `check` after `clean`; both take anything and never throw. The options are those of the
 * field, already validated.
 */
export type FieldDefinition<T extends FieldType = FieldType, O extends Options = Options> = {
  readonly type: T
  /** The options of a field of this type, besides the members that all fields have. Strict. */
  readonly options: z.ZodObject
  /** What is wrong with options that are right one by one, by option name. */
  checkOptions?(options: O): Problem[]
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
  /** Required values inside this one that are empty. */
  missing?(value: unknown, options: O, path: string): Problem[]
  links(value: unknown, options: O): Partial<Links>
  /** The words to find it by. */
  text(value: unknown, options: O): string
  readonly scalar?: Scalar
}

/** A field type, with its options checked against its functions. */
export const defineField = <T extends FieldType, S extends z.ZodRawShape>(
  definition: FieldDefinition<T, z.infer<z.ZodObject<S>>> & { options: z.ZodObject<S, z.core.$strict> },
) => definition

export const noLinks = (): Partial<Links> => ({})

/** Files whose address is in the text. */
export const addressedIn = (value: unknown): Partial<Links> => ({
  addressed: typeof value === 'string' ? mediaIdsIn(value) : [],
})
