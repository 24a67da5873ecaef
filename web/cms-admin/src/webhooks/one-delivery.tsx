import type { DeliveryDetail } from '@stoa/cms-model/webhooks.ts'
import { DeliveryDialog, type SeenDelivery } from '@stoa/ui/webhooks/delivery-dialog.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deliveryQuery } from './queries.ts'

type OneDeliveryProps = {
  webhookId: string
  deliveryId: string
  onRedeliver: () => Promise<unknown>
  onClose: () => void
}

/** One delivery: what was sent, and every answer to it. */
export const OneDelivery = ({ webhookId, deliveryId, onRedeliver, onClose }: OneDeliveryProps) => {
  const query = useQuery(deliveryQuery(webhookId, deliveryId))
  const [busy, setBusy] = useState(false)
  const again = async () => {
    setBusy(true)
    // The log says how it went
    await onRedeliver().catch(() => undefined)
    await query.refetch()
    setBusy(false)
  }
  return (
    <DeliveryDialog
      delivery={query.data && seen(query.data)}
      error={query.error}
      again={{ label: 'Resend', busy, onPress: () => void again() }}
      onClose={onClose}
    />
  )
}

const seen = (delivery: DeliveryDetail): SeenDelivery => ({
  id: delivery.id,
  event: delivery.event,
  standing: { status: delivery.status, attempts: delivery.attempts, answer: delivery.responseStatus },
  error: delivery.error,
  at: delivery.createdAt,
  nextAttemptAt: delivery.nextAttemptAt,
  attempts: delivery.attemptLog.map((attempt) => ({
    key: `${attempt.attempt} ${attempt.at}`,
    at: attempt.at,
    status: attempt.responseStatus,
    durationMs: attempt.durationMs,
    error: attempt.error,
    response: attempt.responseBody,
  })),
  payload: delivery.payload,
})
