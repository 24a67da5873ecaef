import type { Folder } from '@stoa/mail-model/folders.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import {
  AlarmClock,
  Archive,
  FilePen,
  Folder as FolderIcon,
  Inbox,
  ListFilter,
  PenLine,
  SearchX,
  Send,
  ShieldCheck,
  Tag,
  Trash2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { compose } from '../compose/compose.ts'
import type { MailList } from './use-mail-list.ts'

type Role = NonNullable<Folder['role']>
type Words = { icon: ReactNode; title: string; text: string; writes?: boolean }

const byRole: Partial<Record<Role, Words>> = {
  inbox: { icon: <Inbox />, title: "You're all caught up", text: 'New mail appears here automatically.', writes: true },
  drafts: {
    icon: <FilePen />,
    title: 'No drafts',
    text: 'Unsent messages are saved here.',
    writes: true,
  },
  sent: { icon: <Send />, title: 'Nothing sent yet', text: 'Messages you send appear here.', writes: true },
  archive: {
    icon: <Archive />,
    title: 'Nothing archived',
    text: 'Archive messages to keep them out of your inbox.',
  },
  junk: {
    icon: <ShieldCheck />,
    title: 'No junk',
    text: 'Suspected spam and messages you mark as junk appear here.',
  },
  trash: {
    icon: <Trash2 />,
    title: 'Trash is empty',
    text: "Deleted messages stay here until they're deleted permanently.",
  },
  snoozed: {
    icon: <AlarmClock />,
    title: 'Nothing snoozed',
    text: 'Snoozed messages return to your inbox at the time you choose.',
  },
}

const ownFolder: Words = {
  icon: <FolderIcon />,
  title: 'This folder is empty',
  text: 'Move messages here to organize your mail.',
}

type ListEmptyProps = {
  list: MailList
  onClearSearch: () => void
  onClearNarrow: () => void
  onEverywhere?: (() => void) | undefined
}

/** A list without rows says why, and what to do about it. */
export const ListEmpty = ({ list, onClearSearch, onClearNarrow, onEverywhere }: ListEmptyProps) => {
  if (list.view.narrow !== '')
    return (
      <EmptyState
        icon={<ListFilter />}
        title="No matching messages"
        action={<Button onClick={onClearNarrow}>Show all messages</Button>}
      >
        Try a different filter.
      </EmptyState>
    )
  if (list.q.trim() !== '')
    return (
      <EmptyState
        icon={<SearchX />}
        title="No results"
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {onEverywhere ? <Button onClick={onEverywhere}>Search all folders</Button> : null}
            <Button onClick={onClearSearch}>Clear search</Button>
          </span>
        }
      >
        Try fewer or different words. Use <code>from:</code>, <code>has:attachment</code> and{' '}
        <code>before:2026-03</code> to narrow your search.
      </EmptyState>
    )
  const { icon, title, text, writes } = wordsOf(list)
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        writes ? (
          <Button variant="primary" icon={<PenLine />} onClick={() => compose({ kind: 'new' })}>
            Write a message
          </Button>
        ) : undefined
      }
    >
      {text}
    </EmptyState>
  )
}

const wordsOf = ({ place }: MailList): Words => {
  if (place.kind === 'label')
    return { icon: <Tag />, title: 'No messages with this label', text: 'Add this label to a message to see it here.' }
  if (place.kind !== 'folder')
    return { icon: <Inbox />, title: 'No mail yet', text: 'Your mailbox is empty.', writes: true }
  return (place.folder.role && byRole[place.folder.role]) || ownFolder
}
