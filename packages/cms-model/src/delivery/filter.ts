import type { FieldProblem } from '../errors.ts'
import { isCalendarDate, toMoment } from '../fields/calendar.ts'
import { type FilterOp, type Known, type Leaf, leafOf, type Operand, operandOf, opsOf } from './operands.ts'

/** More conditions ask for a program of their own. */
const MAX_CONDITIONS = 20
const MAX_VALUES = 100
const MAX_VALUE_LENGTH = 1000

/** One condition. `values` has one item, unless the op takes several; `exists` has true or false. */
export type Condition = {
  /** The key as written in the query. */
  key: string
  operand: Operand
  op: FilterOp
  values: readonly (string | number | boolean)[]
}

/** All of `all`, and one of `any` if there are alternatives: each is a list of conditions that hold together. */
export type Filter = { all: Condition[]; any: Condition[][] }

/** Reads every `filter[…]` parameter. */
export const readFilter = (
  parameters: readonly (readonly [string, string])[],
  known: Known,
): { filter: Filter; problems: FieldProblem[] } => {
  const problems: FieldProblem[] = []
  const filter: Filter = { all: [], any: [] }
  const groups = new Map<string, Condition[]>()
  if (parameters.length > MAX_CONDITIONS)
    return { filter, problems: [{ key: 'filter', message: `must have at most ${MAX_CONDITIONS} conditions` }] }
  for (const [name, value] of parameters) {
    const named = readKey(name)
    const read = named === null ? MISPLACED : readCondition(named, value, known)
    if ('message' in read) problems.push({ key: name.slice(0, 200), message: read.message })
    else if (named?.group === undefined) filter.all.push(read)
    else groups.set(named.group, [...(groups.get(named.group) ?? []), read])
  }
  filter.any.push(...groups.values())
  return { filter, problems }
}

type FilterKey = { group: string | undefined; key: string; op: string }

/** `filter[price][gte]`, or `filter[or][0][price][gte]` for alternatives. */
const readKey = (name: string): FilterKey | null => {
  const [, group, key, op] = /^filter(?:\[or\]\[(\d{1,2})\])?\[([\w.]{1,200})\]\[(\w{1,20})\]$/.exec(name) ?? []
  return key === undefined || op === undefined ? null : { group, key, op }
}

type Refusal = { message: string }

const MISPLACED: Refusal = { message: 'must be written as filter[key][op] or filter[or][0][key][op]' }

const readCondition = ({ key, op: asked }: FilterKey, text: string, known: Known): Condition | Refusal => {
  const operand = operandOf(key, known)
  if (!operand) return { message: "isn't a key you can filter by" }
  const allowed = opsOf(operand)
  const op = allowed.find((known) => known === asked)
  if (op === undefined) return { message: `must have one of these operators: ${allowed.join(', ')}` }
  if (op === 'exists') {
    if (text !== 'true' && text !== 'false') return { message: 'must be true or false' }
    return { key, operand, op, values: [text === 'true'] }
  }
  const given = op === 'in' || op === 'nin' ? text.split(',') : [text]
  if (given.length > MAX_VALUES) return { message: `must have at most ${MAX_VALUES} values` }
  const leaf = leafOf(operand)
  const values = given.map((value) => readValue(leaf, value))
  const wrong = values.find((value) => typeof value === 'object')
  if (typeof wrong === 'object') return wrong
  return { key, operand, op, values: values.filter((value) => typeof value !== 'object') }
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const readValue = (leaf: Leaf, text: string): string | number | boolean | Refusal => {
  if (text.length > MAX_VALUE_LENGTH) return { message: `must have at most ${MAX_VALUE_LENGTH} characters` }
  if (leaf.kind === 'identity' || leaf.kind === 'reference' || leaf.kind === 'media')
    return ID.test(text) ? text.toLowerCase() : { message: 'must be an ID' }
  if (!('scalar' in leaf)) return text
  switch (leaf.scalar) {
    case 'text':
      return text
    case 'number':
      return /^-?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i.test(text) && Number.isFinite(Number(text))
        ? Number(text)
        : { message: 'must be a number' }
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : { message: 'must be true or false' }
    case 'date':
      return isCalendarDate(text) ? text : { message: 'must be a date like 2026-03-01' }
    case 'datetime':
      return readMoment(text) ?? { message: 'must be a date or time like 2026-03-01 or 2026-03-01T09:30:00Z' }
  }
}

/** A day stands for its first moment in UTC. A plus sign that was not encoded arrives as a space. */
const readMoment = (text: string): string | null =>
  toMoment(isCalendarDate(text) ? `${text}T00:00:00Z` : text.replace(/ (?=\d\d:?\d\d$)/, '+'))
