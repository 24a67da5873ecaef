import { type Folder, listFolders } from '../../../store/store.ts'
import { type Args, CAPABILITIES, failMethod, type JmapCall, type JmapMethod } from '../method.ts'
import { failArgument, isId, readBoolean } from '../standard/arguments.ts'
import { allChanges } from '../standard/changes.ts'
import { byText } from '../standard/collation.ts'
import {
  type Comparator,
  type FilterNode,
  fits,
  queryAnswer,
  queryChangesAnswer,
  readFilter,
  readQuery,
  readQueryChanges,
  readSort,
} from '../standard/query.ts'
import { stateOf, stateText } from '../standard/state.ts'

const TREE = ['sortAsTree', 'filterAsTree'] as const

/** RFC 8621 §2.3. */
export const mailboxQuery: JmapMethod = {
  name: 'Mailbox/query',
  capability: CAPABILITIES.mail,
  async run(call, args) {
    const request = await readQuery(call, args, TREE)
    const query = readMailboxQuery(args)
    const { addressId } = request.access
    const queryState = await stateOf(call.parts.database.db, addressId)
    return queryAnswer(request, { ids: await findIds(call, addressId, query), queryState })
  },
}

/** RFC 8621 §2.4. */
export const mailboxQueryChanges: JmapMethod = {
  name: 'Mailbox/queryChanges',
  capability: CAPABILITIES.mail,
  async run(call, args) {
    const request = await readQueryChanges(call, args, TREE)
    const query = readMailboxQuery(args)
    const { access, sinceQueryState } = request
    const changes = await allChanges(call.parts.database.db, { access, sinceState: sinceQueryState }, ['folder'])
    const ids = await findIds(call, access.addressId, query)
    const changed = [...changes.created, ...changes.updated]
    const hasChanged = changed.length + changes.destroyed.length > 0
    // In a tree, mailboxes move and come and go with those above them.
    const isMovedWithParents = hasChanged && (query.sortAsTree || query.filterAsTree)
    const all = isMovedWithParents ? await findIds(call, access.addressId, { ...query, filter: null }) : []
    return queryChangesAnswer(request, {
      ids,
      changed: [...changed, ...all],
      destroyed: changes.destroyed,
      newQueryState: stateText(changes.next),
    })
  },
}

type Condition = (folder: Folder) => boolean
type MailboxQuery = {
  filter: FilterNode<Condition> | null
  sort: Comparator[]
  sortAsTree: boolean
  filterAsTree: boolean
}

const readMailboxQuery = (args: Args): MailboxQuery => ({
  filter: readFilter(args, readCondition),
  sort: readSort(args, ['sortOrder', 'name']),
  sortAsTree: readBoolean(args, 'sortAsTree'),
  filterAsTree: readBoolean(args, 'filterAsTree'),
})

const readCondition = (condition: Args): Condition => {
  const tests = Object.entries(condition).map(([name, value]) => readTest(name, value))
  return (folder) => tests.every((test) => test(folder))
}

const readTest = (name: string, value: unknown): Condition => {
  switch (name) {
    case 'parentId':
      if (value !== null && !isId(value)) return failArgument('filter', 'has a parentId that is not an id')
      return ({ parentId }) => parentId === value
    case 'role':
      if (value !== null && typeof value !== 'string') return failArgument('filter', 'has a role that is not a string')
      return ({ role }) => role === value
    case 'name': {
      if (typeof value !== 'string') return failArgument('filter', 'has a name that is not a string')
      const text = fold(value)
      return (folder) => fold(folder.name).includes(text)
    }
    case 'hasAnyRole':
      if (typeof value !== 'boolean') return failArgument('filter', 'has a hasAnyRole that is not a boolean')
      return ({ role }) => (role !== null) === value
    case 'isSubscribed':
      if (typeof value !== 'boolean') return failArgument('filter', 'has an isSubscribed that is not a boolean')
      return ({ subscribed }) => subscribed === value
    default:
      return failMethod('unsupportedFilter', `Mailboxes cannot be filtered by "${name.slice(0, 100)}".`)
  }
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

const findIds = async (call: JmapCall, addressId: string, query: MailboxQuery): Promise<string[]> => {
  const folders = await listFolders(call.parts.database.db, addressId)
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const fitting = folders.filter((folder) => fits(query.filter, (condition) => condition(folder)))
  const included = new Set(fitting.map(({ id }) => id))
  const shown = query.filterAsTree
    ? fitting.filter((folder) => ancestorsOf(folder, byId).every(({ id }) => included.has(id)))
    : fitting
  const compare = comparing(query.sort)
  const order = query.sortAsTree ? asTree(compare, byId) : compare
  return shown.toSorted(order).map(({ id }) => id)
}

type Compare = (a: Folder, b: Folder) => number

const comparing = (sort: readonly Comparator[]): Compare => {
  const keys = sort.map(({ property, isAscending, collation }): Compare => {
    const sign = isAscending ? 1 : -1
    if (property === 'sortOrder') return (a, b) => sign * (a.position - b.position)
    const compare = byText(collation)
    return (a, b) => sign * compare(a.name, b.name)
  })
  // Equal mailboxes keep the order in which all mailboxes are shown.
  return (a, b) => {
    for (const key of keys) {
      const order = key(a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

/** RFC 8621 §2.3: parents before children; others are compared by those of their parents that are siblings. */
const asTree =
  (compare: Compare, byId: ReadonlyMap<string, Folder>): Compare =>
  (a, b) => {
    const pathA = [...ancestorsOf(a, byId), a]
    const pathB = [...ancestorsOf(b, byId), b]
    for (let depth = 0; ; depth += 1) {
      const [inA, inB] = [pathA[depth], pathB[depth]]
      if (!inA || !inB) return pathA.length - pathB.length
      // Siblings that are equal in all keys must keep their children apart.
      if (inA.id !== inB.id) return compare(inA, inB) || (inA.id < inB.id ? -1 : 1)
    }
  }

/** From the top down. */
const ancestorsOf = (folder: Folder, byId: ReadonlyMap<string, Folder>): Folder[] => {
  const found: Folder[] = []
  for (let at = parentOf(folder, byId); at && found.length < byId.size; at = parentOf(at, byId)) found.unshift(at)
  return found
}

const parentOf = ({ parentId }: Folder, byId: ReadonlyMap<string, Folder>): Folder | undefined =>
  parentId === null ? undefined : byId.get(parentId)
