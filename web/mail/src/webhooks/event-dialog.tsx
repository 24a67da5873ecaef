import type { WebhookEventDetail } from '@stoa/mail-model/webhooks.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { DeliveryDialog, type SeenDelivery } from '@stoa/ui/webhooks/delivery-dialog.tsx'
import { useQuery } from '@tanstack/react-query'
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
  const { data: event, error } = useQuery(eventQuery(webhookId, eventId))
  const { data: webhooks } = useQuery(webhooksQuery)
  const endpoint = webhooks?.data.find(({ id }) => id === webhookId)?.endpoint
  const link = endpoint === undefined ? undefined : <TextLink to={`/webhooks/${webhookId}`}>{endpoint}</TextLink>
  const waits = event?.status === 'pending' || event?.status === 'attempting'
  return (
    <DeliveryDialog
      delivery={event && { ...seen(event), endpoint: link }}
      error={error}
      again={{ label: 'Replay', busy: replaying, disabled: waits, onPress: onReplay }}
      onClose={onClose}
    />
  )
}

const seen = (event: WebhookEventDetail): SeenDelivery => ({
  id: event.id,
  event: event.type,
  standing: { status: event.status, attempts: event.attempts, answer: event.response_status },
  error: event.error,
  at: event.created_at,
  nextAttemptAt: event.next_attempt_at,
  attempts: event.attempt_log.map((attempt) => ({
    key: attempt.id,
    at: attempt.sent_at,
    status: attempt.http_status_code,
    durationMs: attempt.duration_ms,
    error: attempt.error,
    response: attempt.response,
  })),
  payload: event.payload,
})
