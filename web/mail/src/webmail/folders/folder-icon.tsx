import type { Folder } from '@stoa/mail-model/folders.ts'
import {
  AlarmClock,
  Archive,
  FilePen,
  Folder as FolderIcon,
  Inbox,
  Send,
  ShieldAlert,
  Star,
  Trash2,
} from 'lucide-react'

const icons = {
  inbox: Inbox,
  drafts: FilePen,
  sent: Send,
  archive: Archive,
  junk: ShieldAlert,
  trash: Trash2,
  snoozed: AlarmClock,
  important: Star,
} as const

/** The icon for the role of a folder. */
export const FolderSign = ({ role }: Pick<Folder, 'role'>) => {
  const Icon = role ? icons[role] : FolderIcon
  return <Icon aria-hidden />
}
