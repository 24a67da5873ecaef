import type { Submission } from '@stoa/mail-model/compose.ts'
import type { Folder } from '@stoa/mail-model/folders.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import { formatAbsolute, formatNumber } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock, PenLine, X } from 'lucide-react'
import { useState } from 'react'
import { hasName } from '../../api.ts'
import { formatMoment } from '../actions/snooze-times.ts'
import { compose } from '../compose/compose.ts'
import { subjectOf } from '../people.ts'
import { messageQuery, messagesQuery } from '../queries.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { cancelSubmission, pendingQuery } from './submissions.ts'

type ScheduledPaneProps = {
  folders: readonly Folder[]
  openId: string | undefined
  onOpen: (id: string | undefined) => void
}

/** Mail that is sent later, the next one first. */
export const ScheduledPane = ({ folders, openId, onOpen }: ScheduledPaneProps) => {
  const query = useQuery(pendingQuery)
  const sent = useNewestSent(folders)
  const state = listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)
  return (
    <section aria-label="Scheduled" className="flex h-full min-h-0 flex-col bg-surface">
      <header className="flex h-11 shrink-0 items-baseline gap-2 border-line border-b px-4 pt-2.5">
        <h1 className="font-semibold text-ink text-md">Scheduled</h1>
        <span role="status" className="text-muted text-xs tabular-nums">
          {state.status === 'ready' ? formatNumber(state.rows.length) : ''}
        </span>
      </header>
      {state.status === 'error' ? (
        <Crash title="Couldn't load scheduled messages" onRetry={state.onRetry}>
          {state.message}
        </Crash>
      ) : state.status === 'loading' ? (
        <ListSkeleton layout="stacked" rows={3} />
      ) : state.rows.length === 0 ? (
        <EmptyState
          icon={<CalendarClock />}
          title="Nothing scheduled"
          action={
            <Button variant="primary" icon={<PenLine />} onClick={() => compose({ kind: 'new' })}>
              Write a message
            </Button>
          }
        >
          To schedule a message, choose a time in the menu next to Send.
        </EmptyState>
      ) : (
        <ul className="min-h-0 flex-1 overflow-y-auto">
          {state.rows.map((submission) => (
            <li key={submission.id}>
              <ScheduledRow
                submission={submission}
                item={sent?.get(submission.message_id)}
                isKnown={sent !== undefined}
                isOpen={submission.message_id === openId}
                onOpen={() => onOpen(submission.message_id)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Scheduled mail is stored in the sent folder: its newest messages are read in one request. */
const useNewestSent = (folders: readonly Folder[]): ReadonlyMap<string, MessageItem> | undefined => {
  const sent = folders.find(({ role }) => role === 'sent')
  const { data } = useQuery({ ...messagesQuery({ folder_id: sent?.id ?? '' }, 1), enabled: sent !== undefined })
  return data && new Map(data.data.map((item) => [item.id, item]))
}

type RowProps = {
  submission: Submission
  item: MessageItem | undefined
  /** Whether the newest were read: what is not among them is asked for alone. */
  isKnown: boolean
  isOpen: boolean
  onOpen: () => void
}

const ScheduledRow = ({ submission, item, isKnown, isOpen, onOpen }: RowProps) => {
  const { data } = useQuery({ ...messageQuery(submission.message_id), enabled: isKnown && item === undefined })
  const message = item ?? data
  const to = submission.recipients.map(({ email }) => email).join(', ')
  return (
    <div className={cx('relative border-line border-b py-2.5 pr-3 pl-4', isOpen ? 'bg-accent-soft' : 'hover:bg-hover')}>
      <button
        type="button"
        aria-current={isOpen ? 'true' : undefined}
        onClick={onOpen}
        className="w-full min-w-0 text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
      >
        <span className="block truncate text-ink text-sm">To: {to}</span>
        <span dir="auto" className="block truncate text-left text-muted text-sm">
          {message ? subjectOf(message) : '…'}
        </span>
      </button>
      <div className="flex items-center gap-1 pt-1 text-scheduled-ink text-xs">
        <CalendarClock aria-hidden className="size-3.5 shrink-0" />
        <time
          dateTime={submission.send_at}
          title={formatAbsolute(new Date(submission.send_at))}
          className="min-w-0 flex-1 truncate"
        >
          {formatMoment(new Date(submission.send_at))}
        </time>
        <CancelButton submission={submission} />
      </div>
    </div>
  )
}

const CancelButton = ({ submission }: { submission: Submission }) => {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    setBusy(true)
    try {
      const { message_id: id } = await cancelSubmission(submission.id)
      toast({
        title: 'Moved back to Drafts',
        action: { label: 'Open draft', onAction: () => compose({ kind: 'draft', id }) },
      })
    } catch (error) {
      const isLate = hasName(error, 'conflict')
      toast({
        tone: 'danger',
        title: isLate ? 'Too late: the message has been sent' : "Couldn't cancel sending",
        ...(isLate ? {} : { description: messageOf(error) }),
      })
    } finally {
      setBusy(false)
      for (const part of ['submissions', 'messages', 'folders'])
        void queryClient.invalidateQueries({ queryKey: ['webmail', part] })
    }
  }
  return (
    <Button size="sm" icon={<X />} loading={busy} onClick={() => void cancel()} className="relative z-1">
      Cancel sending
    </Button>
  )
}
