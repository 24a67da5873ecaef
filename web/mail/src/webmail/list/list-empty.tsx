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
  inbox: { icon: <Inbox />, title: 'You are all caught up', text: 'New mail shows up here by itself.', writes: true },
  drafts: {
    icon: <FilePen />,
    title: 'No drafts',
    text: 'What you begin to write is kept here until you send it.',
    writes: true,
  },
  sent: { icon: <Send />, title: 'Nothing sent yet', text: 'Every message that you send is kept here.', writes: true },
  archive: {
    icon: <Archive />,
    title: 'Nothing archived',
    text: 'Archive what is done: it is kept here, out of the inbox.',
  },
  junk: {
    icon: <ShieldCheck />,
    title: 'No junk',
    text: 'Mail that looks like junk lands here, and so does what you mark as junk.',
  },
  trash: {
    icon: <Trash2 />,
    title: 'The trash is empty',
    text: 'What you delete is kept here until it is deleted for good.',
  },
  snoozed: {
    icon: <AlarmClock />,
    title: 'Nothing is snoozed',
    text: 'Snooze a message, and it comes back to the inbox at a better time.',
  },
}

const ownFolder: Words = {
  icon: <FolderIcon />,
  title: 'This folder is empty',
  text: 'Choose Move on a message to put it here.',
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
        title="Nothing fits this filter"
        action={<Button onClick={onClearNarrow}>Show all messages</Button>}
      >
        There is no such message here.
      </EmptyState>
    )
  if (list.q.trim() !== '')
    return (
      <EmptyState
        icon={<SearchX />}
        title="Nothing found"
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {onEverywhere ? <Button onClick={onEverywhere}>Search all folders</Button> : null}
            <Button onClick={onClearSearch}>Clear search</Button>
          </span>
        }
      >
        Try fewer or other words. Operators such as <code>from:</code>, <code>has:attachment</code> and{' '}
        <code>before:2026-03</code> narrow a search.
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
    return { icon: <Tag />, title: 'No message has this label', text: 'Choose Label on a message to give it one.' }
  if (place.kind !== 'folder')
    return { icon: <Inbox />, title: 'No mail yet', text: 'Your mailbox is empty.', writes: true }
  return (place.folder.role && byRole[place.folder.role]) || ownFolder
}
