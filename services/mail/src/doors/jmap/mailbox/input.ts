import { isDeepStrictEqual } from 'node:util'
import { type AnyRole, FOLDER_ROLES, GIVEN_ROLES } from '../../../store/store.ts'
import type { Args, JmapCall } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { isId } from '../standard/arguments.ts'
import { realId } from '../standard/get.ts'
import { MAILBOX_PROPERTIES, type MailboxView } from './view.ts'

/** What clients decide about a mailbox, in the store's words. */
export type MailboxInput = {
  name?: string
  parentId?: string | null
  role?: AnyRole | null
  position?: number
  subscribed?: boolean
}

const SETTABLE = ['name', 'parentId', 'role', 'sortOrder', 'isSubscribed'] as const
const MAX_SORT_ORDER = 2 ** 31 - 1

/** A new mailbox. Its name is all that it needs. */
export const readCreation = (call: JmapCall, object: Args): MailboxInput & { name: string } => {
  const wrong = Object.keys(object).filter((name) => !SETTABLE.some((settable) => settable === name))
  if (wrong.length > 0) return failProperties(wrong, 'These properties cannot be set.')
  const input = readMembers(call, object)
  return input.name === undefined ? failProperties(['name'], 'A name is required.') : { ...input, name: input.name }
}

/** What an update changes. Properties that the server sets may be sent as they are (RFC 8620 §5.3). */
export const changedMembers = (call: JmapCall, before: MailboxView, after: Args): MailboxInput => {
  const known: readonly string[] = MAILBOX_PROPERTIES
  const unknown = Object.keys(after).filter((name) => !known.includes(name))
  const changed = MAILBOX_PROPERTIES.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const fixed = changed.filter((name) => !SETTABLE.some((settable) => settable === name))
  const wrong = [...unknown, ...fixed]
  if (wrong.length > 0) return failProperties(wrong, 'These properties cannot be changed.')
  return readMembers(call, Object.fromEntries(changed.map((name) => [name, after[name]])))
}

const readMembers = (call: JmapCall, object: Args): MailboxInput => {
  const { name, parentId, role, sortOrder, isSubscribed } = object
  const input: MailboxInput = {}
  if (name !== undefined) input.name = typeof name === 'string' ? name : failProperties(['name'], 'Must be a string.')
  if (parentId !== undefined) input.parentId = readParent(call, parentId)
  if (role !== undefined) input.role = readRole(role)
  if (sortOrder !== undefined) input.position = readSortOrder(sortOrder ?? 0)
  if (isSubscribed !== undefined)
    input.subscribed =
      typeof isSubscribed === 'boolean' ? isSubscribed : failProperties(['isSubscribed'], 'Must be true or false.')
  return input
}

const readParent = (call: JmapCall, value: unknown): string | null => {
  if (value === null) return null
  const id = typeof value === 'string' ? realId(call, value) : ''
  // A later object of the same /set may create the parent.
  if (id.startsWith('#')) return failSet('notFound', 'The parent was not created.', { properties: ['parentId'] })
  return isId(id) ? id : failProperties(['parentId'], 'Must be an id.')
}

/** Which of them may be given is a rule of the store. */
const readRole = (value: unknown): AnyRole | null => {
  if (value === null) return null
  const known: readonly AnyRole[] = [...FOLDER_ROLES, ...GIVEN_ROLES]
  return known.find((role) => role === value) ?? failProperties(['role'], 'Unknown role.')
}

const readSortOrder = (value: unknown): number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_SORT_ORDER
    ? Number(value)
    : failProperties(['sortOrder'], `Must be an integer from 0 to ${MAX_SORT_ORDER}.`)
