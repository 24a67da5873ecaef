import { type FilterOp, filterOps, type Known, operandOf, opsOf } from '@stoa/cms-model/delivery/operands.ts'
import type { Comparison } from '@stoa/cms-model/fields/define.ts'
import { type Field, scalarOf } from '@stoa/cms-model/fields/field.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'

/** One condition on a field of the type, as the service takes it. */
export type Condition = { key: string; op: FilterOp; value: string }

/** The limit of the service. */
export const MAX_CONDITIONS = 20

/** `price:gte:10;mood:eq:calm` in the address. What the type does not have is left out, where it is known. */
export const readConditions = (text: string, fields: readonly Field[] | null): readonly Condition[] => {
  const read = text.split(';').flatMap((part) => {
    const [, key = '', name, value = ''] = /^([\w.]{1,200}):([a-z]+):(.*)$/s.exec(part) ?? []
    const op = filterOps.find((known) => known === name)
    return op === undefined ? [] : [{ key, op, value: unescapeValue(value) }]
  })
  return unique(read)
    .filter(({ key, op }) => fields === null || canAsk(key, op, fields))
    .slice(0, MAX_CONDITIONS)
}

export const writeConditions = (conditions: readonly Condition[]): string =>
  unique(conditions)
    .map(({ key, op, value }) => `${key}:${op}:${value.replace(/[%;]/g, encodeURIComponent)}`)
    .join(';')

/** The parameters of the request. */
export const parametersOf = (conditions: readonly Condition[]): Record<string, string> =>
  Object.fromEntries(conditions.map(({ key, op, value }) => [`filter[${key}][${op}]`, value]))

/** The service takes each key and operator once: the last one counts. */
const unique = (conditions: readonly Condition[]): readonly Condition[] => [
  ...new Map(conditions.map((condition) => [`${condition.key}:${condition.op}`, condition])).values(),
]

const unescapeValue = (text: string): string => text.replace(/%(25|3B)/g, decodeURIComponent)

/** Members of a type that is referred to are the service's to know. */
const canAsk = (key: string, op: FilterOp, fields: readonly Field[]): boolean => {
  const known: Known = { fields, fieldsOf: () => [], seen: 'all' }
  const operand = operandOf(key, known)
  return operand !== null && opsOf(operand).includes(op)
}

/** The kind of input for a condition's value; null for a condition without a value. */
export type ValueKind = 'text' | 'number' | 'date' | 'moment' | 'choice' | null

/** A condition in words: "is more than". `value` where it has no other. */
export type Question = { id: string; label: string; op: FilterOp; kind: ValueKind; value?: string; member?: string }

const ask = (op: FilterOp, label: string, kind: ValueKind): Question => ({ id: op, label, op, kind })
const PRESENCE: readonly Question[] = [
  { id: 'filled', label: 'is not empty', op: 'exists', kind: null, value: 'true' },
  { id: 'empty', label: 'is empty', op: 'exists', kind: null, value: 'false' },
]
const CONTAINS = [ask('contains', 'contains', 'text'), ask('starts', 'starts with', 'text')]

const questions: Readonly<Record<Comparison, readonly Question[]>> = {
  text: [...CONTAINS, ask('eq', 'is', 'text'), ask('ne', 'is not', 'text'), ...PRESENCE],
  number: [
    ask('eq', 'is', 'number'),
    ask('ne', 'is not', 'number'),
    ask('gt', 'is more than', 'number'),
    ask('gte', 'is at least', 'number'),
    ask('lt', 'is less than', 'number'),
    ask('lte', 'is at most', 'number'),
    ...PRESENCE,
  ],
  date: [ask('eq', 'is', 'date'), ask('lt', 'is before', 'date'), ask('gt', 'is after', 'date'), ...PRESENCE],
  datetime: [ask('lt', 'is before', 'moment'), ask('gt', 'is after', 'moment'), ...PRESENCE],
  boolean: [
    { id: 'yes', label: 'is yes', op: 'eq', kind: null, value: 'true' },
    { id: 'no', label: 'is no', op: 'eq', kind: null, value: 'false' },
  ],
  writing: [...CONTAINS, ...PRESENCE],
  choices: [ask('contains', 'has', 'choice'), ask('nin', "doesn't have", 'choice'), ...PRESENCE],
  reference: [{ ...ask('contains', 'has a title that contains', 'text'), member: 'title' }, ...PRESENCE],
  media: PRESENCE,
  presence: PRESENCE,
}

/** Conditions for a field with options that holds one of them. */
const ONE_CHOICE: readonly Question[] = [ask('eq', 'is', 'choice'), ask('ne', 'is not', 'choice'), ...PRESENCE]

/** The conditions that a field supports, the usual first. */
export const questionsFor = (field: Field): readonly Question[] =>
  'options' in field && scalarOf(field) !== undefined ? ONE_CHOICE : questions[typeOf(field).comparesAs]

/** A field that can be asked for, by the key of the service. */
export type Askable = { key: string; label: string; field: Field }

/** The fields of a type, and those of the items of its lists. */
export const askables = (fields: readonly Field[]): readonly Askable[] =>
  fields.flatMap((field): Askable[] => {
    const own = { key: `data.${field.key}`, label: field.label, field }
    if (!('fields' in field)) return [own]
    const inner = field.fields.filter((member) => !('fields' in member))
    return [
      own,
      ...inner.map((member) => ({
        key: `data.${field.key}.${member.key}`,
        label: `${field.label}: ${member.label}`,
        field: member,
      })),
    ]
  })

/** A condition as a row of the form has it. */
export type AskedCondition = { askable: Askable; question: Question; value: string }

/** The row for a condition; undefined for one that the form does not offer. */
export const askedBy = ({ key, op, value }: Condition, fields: readonly Field[]): AskedCondition | undefined => {
  for (const askable of askables(fields))
    for (const question of questionsFor(askable.field)) {
      const asked = question.member === undefined ? askable.key : `${askable.key}.${question.member}`
      const isSame = withPrefix(key) === asked && op === question.op
      if (isSame && (question.value === undefined || question.value === value)) return { askable, question, value }
    }
  return undefined
}

const withPrefix = (key: string): string => (key.startsWith('data.') ? key : `data.${key}`)

export const conditionOf = ({ askable, question, value }: AskedCondition): Condition => ({
  key: question.member === undefined ? askable.key : `${askable.key}.${question.member}`,
  op: question.op,
  value: question.value ?? value.trim(),
})

/** The condition in a few words, for people. */
export const conditionWords = (condition: Condition, fields: readonly Field[]): string => {
  const asked = askedBy(condition, fields)
  if (!asked) return `${condition.key} ${condition.op} ${condition.value}`
  const { askable, question, value } = asked
  const start = `${askable.label} ${question.label}`
  return question.kind === null ? start : `${start} ${shownValue(askable.field, question.kind, value)}`
}

const shownValue = (field: Field, kind: ValueKind, value: string): string => {
  if (kind === 'choice' && 'options' in field)
    return field.options.find((option) => option.value === value)?.label ?? value
  if (kind === 'moment') return new Date(value).toLocaleString()
  return kind === 'text' ? `“${value}”` : value
}
