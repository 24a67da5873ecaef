/** Folders that every mailbox has, with their names at the beginning, in the order in which they are shown. */
export const ROLE_FOLDERS = {
  inbox: 'Inbox',
  drafts: 'Drafts',
  sent: 'Sent',
  archive: 'Archive',
  junk: 'Junk',
  trash: 'Trash',
  snoozed: 'Snoozed',
} as const

export type FolderRole = keyof typeof ROLE_FOLDERS

export const FOLDER_ROLES: readonly FolderRole[] = [
  'inbox',
  'drafts',
  'sent',
  'archive',
  'junk',
  'trash',
  'snoozed',
] satisfies (keyof typeof ROLE_FOLDERS)[]

/** Roles that a client may give to one folder and take away again; those above stay where they are. RFC 8457. */
export const GIVEN_ROLES = ['important'] as const
export type GivenRole = (typeof GIVEN_ROLES)[number]
export type AnyRole = FolderRole | GivenRole

/** Whether every mailbox has a folder with this role, which therefore cannot be deleted. */
export const isStandardRole = (role: AnyRole | null): role is FolderRole =>
  role !== null && GIVEN_ROLES.every((given) => given !== role)
