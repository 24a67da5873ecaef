import type { Collection, IndexValue, ListOptions, StoaError, Store, StoredDocument } from './stoa-api.ts'

/** What a call throws that the service refuses. */
export const refusal = (status: number, code: string, message: string): StoaError =>
  Object.assign(new Error(message), { name: 'StoaError', status, code })

type Declared = { name: string; indexes?: readonly string[] }
type Document = StoredDocument<Record<string, unknown>>

const MAX_LIMIT = 100
const DEFAULT_LIMIT = 50

/** Collections in memory with the rules of the real ones. */
export const createTestStore = (declared: readonly Declared[], now: () => Date): Store => {
  const collections = new Map(declared.map(({ name, indexes = [] }) => [name, open(name, indexes, now)]))
  const absent = (name: string): Collection<never> => {
    const refuse = () => Promise.reject(refusal(400, 'VALIDATION_FAILED', `The collection "${name}" doesn't exist`))
    return { get: refuse, put: refuse, delete: refuse, list: refuse }
  }
  return <T>(name: string) => (collections.get(name) ?? absent(name)) as Collection<T>
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value))

const open = (name: string, indexes: readonly string[], now: () => Date): Collection<Record<string, unknown>> => {
  const documents = new Map<string, Document>()
  const refuseId = (id: string): void => {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw refusal(400, 'VALIDATION_FAILED', `"${id}" can't be an ID`)
  }
  const refuseVersion = (id: string, ifVersion: number | undefined): void => {
    if (ifVersion !== undefined && ifVersion !== (documents.get(id)?.version ?? 0))
      throw refusal(409, 'VERSION_CONFLICT', 'The document was changed or deleted since it was read')
  }
  return {
    get: async (id) => {
      refuseId(id)
      const found = documents.get(id)
      return found ? copy(found) : null
    },
    put: async (id, value, { ifVersion } = {}) => {
      refuseId(id)
      refuseVersion(id, ifVersion)
      const before = documents.get(id)
      const at = now().toISOString()
      const version = (before?.version ?? 0) + 1
      documents.set(id, { id, version, value: copy(value), createdAt: before?.createdAt ?? at, updatedAt: at })
      return { id, version }
    },
    delete: async (id, { ifVersion } = {}) => {
      refuseId(id)
      refuseVersion(id, ifVersion)
      return documents.delete(id)
    },
    list: async (options = {}) => page([...documents.values()], readList(name, indexes, options)),
  }
}

type Wanted = {
  where: [string, readonly IndexValue[]][]
  sort: string | null
  isDown: boolean
  limit: number
  from: number
}

const readList = (
  name: string,
  indexes: readonly string[],
  { where = {}, sort, limit, cursor }: ListOptions,
): Wanted => {
  const key = sort?.replace(/^-/, '') ?? null
  for (const index of [...Object.keys(where), ...(key === null ? [] : [key])])
    if (!indexes.includes(index))
      throw refusal(400, 'VALIDATION_FAILED', `The collection ${name} has no index "${index}"`)
  if (limit !== undefined && !(limit >= 1 && limit <= MAX_LIMIT))
    throw refusal(400, 'VALIDATION_FAILED', `limit must be from 1 to ${MAX_LIMIT}`)
  return {
    where: Object.entries(where).map(([index, value]) => [index, isList(value) ? value : [value]]),
    sort: key,
    isDown: sort?.startsWith('-') ?? false,
    limit: limit ?? DEFAULT_LIMIT,
    from: Number(cursor ?? 0),
  }
}

const isList = (value: IndexValue | readonly IndexValue[]): value is readonly IndexValue[] => Array.isArray(value)

const page = (documents: Document[], { where, sort, isDown, limit, from }: Wanted) => {
  const keyOf = ({ value, id }: Document): string => `${sort === null ? '' : JSON.stringify(value[sort] ?? null)} ${id}`
  const found = documents
    .filter(({ value }) => where.every(([index, allowed]) => allowed.some((one) => one === (value[index] ?? null))))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1) * (isDown ? -1 : 1))
  const end = from + limit
  return { items: copy(found.slice(from, end)), cursor: end < found.length ? String(end) : null }
}
