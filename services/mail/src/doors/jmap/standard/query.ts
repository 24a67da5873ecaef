import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import {
  checkNames,
  failArgument,
  isRecord,
  readBoolean,
  readId,
  readInt,
  readString,
  readUnsigned,
} from './arguments.ts'
import { readMaxChanges } from './changes.ts'

/** How deep and how wide filters may be; wider ones are refused as unsupported. */
const MAX_FILTER_DEPTH = 20
const MAX_CONDITIONS = 200
const MAX_SORT_KEYS = 10

export type FilterNode<C> = { condition: C } | { operator: 'AND' | 'OR' | 'NOT'; conditions: FilterNode<C>[] }

/** A filter of a /query with its conditions read by the type; null without one (RFC 8620 §5.5). */
export const readFilter = <C>(args: Args, readCondition: (condition: Args) => C): FilterNode<C> | null => {
  let count = 0
  const read = (value: unknown, depth: number): FilterNode<C> => {
    count += 1
    if (depth > MAX_FILTER_DEPTH || count > MAX_CONDITIONS)
      return failMethod('unsupportedFilter', 'The filter has too many conditions.')
    if (!isRecord(value)) return failArgument('filter', 'must be made of objects')
    if (!Object.hasOwn(value, 'operator')) return { condition: readCondition(value) }
    const { operator, conditions, ...rest } = value
    const isGood = (operator === 'AND' || operator === 'OR' || operator === 'NOT') && Array.isArray(conditions)
    if (!isGood || Object.keys(rest).length > 0)
      return failArgument('filter', 'has an operator that is not AND, OR or NOT with a list of conditions')
    return { operator, conditions: conditions.map((inner) => read(inner, depth + 1)) }
  }
  const filter = args.filter ?? null
  return filter === null ? null : read(filter, 0)
}

/** Whether something fits a filter; no filter fits everything. */
export const fits = <C>(node: FilterNode<C> | null, meets: (condition: C) => boolean): boolean => {
  if (node === null) return true
  if ('condition' in node) return meets(node.condition)
  if (node.operator === 'AND') return node.conditions.every((each) => fits(each, meets))
  if (node.operator === 'OR') return node.conditions.some((each) => fits(each, meets))
  return !node.conditions.some((each) => fits(each, meets))
}

/** One key of the order; `more` are further members of the type's Comparator. */
export type Comparator = { property: string; isAscending: boolean; collation: string | null; more: Args }

/** The order of a /query: `unsupportedSort` for properties that the type is not sorted by. */
export const readSort = (
  args: Args,
  properties: readonly string[],
  moreMembers: readonly string[] = [],
): Comparator[] => {
  const sort = args.sort ?? []
  if (!Array.isArray(sort)) return failArgument('sort', 'must be a list')
  if (sort.length > MAX_SORT_KEYS) return failMethod('unsupportedSort', 'The order has too many keys.')
  return sort.map((each: unknown) => {
    if (!isRecord(each)) return failArgument('sort', 'must be a list of objects')
    const { property, isAscending = true, collation = null, ...more } = each
    const isGood =
      typeof property === 'string' &&
      typeof isAscending === 'boolean' &&
      (collation === null || typeof collation === 'string') &&
      Object.keys(more).every((name) => moreMembers.includes(name))
    if (!isGood) return failArgument('sort', 'has a key that is not a Comparator')
    if (!properties.includes(property))
      return failMethod('unsupportedSort', `Cannot sort by "${property.slice(0, 100)}".`)
    if (collation !== null && !COLLATIONS.includes(collation))
      return failMethod('unsupportedSort', 'Unknown collation.')
    return { property, isAscending, collation, more }
  })
}

/** RFC 4790; the session lists them. */
export const COLLATIONS: readonly string[] = ['i;ascii-casemap', 'i;octet', 'i;unicode-casemap']

export type QueryWindow = {
  position: number
  anchor: string | null
  anchorOffset: number
  limit: number | null
  calculateTotal: boolean
}

/** The arguments of a /query beside filter and sort. */
export const readQuery = async (
  call: JmapCall,
  args: Args,
  more: readonly string[] = [],
): Promise<QueryWindow & { access: MailboxAccess }> => {
  const access = await call.account(args)
  checkNames(args, ['filter', 'sort', 'position', 'anchor', 'anchorOffset', 'limit', 'calculateTotal', ...more])
  return {
    access,
    position: readInt(args, 'position', 0),
    anchor: readId(args, 'anchor'),
    anchorOffset: readInt(args, 'anchorOffset', 0),
    limit: readUnsigned(args, 'limit'),
    calculateTotal: readBoolean(args, 'calculateTotal'),
  }
}

/** The most ids in one response, whatever the request says. */
export const MAX_QUERY_IDS = 5_000

/** The answer of a /query whose results are all known. */
export const queryAnswer = (
  request: QueryWindow & { access: MailboxAccess },
  { ids, queryState }: { ids: readonly string[]; queryState: string },
): Args => {
  const position = startOf(request, ids)
  const limit = Math.min(request.limit ?? MAX_QUERY_IDS, MAX_QUERY_IDS)
  const isCut = request.limit === null ? ids.length - position > limit : request.limit > limit
  return {
    accountId: request.access.addressId,
    queryState,
    canCalculateChanges: true,
    position,
    ids: ids.slice(position, position + limit),
    ...(request.calculateTotal ? { total: ids.length } : {}),
    ...(isCut ? { limit } : {}),
  }
}

/** RFC 8620 §5.5: the anchor wins over the position; a negative position counts from the end. */
const startOf = ({ anchor, anchorOffset, position }: QueryWindow, ids: readonly string[]): number => {
  if (anchor === null) return position < 0 ? Math.max(0, ids.length + position) : position
  const at = ids.indexOf(anchor)
  return at === -1
    ? failMethod('anchorNotFound', 'The anchor was not found in the results.')
    : Math.max(0, at + anchorOffset)
}

export type QueryChangesRequest = {
  access: MailboxAccess
  sinceQueryState: string
  maxChanges: number | null
  upToId: string | null
  calculateTotal: boolean
}

/** The arguments of a /queryChanges beside filter and sort (RFC 8620 §5.6). */
export const readQueryChanges = async (
  call: JmapCall,
  args: Args,
  more: readonly string[] = [],
): Promise<QueryChangesRequest> => {
  const access = await call.account(args)
  checkNames(args, ['filter', 'sort', 'sinceQueryState', 'maxChanges', 'upToId', 'calculateTotal', ...more])
  return {
    access,
    sinceQueryState: readString(args, 'sinceQueryState'),
    maxChanges: readMaxChanges(args),
    upToId: readId(args, 'upToId'),
    calculateTotal: readBoolean(args, 'calculateTotal'),
  }
}

/**
 * The answer of a /queryChanges from the present results and the objects that changed since: each of those is taken out,
 * and put in again where it is now. Right as long as objects that did not change keep their order.
 */
export const queryChangesAnswer = (
  request: QueryChangesRequest,
  {
    ids,
    changed,
    destroyed,
    newQueryState,
  }: {
    ids: readonly string[]
    /** Created or updated. */
    changed: Iterable<string>
    destroyed: readonly string[]
    newQueryState: string
  },
): Args => {
  const moved = new Set(changed)
  const removed = [...moved, ...destroyed]
  const end = request.upToId === null ? -1 : ids.indexOf(request.upToId)
  const added = ids.flatMap((id, index) => (moved.has(id) && (end === -1 || index <= end) ? [{ id, index }] : []))
  if (request.maxChanges !== null && removed.length + added.length > request.maxChanges)
    return failMethod('tooManyChanges', 'There are more changes than maxChanges.')
  return {
    accountId: request.access.addressId,
    oldQueryState: request.sinceQueryState,
    newQueryState,
    ...(request.calculateTotal ? { total: ids.length } : {}),
    removed,
    added,
  }
}
