import type { WebhookEventItem } from '@stoa/mail-model/webhooks.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Progress } from '@stoa/ui/feedback/progress.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { RunDialog } from '@stoa/ui/layer/run-dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type EventsFilter, failedEventsQuery, replayEvent, WEBHOOKS } from './queries.ts'

type ReplayEventsProps = {
  /** None: all that failed. */
  chosen: readonly WebhookEventItem[]
  failed: { webhookId: string | undefined; filter: EventsFilter; total: number }
  onSettled: () => void
  onClose: () => void
}

/** Sends many events again. */
export const ReplayEvents = ({ chosen, failed, onSettled, onClose }: ReplayEventsProps) => {
  const all = useQuery({ ...failedEventsQuery(failed.webhookId, failed.filter), enabled: chosen.length === 0 })
  const events = chosen.length > 0 ? chosen : all.data
  if (events) return <AskReplay events={events} onSettled={onSettled} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} size="sm" title="Replay failed events">
      {all.error ? (
        <Notice tone="danger">{messageOf(all.error)}</Notice>
      ) : (
        <Progress label="Loading failed events" done={0} unit="events" />
      )}
    </Dialog>
  )
}

type AskReplayProps = { events: readonly WebhookEventItem[]; onSettled: () => void; onClose: () => void }

const AskReplay = ({ events, onSettled, onClose }: AskReplayProps) => {
  const queryClient = useQueryClient()
  return (
    <RunDialog
      title={`Replay ${formatCount(events.length, 'event', 'events')}?`}
      consequence="Events are sent again with the same IDs, so your server can detect duplicates."
      confirmLabel="Replay"
      tone="primary"
      items={events}
      unit="events"
      action={replayEvent}
      nameOf={({ type, id }) => `${type} ${id.slice(-6)}`}
      onSettled={({ done }) => {
        void queryClient.invalidateQueries({ queryKey: WEBHOOKS })
        onSettled()
        if (done > 0) toast({ tone: 'success', title: `${formatCount(done, 'event', 'events')} replayed` })
      }}
      onClose={onClose}
    />
  )
}
