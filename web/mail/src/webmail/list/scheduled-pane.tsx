import type { Submission } from '@stoa/mail-model/compose.ts'
import type { Folder } from '@stoa/mail-model/folders.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { Button } from '@stoa/ui/button.tsx'
import { cx } from '@stoa/ui/cx.ts'
import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { Crash } from '@stoa/ui/error-boundary.tsx'
import { formatAbsolute, formatNumber } from '@stoa/ui/format.ts'
import { listState } from '@stoa/ui/list-state.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock, PenLine, X } from 'lucide-react'
import { useState } from 'react'
import { hasName } from '../../api.ts'
import { compose } from '../compose/compose.ts'
import { subjectOf } from '../people.ts'
import { messageQuery, messagesQuery } from '../queries.ts'
import { RowSkeleton } from './message-list.tsx'
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
        <h1 className="font-semibold text-base text-ink">Scheduled</h1>
        <span role="status" className="text-muted text-xs tabular-nums">
          {state.status === 'ready' ? formatNumber(state.rows.length) : ''}
        </span>
      </header>
      {state.status === 'error' ? (
        <Crash title="What is scheduled could not be loaded" onRetry={state.onRetry}>
          {state.message}
        </Crash>
      ) : state.status === 'loading' ? (
        <div role="status" className="h-20">
          <span className="sr-only">Loading</span>
          <RowSkeleton layout="stacked" />
        </div>
      ) : state.rows.length === 0 ? (
        <EmptyState
          icon={<CalendarClock />}
          title="Nothing is scheduled"
          action={
            <Button variant="primary" icon={<PenLine />} onClick={() => compose({ kind: 'new' })}>
              Write a message
            </Button>
          }
        >
          Choose a time in the menu beside Send, and the message waits here until then.
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

/** What waits is kept among what was sent: the newest of it are read in one request. */
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

// Whoever looks here wants the exact time
const moments = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})

const ScheduledRow = ({ submission, item, isKnown, isOpen, onOpen }: RowProps) => {
  const { data } = useQuery({ ...messageQuery(submission.message_id), enabled: isKnown && item === undefined })
  const message = item ?? data
  const to = submission.recipients.map(({ email }) => email).join(', ')
  return (
    <div
      className={cx(
        'relative flex items-center gap-3 border-line border-b px-4 py-2.5',
        isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <button
        type="button"
        aria-current={isOpen ? 'true' : undefined}
        onClick={onOpen}
        className="min-w-0 flex-1 text-left after:absolute after:inset-0"
      >
        <span className="block truncate text-ink text-sm">To: {to}</span>
        <span className="block truncate text-muted text-sm">{message ? subjectOf(message) : '…'}</span>
        <span className="flex items-center gap-1 text-scheduled-ink text-xs">
          <CalendarClock aria-hidden className="size-3.5 shrink-0" />
          <time dateTime={submission.send_at} title={formatAbsolute(new Date(submission.send_at))} className="truncate">
            {moments.format(new Date(submission.send_at))}
          </time>
        </span>
      </button>
      <CancelButton submission={submission} />
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
        title: 'It is a draft again',
        action: { label: 'Open draft', onAction: () => compose({ kind: 'draft', id }) },
      })
    } catch (error) {
      const isLate = hasName(error, 'conflict')
      toast({
        tone: 'danger',
        title: isLate ? 'It is too late: the message is on its way' : 'It could not be taken back',
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
      Do not send
    </Button>
  )
}
