import type { FolderRole } from '../../store/store.ts'

/** A folder as the source lists it. */
export type SourceFolder = {
  path: string
  /** The hierarchy delimiter of the path; null: the server has none. */
  delimiter: string | null
  /** Such as `\Sent`, as the server says or as its name suggests. */
  specialUse: string | null
  /** Whether the server said so. */
  isSaid: boolean
  flags: ReadonlySet<string>
  messages: number
}

/** The target of a folder: `role` decides, the path is for folders without one. */
export type PlannedFolder = {
  path: string
  targetPath: string
  role: FolderRole | null
  /** It shows the messages of all folders: only those that are in no other one are taken from it. */
  isRest: boolean
  messages: number
}

export type FolderWishes = {
  /** Paths on the source, each with what is below it; null is all. */
  folders: readonly string[] | null
  excluded: readonly string[]
}

export type SourceNamespace = {
  /** The prefix of the owner's folders, such as `INBOX.`; it is no part of their names. */
  prefix: string
  /** Prefixes of folders that belong to others. */
  foreign: readonly string[]
}

/** Messages that are in no other folder go to the archive, last. */
const REST_ROLE: FolderRole = 'archive'

const ROLES: Readonly<Record<string, FolderRole>> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Junk': 'junk',
  '\\Trash': 'trash',
  '\\Archive': 'archive',
}
/** RFC 6154 §2, RFC 8457 §3: they show messages of other folders again. */
const VIEWS = ['\\Flagged', '\\Important']
/** Folders that only hold others, and whose names say nothing. */
const WRAPPERS = ['[Gmail]', '[Google Mail]']
/** The store has more, and folders of roles may be some levels down. */
const MAX_LEVELS = 12
const MAX_NAME = 255

/**
 * Which folders are copied, in which order and where to. `missing` are wished for and not there. `rolePaths` says where
 * folders of roles are here.
 */
export const planFolders = (
  listed: readonly SourceFolder[],
  space: SourceNamespace,
  { folders, excluded }: FolderWishes,
  rolePaths: Readonly<Record<FolderRole, string>>,
): { planned: PlannedFolder[]; missing: string[] } => {
  const own = listed.filter(({ path }) => !space.foreign.some((prefix) => prefix !== '' && path.startsWith(prefix)))
  const roles = rolesOf(own)
  const isWanted = (folder: SourceFolder): boolean =>
    (folders === null || folders.some((wish) => covers(wish, folder, space))) &&
    !excluded.some((wish) => covers(wish, folder, space))
  const planned = own
    .filter((folder) => isSelectable(folder) && !isView(folder) && isWanted(folder))
    .map((folder) => ({
      path: folder.path,
      targetPath: targetPathOf(folder, roles, space, rolePaths),
      role: isRest(folder) ? REST_ROLE : (roles.get(folder.path) ?? null),
      isRest: isRest(folder),
      messages: folder.messages,
      order: isRest(folder) ? 2 : roles.get(folder.path) === 'inbox' ? 0 : 1,
    }))
    .sort((a, b) => a.order - b.order)
    .map(({ order: _, ...folder }) => folder)
  const missing = (folders ?? []).filter((wish) => !own.some((folder) => covers(wish, folder, space)))
  return { planned, missing }
}

/** RFC 6154 §2, `\All`: every message is in it, whatever other folder it is in. */
const isRest = ({ specialUse, isSaid }: Pick<SourceFolder, 'specialUse' | 'isSaid'>): boolean =>
  specialUse === '\\All' && isSaid

/** A name as the store takes it. */
const toFolderName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('/', '_')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed() || '_'

const rolesOf = (folders: readonly SourceFolder[]): Map<string, FolderRole> => {
  const roles = new Map<string, FolderRole>()
  for (const folder of folders) {
    const role = isInbox(folder.path) ? 'inbox' : ROLES[folder.specialUse ?? '']
    // One of each: another one keeps its own name.
    if (role && ![...roles.values()].includes(role)) roles.set(folder.path, role)
  }
  return roles
}

const targetPathOf = (
  folder: SourceFolder,
  roles: ReadonlyMap<string, FolderRole>,
  space: SourceNamespace,
  rolePaths: Readonly<Record<FolderRole, string>>,
): string => {
  if (isRest(folder)) return rolePaths[REST_ROLE]
  const own = roles.get(folder.path)
  if (own) return rolePaths[own]
  const names = namesOf(folder, space)
  for (let length = names.length - 1; length > 0; length -= 1) {
    const role = roles.get(pathOf(names.slice(0, length), folder, space))
    if (role) return [rolePaths[role], ...levels(names.slice(length))].join('/')
  }
  return levels(WRAPPERS.includes(names[0] ?? '') && names.length > 1 ? names.slice(1) : names).join('/')
}

const levels = (names: readonly string[]): string[] => {
  const short =
    names.length <= MAX_LEVELS ? names : [...names.slice(0, MAX_LEVELS - 1), names.slice(MAX_LEVELS - 1).join(' ')]
  return short.map(toFolderName)
}

const namesOf = ({ path, delimiter }: SourceFolder, { prefix }: SourceNamespace): string[] => {
  const rest = prefix !== '' && path.startsWith(prefix) ? path.slice(prefix.length) : path
  const names = delimiter ? rest.split(delimiter).filter((name) => name !== '') : [rest]
  return names.length > 0 ? names : [path]
}

const pathOf = (names: readonly string[], { path, delimiter }: SourceFolder, { prefix }: SourceNamespace): string =>
  (prefix !== '' && path.startsWith(prefix) ? prefix : '') + names.join(delimiter ?? '')

const isInbox = (path: string): boolean => path.toUpperCase() === 'INBOX'

const isSelectable = ({ flags }: SourceFolder): boolean =>
  ![...flags].some((flag) => /^\\(noselect|nonexistent)$/i.test(flag))

const isView = ({ specialUse, isSaid, flags }: SourceFolder): boolean =>
  VIEWS.some((view) => flags.has(view) || (isSaid && specialUse === view))

/** Written as the source writes it, or with slashes and without the prefix. INBOX means nothing but itself. */
const covers = (wish: string, folder: SourceFolder, space: SourceNamespace): boolean => {
  if (isInbox(wish) || isInbox(folder.path)) return isInbox(wish) && isInbox(folder.path)
  const names = namesOf(folder, space)
  const isAt = (path: string, delimiter: string) => path === wish || path.startsWith(wish + delimiter)
  return isAt(folder.path, folder.delimiter ?? '\0') || isAt(names.join('/'), '/')
}
