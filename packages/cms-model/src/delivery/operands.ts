import type { Comparison, Scalar } from '../fields/define.ts'
import type { Field, FieldOf } from '../fields/field.ts'
import { typeOf } from '../fields/types/index.ts'

export const filterOps = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'nin', 'contains', 'starts', 'exists'] as const
export type FilterOp = (typeof filterOps)[number]

/** Members of an entry that lists can be sorted by, beside its fields. */
export const sortMembers = ['title', 'slug', 'publishedAt', 'createdAt', 'updatedAt'] as const
export type SortMember = (typeof sortMembers)[number]

/** Members that lists can be filtered by; `id` and `translationOf` are ids. */
const memberScalars = {
  title: 'text',
  slug: 'text',
  locale: 'text',
  publishedAt: 'datetime',
  createdAt: 'datetime',
  updatedAt: 'datetime',
} as const satisfies Record<SortMember | 'locale', Scalar>
type Member = keyof typeof memberScalars

/** What the keys of a query can name. */
export type Known = {
  /** The fields of the type that is asked for. */
  fields: readonly Field[]
  /** The fields of another type; null if it does not exist or may not be read: the two are indistinguishable. */
  fieldsOf(type: string): readonly Field[] | null
  /** Whether hidden fields can be named. */
  seen: 'all' | 'visible'
}

/** Fields whose values are among their own options. */
export type ChoiceField = Extract<Field, { options: readonly unknown[] }>
/** Fields that name the type of the entries they hold the ids of. */
export type ReferenceField = Extract<Field, { to: string }>

/** What a key with one name stands for. */
export type Leaf =
  | { kind: 'identity'; name: 'id' | 'translationOf' }
  | { kind: 'member'; name: Member; scalar: Scalar }
  | { kind: 'field'; field: Field; scalar: Scalar }
  /** Text that is too long to be compared as a whole. */
  | { kind: 'writing'; field: Field }
  /** Several options of one entry. */
  | { kind: 'choices'; field: ChoiceField }
  /** Entries that this one refers to. */
  | { kind: 'reference'; field: ReferenceField }
  | { kind: 'media'; field: Field }
  /** Values of this field can only be tested for presence. */
  | { kind: 'presence'; field: Field }

/** What a key stands for. Keys of hidden fields stand for nothing. */
export type Operand =
  | Leaf
  /** A member of the items of a list. */
  | { kind: 'rows'; field: FieldOf<'list'>; inner: Operand }
  /** A condition on the entries that this one refers to. */
  | { kind: 'through'; field: ReferenceField; inner: Operand }

export type SortOperand = Extract<Leaf, { kind: 'field' }> | { kind: 'member'; name: SortMember; scalar: Scalar }

const COMPARE = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'nin', 'exists'] as const
const IDS = ['eq', 'ne', 'in', 'nin', 'exists'] as const
const opsByKind: { readonly [K in Comparison | 'identity']: readonly FilterOp[] } = {
  text: filterOps,
  number: COMPARE,
  date: COMPARE,
  datetime: COMPARE,
  boolean: ['eq', 'ne', 'exists'],
  identity: IDS,
  writing: ['contains', 'starts', 'exists'],
  choices: ['contains', 'in', 'nin', 'exists'],
  reference: IDS,
  media: IDS,
  presence: ['exists'],
}

/** What is compared in the end, behind references and lists. */
export const leafOf = (operand: Operand): Leaf =>
  operand.kind === 'rows' || operand.kind === 'through' ? leafOf(operand.inner) : operand

/** The conditions that can be asked of it. */
export const opsOf = (operand: Operand): readonly FilterOp[] => {
  const leaf = leafOf(operand)
  return opsByKind['scalar' in leaf ? leaf.scalar : leaf.kind]
}

/** What a sort key stands for: a member, or a field whose values have an order. */
export const sortOperand = (key: string, known: Known): SortOperand | null => {
  const member = sortMembers.find((name) => name === key)
  if (member !== undefined) return { kind: 'member', name: member, scalar: memberScalars[member] }
  const operand = fieldOperand(withoutData(key).split('.'), known, 0)
  return operand?.kind === 'field' ? operand : null
}

/** Members win over fields of the same name, which are then named `data.title`. References are followed once. */
export const operandOf = (key: string, known: Known, hops = 0): Operand | null => {
  if (key === 'id' || key === 'translationOf') return { kind: 'identity', name: key }
  if (isMember(key)) return { kind: 'member', name: key, scalar: memberScalars[key] }
  return fieldOperand(withoutData(key).split('.'), known, hops)
}

const isMember = (key: string): key is Member => Object.hasOwn(memberScalars, key)

const withoutData = (key: string): string => (key.startsWith('data.') ? key.slice('data.'.length) : key)

const MAX_HOPS = 1

const fieldOperand = ([name, ...rest]: readonly string[], known: Known, hops: number): Operand | null => {
  const field = known.fields.find(({ key, hidden }) => key === name && (known.seen === 'all' || !hidden))
  if (!field) return null
  if (rest.length === 0) return toLeaf(field)
  if (field.type === 'list') {
    const inner = fieldOperand(rest, { ...known, fields: field.fields }, hops)
    return inner && { kind: 'rows', field, inner }
  }
  if (!('to' in field) || hops >= MAX_HOPS) return null
  const fields = known.fieldsOf(field.to)
  if (fields === null) return null
  const inner = operandOf(rest.join('.'), { ...known, fields }, hops + 1)
  return inner && { kind: 'through', field, inner }
}

const toLeaf = (field: Field): Leaf | null => {
  const kind = typeOf(field).comparesAs
  switch (kind) {
    case 'writing':
    case 'media':
    case 'presence':
      return { kind, field }
    case 'choices':
      return 'options' in field ? { kind, field } : null
    case 'reference':
      return 'to' in field ? { kind, field } : null
    default:
      return { kind: 'field', field, scalar: kind }
  }
}
