import { DEFAULT_DEPTH, MAX_DEPTH } from '../delivery.ts'
import type { FieldProblem } from '../errors.ts'
import type { Field } from '../fields/field.ts'
import { LAYOUT_KEY } from '../fields/layout.ts'
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET, MAX_SEARCH_LENGTH } from '../lists.ts'
import { type Filter, readFilter } from './filter.ts'
import { type Known, type SortOperand, sortMembers, sortOperand } from './operands.ts'

const MAX_SORT_KEYS = 5
const MAX_TERMS = 20
const MAX_NAMES = 100
const MAX_LOCALE_LENGTH = 35
/** With all conditions of a filter. */
const MAX_PARAMETERS = 50

const includable = ['terms', 'author', 'translations'] as const
export type Include = Record<(typeof includable)[number], boolean>

/** Which members of an entry are asked for, and which fields of its data; null: all of them. */
export type Selection = { members: ReadonlySet<string>; keys: ReadonlySet<string> | null }

/** What can be asked of one entry. */
export type EntryQuery = { include: Include; selection: Selection | null; depth: number }

export type SortKey = { key: string; operand: SortOperand; descending: boolean }
/** `isDeep`: with the terms below it. */
export type TermName = { taxonomy: string | null; slug: string; isDeep: boolean }

/** What can be asked of a list. */
export type ListQuery = EntryQuery & {
  page: number
  limit: number
  sort: SortKey[]
  /** Entries need one of these terms; null: any entry. */
  terms: TermName[] | null
  locale: string | null
  q: string | null
  filter: Filter
}

export type Read<Q> = { query: Q; problems: [] } | { query: null; problems: FieldProblem[] }

type Parameters = Iterable<readonly [string, string]>

/** The query of a list of entries of a type that is known. */
export const readListQuery = (parameters: Parameters, known: Known): Read<ListQuery> => {
  const given = collect(parameters, LIST_PARAMETERS)
  const { problems } = given
  const page = readNumber(given, 'page', { standard: 1, max: Number.MAX_SAFE_INTEGER })
  const limit = readNumber(given, 'limit', { standard: DEFAULT_LIMIT, max: MAX_LIMIT })
  if ((page - 1) * limit > MAX_OFFSET) problems.push({ key: 'page', message: `must not go beyond item ${MAX_OFFSET}` })
  const { filter, problems: wrong } = readFilter(given.filters, known)
  problems.push(...wrong)
  const query: ListQuery = {
    ...readEntryMembers(given, known.fields),
    page,
    limit,
    sort: readSort(given, known),
    terms: readTerms(given),
    locale: readText(given, 'locale', MAX_LOCALE_LENGTH),
    q: readText(given, 'q', MAX_SEARCH_LENGTH)?.trim() || null,
    filter,
  }
  return problems.length > 0 ? { query: null, problems } : { query, problems: [] }
}

/** The query of one entry that has these fields. */
export const readEntryQuery = (parameters: Parameters, fields: readonly Field[]): Read<EntryQuery> => {
  const given = collect(parameters, ENTRY_PARAMETERS)
  const query = readEntryMembers(given, fields)
  return given.problems.length > 0 ? { query: null, problems: given.problems } : { query, problems: [] }
}

/** The query of what takes no parameters. */
export const readNoQuery = (parameters: Parameters): FieldProblem[] => collect(parameters, new Set()).problems

const ENTRY_PARAMETERS: ReadonlySet<string> = new Set(['include', 'fields', 'depth'])
const LIST_PARAMETERS: ReadonlySet<string> = new Set([
  ...ENTRY_PARAMETERS,
  'page',
  'limit',
  'sort',
  'term',
  'locale',
  'q',
  'filter',
])

type Given = { values: Map<string, string>; filters: [string, string][]; problems: FieldProblem[] }

/** Each parameter once; a list of them, such as `sort[]=`, is an unknown name. */
const collect = (parameters: Parameters, known: ReadonlySet<string>): Given => {
  const given: Given = { values: new Map(), filters: [], problems: [] }
  const seen = new Set<string>()
  for (const [name, value] of parameters) {
    if (seen.size >= MAX_PARAMETERS) {
      given.problems.push({ key: 'query', message: `must have at most ${MAX_PARAMETERS} parameters` })
      break
    }
    const key = name.slice(0, 200)
    if (seen.has(name)) given.problems.push({ key, message: 'must be sent only once' })
    else if (name.startsWith('filter[') && known.has('filter')) given.filters.push([name, value])
    else if (known.has(name) && name !== 'filter') given.values.set(name, value)
    else given.problems.push({ key, message: "isn't a known parameter" })
    seen.add(name)
  }
  return given
}

const readNumber = (
  { values, problems }: Given,
  key: string,
  { standard, max }: { standard: number; max: number },
): number => {
  const text = values.get(key)
  if (text === undefined) return standard
  if (/^\d{1,100}$/.test(text) && Number(text) >= 1) return Math.min(Number(text), max)
  problems.push({ key, message: 'must be a whole number, 1 or more' })
  return standard
}

const readText = ({ values, problems }: Given, key: string, max: number): string | null => {
  const text = values.get(key)
  if (text === undefined) return null
  if (text.length > max) problems.push({ key, message: `must have at most ${max} characters` })
  return text
}

const readEntryMembers = (given: Given, fields: readonly Field[]): EntryQuery => ({
  include: readInclude(given),
  selection: readSelection(given, fields),
  depth: readDepth(given),
})

const readDepth = ({ values, problems }: Given): number => {
  const text = values.get('depth')
  if (text === undefined) return DEFAULT_DEPTH
  if (/^\d$/.test(text) && Number(text) <= MAX_DEPTH) return Number(text)
  problems.push({ key: 'depth', message: `must be a whole number from 0 to ${MAX_DEPTH}` })
  return DEFAULT_DEPTH
}

const readInclude = ({ values, problems }: Given): Include => {
  const text = values.get('include')
  const names = text === undefined ? [] : text.split(',').map((name) => name.trim())
  if (names.some((name) => !includable.some((known) => known === name)))
    problems.push({ key: 'include', message: `must be a comma-separated list of ${includable.join(', ')}` })
  const isNamed = (name: string) => names.includes(name)
  return { terms: isNamed('terms'), author: isNamed('author'), translations: isNamed('translations') }
}

const selectable: ReadonlySet<string> = new Set([
  'id',
  'type',
  'data',
  'status',
  'locale',
  'translationOf',
  'url',
  'version',
  ...sortMembers,
])

const readSelection = ({ values, problems }: Given, fields: readonly Field[]): Selection | null => {
  const text = values.get('fields')
  if (text === undefined) return null
  const names = text.split(',').map((name) => name.trim())
  const members = new Set<string>(['id'])
  const keys = new Set<string>()
  for (const name of names.slice(0, MAX_NAMES)) {
    const key = name.startsWith('data.') ? name.slice('data.'.length) : name
    const isField = key === LAYOUT_KEY || fields.some((field) => field.key === key && !field.hidden)
    if (selectable.has(name)) members.add(name)
    else if (isField) keys.add(key)
    else {
      problems.push({ key: 'fields', message: `must be properties and fields; ${name.slice(0, 100)} is neither` })
      return null
    }
  }
  if (names.length > MAX_NAMES) problems.push({ key: 'fields', message: `must have at most ${MAX_NAMES} names` })
  if (members.has('data')) return { members, keys: null }
  if (keys.size > 0) members.add('data')
  return { members, keys }
}

const readSort = ({ values, problems }: Given, known: Known): SortKey[] => {
  const { sort, problem } = readSortKeys(values.get('sort') ?? '-publishedAt', known)
  if (problem !== null) problems.push({ key: 'sort', message: problem })
  return sort
}

/** An order as it is written: `-publishedAt,title`. */
export const readSortKeys = (text: string, known: Known): { sort: SortKey[]; problem: string | null } => {
  const parts = text.split(',').map((part) => part.trim())
  const keys = parts.slice(0, MAX_SORT_KEYS + 1).map((part) => readSortKey(part, known))
  const sort = keys.filter((key) => key !== null)
  const refuse = (problem: string) => ({ sort: [], problem })
  if (parts.length > MAX_SORT_KEYS) return refuse(`must have at most ${MAX_SORT_KEYS} keys`)
  if (sort.length < keys.length)
    return refuse(`must be ${sortMembers.join(', ')} or sortable fields; - sorts in descending order`)
  if (new Set(sort.map(({ operand }) => nameOf(operand))).size < sort.length)
    return refuse('must contain each key only once')
  return { sort, problem: null }
}

const nameOf = (operand: SortKey['operand']): string =>
  operand.kind === 'member' ? operand.name : `data.${operand.field.key}`

/** `-price` and `price:desc` are the same. */
const readSortKey = (part: string, known: Known): SortKey | null => {
  const [, minus, key, direction] = /^(-?)([\w.]{1,100})(?::(asc|desc))?$/.exec(part) ?? []
  if (key === undefined || (minus === '-' && direction !== undefined)) return null
  const operand = sortOperand(key, known)
  return operand && { key, operand, descending: minus === '-' || direction === 'desc' }
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const readTerms = ({ values, problems }: Given): TermName[] | null => {
  const text = values.get('term')
  if (text === undefined) return null
  const names = text.split(',').map((part): TermName => {
    const [, taxonomy, slug = '', deep] = /^(?:([^:]*):)?([^:/]*)(\/\*)?$/.exec(part.trim()) ?? []
    return { taxonomy: taxonomy ?? null, slug, isDeep: deep !== undefined }
  })
  const isWrong = ({ taxonomy, slug }: TermName) =>
    slug.length > 200 || !SLUG.test(slug) || (taxonomy !== null && !SLUG.test(taxonomy))
  if (names.length > MAX_TERMS || names.some(isWrong))
    problems.push({
      key: 'term',
      message: `must be slugs, taxonomy:slug or taxonomy:slug/*, up to ${MAX_TERMS} of them`,
    })
  return names
}
