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
