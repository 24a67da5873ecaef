import { DELIMITER, type Folder, listFolders } from '../../../store/store.ts'
import { type FoundFolder, nameOf, SHARED_ROOT } from '../folders.ts'
import type { ImapSession } from '../session.ts'
import { subscribedNames } from './subscriptions.ts'

/** A name that LIST may show. */
export type ListedMailbox = {
  readonly name: string
  /** Null: there are only folders below it, or a subscription of what is gone. */
  readonly found: FoundFolder | null
  readonly isSubscribed: boolean
  readonly hasChildren: boolean
}

/** All names that the signed-in user sees, parents before their children. */
export const listMailboxes = async (session: ImapSession): Promise<ListedMailbox[]> => {
  const { db } = session.parts.database
  const [own, ...shared] = await session.accesses()
  if (!own) return []
  const names = new Set(await subscribedNames(session))
  const found: FoundFolder[] = []
  for (const access of [own, ...shared]) {
    const folders = await listFolders(db, access.addressId, access.viewerId)
    for (const folder of inOrder(folders)) found.push({ access, folder })
  }
  const listed = new Map<string, FoundFolder | null>(
    found.filter(({ access }) => access.viewerId === null).map((each) => [nameOf(each), each]),
  )
  if (shared.length > 0 && !listed.has(SHARED_ROOT)) listed.set(SHARED_ROOT, null)
  for (const { email } of shared) listed.set([SHARED_ROOT, email].join(DELIMITER), null)
  for (const each of found) listed.set(nameOf(each), each)
  const parents = parentsOf(listed.keys())
  for (const name of names) if (!listed.has(name)) listed.set(name, null)
  return [...listed].map(([name, each]) => ({
    name,
    found: each,
    isSubscribed: names.has(name) || (each?.access.viewerId === null && each.folder.subscribed),
    hasChildren: parents.has(name),
  }))
}

/** The names above a name, the topmost first. */
export const ancestorsOf = (name: string): string[] => {
  const parts = name.split(DELIMITER)
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join(DELIMITER))
}

const parentsOf = (names: Iterable<string>): Set<string> => {
  const parents = new Set<string>()
  for (const name of names) for (const parent of ancestorsOf(name)) parents.add(parent)
  return parents
}

/** Each folder before those inside it; otherwise as they are shown. */
const inOrder = (folders: readonly Folder[]): Folder[] => {
  const below = Map.groupBy(folders, ({ parentId }) => parentId)
  const ordered: Folder[] = []
  const waiting = [...(below.get(null) ?? [])].reverse()
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    ordered.push(folder)
    for (const child of (below.get(folder.id) ?? []).toReversed()) waiting.push(child)
  }
  return ordered
}
