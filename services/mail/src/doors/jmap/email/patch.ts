import { isKeyword } from '../../../store/store.ts'
import type { Args, JmapCall } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { realId } from '../standard/get.ts'
import { splitPath } from '../standard/patch.ts'
import { NO_MAILBOX, readKeywords, readMailboxIds } from './filing.ts'
import { isHeaderProperty, parseHeaderProperty } from './header-property.ts'
import { isObjectId } from './ids.ts'
import { isEmailProperty } from './properties.ts'

/** Members of a set that come and go, in order; or all that are left. */
export type MemberChange =
  | { readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly replace: readonly string[] }

/** What an update of a message changes. */
export type EmailPatch = {
  readonly keywords: MemberChange | null
  readonly folders: MemberChange | null
  /** Properties that cannot be changed, with the values that the client takes them to have. */
  readonly others: Args
}

/** Reads the PatchObject of a message (RFC 8620 §5.3): only keywords and mailboxIds of it can be changed. */
export const readEmailPatch = (call: Pick<JmapCall, 'createdIds'>, patch: Args): EmailPatch => {
  const others: [string, unknown][] = []
  const keywords = new Map<string, boolean>()
  const folders = new Map<string, boolean>()
  for (const [path, value] of Object.entries(patch)) {
    const [property = '', member, ...rest] = isHeaderProperty(path) ? [path] : splitPath(path)
    if (member === undefined) {
      if (property !== 'keywords' && property !== 'mailboxIds') others.push([property, value])
      continue
    }
    const isSet = property === 'keywords' || property === 'mailboxIds'
    if (!isSet || rest.length > 0 || Object.hasOwn(patch, property))
      return failSet('invalidPatch', `There is no "${path.slice(0, 100)}" to change, or it is changed twice.`)
    if (value !== true && value !== null) return failProperties([path], 'Values must be true, or null to remove them.')
    if (property === 'keywords') keywords.set(keywordOf(member, path), value === true)
    else folders.set(folderOf(call, member, value === true), value === true)
  }
  const unknown = others.map(([name]) => name).filter((name) => !isEmailProperty(name) && !parseHeaderProperty(name))
  if (unknown.length > 0) failProperties(unknown, 'Unknown property.')
  return {
    keywords: Object.hasOwn(patch, 'keywords') ? replacement(readKeywords(patch.keywords ?? {})) : changeOf(keywords),
    folders: Object.hasOwn(patch, 'mailboxIds')
      ? replacement(readMailboxIds(call, patch.mailboxIds))
      : changeOf(folders),
    others: Object.fromEntries(others),
  }
}

const keywordOf = (member: string, path: string): string =>
  isKeyword(member) ? member.toLowerCase() : failProperties([path], 'Invalid keyword.')

/** A folder that a message leaves need not be there. */
const folderOf = (call: Pick<JmapCall, 'createdIds'>, member: string, isAdded: boolean): string => {
  const id = realId(call, member)
  return isObjectId(id) || !isAdded ? id : failProperties(['mailboxIds'], NO_MAILBOX)
}

const replacement = (members: readonly string[]): MemberChange => ({ replace: members.toSorted() })

const changeOf = (members: ReadonlyMap<string, boolean>): MemberChange | null => {
  if (members.size === 0) return null
  const having = (isAdded: boolean) => [...members.keys()].filter((name) => members.get(name) === isAdded).sort()
  return { add: having(true), remove: having(false) }
}
