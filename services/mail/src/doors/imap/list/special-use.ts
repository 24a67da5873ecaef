import { type AnyRole, FOLDER_ROLES, GIVEN_ROLES } from '../../../store/store.ts'
import type { ListedMailbox } from './mailboxes.ts'

/** RFC 6154 §2. The inbox has its name, and snoozing is not known there. */
const ATTRIBUTES: Readonly<Record<AnyRole, string | null>> = {
  inbox: null,
  drafts: '\\Drafts',
  sent: '\\Sent',
  archive: '\\Archive',
  junk: '\\Junk',
  trash: '\\Trash',
  snoozed: null,
  important: '\\Important',
}

/** The special use of a folder; none for shared folders, which clients would take for their own. */
export const specialUseOf = ({ found }: Pick<ListedMailbox, 'found'>): string | null => {
  const role = found?.access.viewerId === null ? found.folder.role : null
  return role === null ? null : ATTRIBUTES[role]
}

/** The role that an attribute stands for, in any letter case; null if folders have none such. */
export const roleOfUse = (attribute: string): AnyRole | null =>
  ROLES.find((role) => ATTRIBUTES[role]?.toLowerCase() === attribute.toLowerCase()) ?? null

const ROLES: readonly AnyRole[] = [...FOLDER_ROLES, ...GIVEN_ROLES]
