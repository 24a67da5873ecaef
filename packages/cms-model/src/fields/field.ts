import { z } from 'zod'
import { problem } from './checks.ts'
import { type Problem, type Scalar, scalars } from './define.ts'
import { cleanValue } from './members.ts'
import { isObjectMember } from './names.ts'
import { type FieldType, fieldTypeNames, type fieldTypes, typeOf } from './types/index.ts'

/** A longer form is several content types. */
const MAX_FIELDS = 100
/** With those of all lists inside: every save and every read goes through all of them. */
const MAX_FIELDS_IN_ALL = 300
/** Lists inside lists. */
export const MAX_LIST_DEPTH = 8

const fieldKey = z.string().superRefine((key, context) => {
  const message = keyProblem(key)
  if (message !== null) context.addIssue({ code: 'custom', message })
})

/** What every field has. */
const members = {
  key: fieldKey,
  /** Derived from the key if absent. */
  label: z.string().trim().max(200, 'must have at most 200 characters').default(''),
  /** Shown below the input. */
  help: z.string().trim().max(2000, 'must have at most 2000 characters').default(''),
  /** Required to publish; drafts can be incomplete. */
  required: z.boolean().default(false),
  /** No two entries may have the same value. */
  unique: z.boolean().default(false),
  indexed: z.boolean().default(false),
  /** Never on delivery. */
  hidden: z.boolean().default(false),
  /** What a new entry starts with; null for the empty value. */
  default: z.unknown().default(null),
}

/** Every type but the list, which is made of fields itself. */
type LeafType = Exclude<FieldType, 'list'>
type OptionsOf<T extends LeafType> = (typeof fieldTypes)[T]['options'] extends z.ZodObject<infer S> ? S : never
type LeafShape<T extends LeafType> = typeof members & { type: z.ZodLiteral<T> } & OptionsOf<T>
type Leaf = { [T in LeafType]: z.ZodObject<LeafShape<T>, z.core.$strict> }[LeafType]
type FieldMembers = z.infer<z.ZodObject<typeof members>>
type FieldMembersInput = z.input<z.ZodObject<typeof members>>

type ListCounts = { minItems?: number | undefined; maxItems?: number | undefined }
type ListField = FieldMembers & ListCounts & { type: 'list'; fields: Field[] }
type ListFieldInput = FieldMembersInput & ListCounts & { type: 'list'; fields: FieldInput[] }

/** A field of a content type or of a list, with everything filled in. */
export type Field = z.infer<Leaf> | ListField
/** A field as it is sent: only key and type are needed, and what its type asks for. */
export type FieldInput = z.input<Leaf> | ListFieldInput
export type FieldOf<T extends FieldType> = Extract<Field, { type: T }>

/** How the values of the field compare; undefined when they cannot be sorted by. */
export const scalarOf = (field: { readonly type: FieldType }): Scalar | undefined =>
  scalars.find((scalar) => scalar === typeOf(field).comparesAs)

const fieldSchema = (type: FieldType) =>
  z.strictObject({ ...members, type: z.literal(type), ...typeOf({ type }).options.shape })

/** Fields that are right one by one, with no key twice. What is left out is filled in. */
export const fieldList: z.ZodType<Field[], FieldInput[]> = z.lazy(() => {
  const [first, ...others] = fieldTypeNames.map(fieldSchema)
  if (!first) throw new Error('There are no field types')
  const anyField = z.discriminatedUnion('type', [first, ...others], {
    error: (issue) => (issue.code === 'invalid_union' ? `must be one of ${fieldTypeNames.join(', ')}` : undefined),
  })
  return (
    z
      // `Field` is what these schemas give, type by type, which TypeScript cannot follow through the registry
      .array(anyField as z.ZodType<Field, FieldInput>)
      .max(MAX_FIELDS, `must have at most ${MAX_FIELDS} fields`)
      .superRefine((fields, context) => report(context, checkFields(fields)))
      .overwrite((fields) => fields.map(complete))
  )
})

/** The fields of a content type. */
export const contentFields = fieldList.superRefine((fields, context) => report(context, checkNesting(fields, '', 0)))

/** The field in words, for people: `heroTitle` is "Hero title". */
export const labelFromKey = (key: string): string => {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What is wrong with a key; null when it is right. */
export const keyProblem = (key: string): string | null => {
  if (isObjectMember(key) || key === '__layout') return 'is reserved; choose another key'
  if (/^[a-z][a-zA-Z0-9]{0,62}$/.test(key)) return null
  if (/^[a-zA-Z0-9]+(?:[_-][a-zA-Z0-9]+)+$/.test(key) && key.length <= 63)
    return `must be camelCase: ${camelCase(key)} instead of ${key}`
  return 'must be camelCase: a lowercase letter, then only letters and digits, up to 63 characters'
}

const camelCase = (key: string): string => {
  const joined = key.replace(/[_-]+(.)/g, (_, letter: string) => letter.toUpperCase())
  return joined.charAt(0).toLowerCase() + joined.slice(1)
}

const complete = (field: Field): Field => {
  const value = field.default === null ? null : cleanValue(field, field.default, { embedHosts: [] })
  const label = field.label === '' ? labelFromKey(field.key) : field.label
  return { ...field, label, indexed: field.indexed || field.unique, default: value }
}

const checkFields = (fields: readonly Field[]): Problem[] => {
  const seen = new Set<string>()
  return fields.flatMap((field, index) => {
    const isTwice = seen.has(field.key)
    seen.add(field.key)
    const problems = [...(isTwice ? problem('key', 'is already the key of another field') : []), ...checkField(field)]
    return problems.map(({ key, message }) => ({ key: `${index}.${key}`, message }))
  })
}

const checkField = (field: Field): Problem[] => {
  const type = typeOf(field)
  const problems = type.checkOptions?.(field) ?? []
  if (scalarOf(field) === undefined)
    for (const option of ['unique', 'indexed'] as const)
      if (field[option]) problems.push(...problem(option, `can't be used with fields of type ${field.type}`))
  if (problems.length > 0 || field.default === null) return problems
  return type.check(cleanValue(field, field.default, { embedHosts: [] }), field, 'default')
}

/** What only shows from the top: how deep lists go, how many fields there are, and what lists cannot be asked for. */
const checkNesting = (fields: readonly Field[], prefix: string, depth: number): Problem[] => {
  const problems = fields.flatMap((field, index) => checkListField(field, `${prefix}${index}.`, depth))
  if (depth === 0 && countFields(fields) > MAX_FIELDS_IN_ALL)
    problems.push({ key: '', message: `must have at most ${MAX_FIELDS_IN_ALL} fields, including the fields of lists` })
  return problems
}

const checkListField = (field: Field, prefix: string, depth: number): Problem[] => {
  if (depth > 0 && (field.unique || field.indexed))
    return problem(`${prefix}${field.unique ? 'unique' : 'indexed'}`, "can't be used inside a list")
  if (field.type !== 'list') return []
  if (depth >= MAX_LIST_DEPTH)
    return problem(`${prefix}type`, `must not be a list: lists can be nested up to ${MAX_LIST_DEPTH} levels deep`)
  return checkNesting(field.fields, `${prefix}fields.`, depth + 1)
}

const countFields = (fields: readonly Field[]): number =>
  fields.reduce((count, field) => count + 1 + (field.type === 'list' ? countFields(field.fields) : 0), 0)

const report = (context: z.RefinementCtx, problems: readonly Problem[]): void => {
  for (const { key, message } of problems.slice(0, 100))
    context.addIssue({ code: 'custom', path: key.split('.').filter((part) => part !== ''), message })
}
