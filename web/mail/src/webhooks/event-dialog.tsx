import type { WebhookEventDetail } from '@stoa/mail-model/webhooks.ts'
import { Status } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { CodeBlock } from '@stoa/ui/code-block.tsx'
import { Dialog } from '@stoa/ui/dialog.tsx'
import { Facts } from '@stoa/ui/facts.tsx'
import { TextLink } from '@stoa/ui/link.tsx'
import { Notice } from '@stoa/ui/notice.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { SkeletonText } from '@stoa/ui/skeleton.tsx'
import { Timeline } from '@stoa/ui/timeline.tsx'
import { useQuery } from '@tanstack/react-query'
import { Check, RotateCw, X } from 'lucide-react'
import { describeOutcome } from './events.ts'
import { eventQuery, webhooksQuery } from './queries.ts'

type EventDialogProps = {
  webhookId: string
  eventId: string
  replaying: boolean
  onReplay: () => void
  onClose: () => void
}

/** One event: what is sent, and every answer to it. It goes on by itself while attempts are made. */
export const EventDialog = ({ webhookId, eventId, replaying, onReplay, onClose }: EventDialogProps) => {
  const query = useQuery(eventQuery(webhookId, eventId))
  const waits = query.data?.status === 'pending' || query.data?.status === 'attempting'
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={query.data?.type ?? 'Event'}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button icon={<RotateCw />} loading={replaying} disabled={!query.data || waits} onClick={onReplay}>
            Replay
          </Button>
        </>
      }
    >
      {query.data ? (
        <EventView event={query.data} />
      ) : query.error ? (
        <Notice tone="danger">{messageOf(query.error)}</Notice>
      ) : (
        <SkeletonText lines={8} />
      )}
    </Dialog>
  )
}

const EventView = ({ event }: { event: WebhookEventDetail }) => {
  const { tone, label } = describeOutcome(event)
  const { data: webhooks } = useQuery(webhooksQuery)
  const endpoint = webhooks?.data.find(({ id }) => id === event.webhook_id)?.endpoint
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Facts
        facts={[
          { label: 'Outcome', value: <Status tone={tone}>{label}</Status> },
          ...(event.error === null || event.response_status !== null ? [] : [{ label: 'Because', value: event.error }]),
          { label: 'Happened', value: <RelativeTime at={event.created_at} /> },
          ...(event.next_attempt_at === null
            ? []
            : [{ label: 'Next attempt', value: <RelativeTime at={event.next_attempt_at} /> }]),
          ...(endpoint === undefined
            ? []
            : [{ label: 'Endpoint', value: <TextLink to={`/webhooks/${event.webhook_id}`}>{endpoint}</TextLink> }]),
          { label: 'webhook-id', value: <code className="break-all font-mono text-xs">{event.id}</code> },
        ]}
      />
      <Attempts event={event} />
      <CodeBlock label="Payload" code={JSON.stringify(event.payload, null, 2)} />
    </div>
  )
}

const isGood = (status: number | null): boolean => status !== null && status >= 200 && status < 300

const Attempts = ({ event }: { event: WebhookEventDetail }) => (
  <section aria-labelledby="attempts" className="flex min-w-0 flex-col gap-2.5">
    <h3 id="attempts" className="font-medium text-ink text-sm">
      Attempts
    </h3>
    {event.attempt_log.length === 0 ? <p className="text-muted">It was not attempted yet.</p> : null}
    <Timeline
      label="Attempts"
      steps={event.attempt_log.map((attempt, index) => ({
        key: attempt.id,
        tone: isGood(attempt.http_status_code) ? 'live' : 'failed',
        icon: isGood(attempt.http_status_code) ? <Check /> : <X />,
        title: `${index + 1}: ${attempt.http_status_code === null ? 'No answer' : `Answer ${attempt.http_status_code}`}`,
        at: (
          <>
            {attempt.duration_ms === null ? '' : `${attempt.duration_ms} ms · `}
            <RelativeTime at={attempt.sent_at} />
          </>
        ),
        children:
          // Where a server answered, the number says it all
          attempt.http_status_code === null ? (
            attempt.error
          ) : attempt.response ? (
            <CodeBlock label="Response" code={attempt.response} wrap />
          ) : undefined,
      }))}
    />
  </section>
)
