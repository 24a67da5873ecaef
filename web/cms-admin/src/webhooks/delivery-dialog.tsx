import type { DeliveryDetail } from '@stoa/cms-model/webhooks.ts'
import { Status } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { CodeBlock } from '@stoa/ui/code-block.tsx'
import { Dialog } from '@stoa/ui/dialog.tsx'
import { Facts } from '@stoa/ui/facts.tsx'
import { Notice } from '@stoa/ui/notice.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { SkeletonText } from '@stoa/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { describeOutcome } from './events.ts'
import { deliveryQuery } from './queries.ts'

type DeliveryDialogProps = {
  webhookId: string
  deliveryId: string
  onRedeliver: () => Promise<unknown>
  onClose: () => void
}

/** One delivery: what was sent, and every answer to it. */
export const DeliveryDialog = ({ webhookId, deliveryId, onRedeliver, onClose }: DeliveryDialogProps) => {
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
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={query.data?.event ?? 'Delivery'}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button icon={<RotateCw />} loading={busy} disabled={!query.data} onClick={again}>
            Send again
          </Button>
        </>
      }
    >
      {query.data ? (
        <DeliveryView delivery={query.data} />
      ) : query.error ? (
        <Notice tone="danger">{messageOf(query.error)}</Notice>
      ) : (
        <SkeletonText lines={8} />
      )}
    </Dialog>
  )
}

const DeliveryView = ({ delivery }: { delivery: DeliveryDetail }) => {
  const { tone, label } = describeOutcome(delivery)
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Facts
        facts={[
          { label: 'Outcome', value: <Status tone={tone}>{label}</Status> },
          { label: 'Happened', value: <RelativeTime at={delivery.createdAt} /> },
          { label: 'webhook-id', value: <code className="break-all font-mono text-xs">{delivery.id}</code> },
          ...(delivery.nextAttemptAt === null
            ? []
            : [{ label: 'Next attempt', value: <RelativeTime at={delivery.nextAttemptAt} /> }]),
        ]}
      />
      <Attempts delivery={delivery} />
      <CodeBlock label="Body that is sent" code={JSON.stringify(delivery.payload, null, 2)} />
    </div>
  )
}

const Attempts = ({ delivery }: { delivery: DeliveryDetail }) => (
  <section aria-labelledby="attempts" className="flex flex-col gap-2">
    <h3 id="attempts" className="font-medium text-ink text-sm">
      Attempts
    </h3>
    {delivery.attemptLog.length === 0 ? <p className="text-muted">It was not attempted yet.</p> : null}
    <ol className="flex flex-col gap-3">
      {delivery.attemptLog.map((attempt) => (
        <li
          key={`${attempt.attempt} ${attempt.at}`}
          className="flex min-w-0 flex-col gap-1.5 border-line border-l-2 pl-3"
        >
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium text-ink">
              {attempt.responseStatus === null ? 'No answer' : `Answer ${attempt.responseStatus}`}
            </span>
            <span className="text-muted">Attempt {attempt.attempt}</span>
            {attempt.durationMs === null ? null : <span className="text-muted">{attempt.durationMs} ms</span>}
            <RelativeTime at={attempt.at} className="text-faint" />
          </span>
          {attempt.error === null ? null : <span className="break-words text-danger-ink">{attempt.error}</span>}
          {attempt.responseBody ? <CodeBlock label="Answer" code={attempt.responseBody} wrap /> : null}
        </li>
      ))}
    </ol>
  </section>
)
