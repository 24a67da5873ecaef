import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { type Folder, isStandardRole } from '../../../store/store.ts'
import type { Args } from '../method.ts'

/** RFC 8621 §2. */
export const MAILBOX_PROPERTIES = [
  'id',
  'name',
  'parentId',
  'role',
  'sortOrder',
  'totalEmails',
  'unreadEmails',
  'totalThreads',
  'unreadThreads',
  'myRights',
  'isSubscribed',
] as const

/** Properties that change although nobody edits the mailbox. */
export const COUNT_PROPERTIES = ['totalEmails', 'unreadEmails', 'totalThreads', 'unreadThreads'] as const

export type MailboxView = Record<(typeof MAILBOX_PROPERTIES)[number], unknown> & { id: string }

/** A folder as JMAP's Mailbox. */
export const mailboxView = (folder: Folder, access: MailboxAccess): MailboxView => ({
  id: folder.id,
  name: folder.name,
  parentId: folder.parentId,
  role: folder.role,
  sortOrder: folder.position,
  totalEmails: folder.total,
  unreadEmails: folder.unread,
  totalThreads: folder.threads,
  unreadThreads: folder.unreadThreads,
  myRights: rightsIn(folder, access),
  isSubscribed: folder.subscribed,
})

const rightsIn = ({ role }: Folder, { mayWrite, mayManage, viewerId }: MailboxAccess): Args => ({
  mayReadItems: true,
  mayAddItems: mayWrite,
  mayRemoveItems: mayWrite,
  // Each viewer has their own `$seen`.
  maySetSeen: true,
  maySetKeywords: mayWrite,
  mayCreateChild: mayManage,
  mayRename: mayManage && role !== 'inbox',
  mayDelete: mayManage && !isStandardRole(role),
  maySubmit: viewerId === null,
})
