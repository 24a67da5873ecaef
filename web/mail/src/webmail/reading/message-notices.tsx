import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { shownLine } from '@stoa/ui/text/shown-line.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasName } from '../../api.ts'
import { readAgain } from '../actions/mail-cache.ts'
import { formatMoment } from '../actions/snooze-times.ts'
import { useMessageActions } from '../actions/use-message-actions.ts'
import { compose } from '../compose/compose.ts'
import { cancelSubmission, pendingQuery } from '../list/submissions.ts'
import { foldersQuery } from '../queries.ts'
import { type SenderCheck, warningsTitle, warningWords } from './sender-check.ts'

type NoticesProps = { item: MessageItem; check: SenderCheck; isJunk: boolean; onGone: () => void }

/** Warnings to see before reading a message. */
export const MessageNotices = ({ item, check, isJunk, onGone }: NoticesProps) => {
  const actions = useMessageActions()
  const target = { ids: [item.id] }
  const name = shownLine(item.from?.name ?? '') || null
  return (
    <>
      {check.verdict === 'forged' ? (
        <Notice tone="warning" title="This message might be forged">
          {check.domain} didn't confirm that it sent this message. Don't click links or open attachments unless you
          trust it.
        </Notice>
      ) : null}
      {check.warnings.length > 0 ? (
        <Notice tone="warning" title={warningsTitle(check)}>
          <ul className="list-disc break-words pl-4">
            {check.warnings.map((warning) => (
              <li key={`${warning.code} ${warning.actual} ${warning.shown}`}>{warningWords(warning, name)}</li>
            ))}
          </ul>
          <p className="mt-1">Don't sign in, pay or share anything unless you're sure who sent it.</p>
        </Notice>
      ) : null}
      {isJunk ? (
        <Notice
          tone="warning"
          action={
            <Button
              size="sm"
              onClick={() => {
                void actions.junk(target, false)
                onGone()
              }}
            >
              Not junk
            </Button>
          }
        >
          This message is in Junk.
        </Notice>
      ) : null}
      {item.snoozed_until === null ? null : (
        <Notice
          action={
            <Button size="sm" onClick={() => void actions.snooze(target, null)}>
              Unsnooze
            </Button>
          }
        >
          Snoozed until {formatMoment(new Date(item.snoozed_until))}.
        </Notice>
      )}
      <ScheduledNotice item={item} onGone={onGone} />
    </>
  )
}

/** Mail of one's own that was not sent yet can be taken back. */
const ScheduledNotice = ({ item, onGone }: { item: MessageItem; onGone: () => void }) => {
  const queryClient = useQueryClient()
  const { data: folders } = useQuery(foldersQuery)
  const sent = folders?.data.find(({ role }) => role === 'sent')?.id
  const isSent = sent !== undefined && item.folder_ids.includes(sent)
  const { data: pending } = useQuery({ ...pendingQuery, enabled: isSent })
  const [busy, setBusy] = useState(false)
  const submission = isSent ? pending?.data.find(({ message_id: id }) => id === item.id) : undefined
  if (!submission) return null
  const cancel = async () => {
    setBusy(true)
    try {
      await cancelSubmission(submission.id)
      onGone()
      compose({ kind: 'draft', id: item.id })
    } catch (error) {
      const isLate = hasName(error, 'conflict')
      toast({
        tone: 'danger',
        title: isLate ? 'Too late: the message is being sent' : "Couldn't cancel sending",
        description: messageOf(error),
      })
    } finally {
      setBusy(false)
      void queryClient.invalidateQueries({ queryKey: pendingQuery.queryKey })
      readAgain(queryClient)
    }
  }
  return (
    <Notice
      title={`Scheduled for ${formatMoment(new Date(submission.send_at))}`}
      action={
        <Button size="sm" loading={busy} onClick={() => void cancel()}>
          Cancel sending
        </Button>
      }
    >
      If you cancel, it goes back to Drafts.
    </Notice>
  )
}
