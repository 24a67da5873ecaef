import { Check, RotateCw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { CodeBlock } from '../display/code-block.tsx'
import { Facts } from '../display/facts.tsx'
import { RelativeTime } from '../display/relative-time.tsx'
import { Timeline } from '../display/timeline.tsx'
import { Notice } from '../feedback/notice.tsx'
import { SkeletonText } from '../feedback/skeleton.tsx'
import { Dialog } from '../layer/dialog.tsx'
import { messageOf } from '../request/problem.ts'
import { DeliveryState } from './states.tsx'
import type { Standing } from './words.ts'

export type Attempt = {
  key: string
  at: string
  /** HTTP status of the response; null when there was none. */
  status: number | null
  durationMs: number | null
  error: string | null
  response: string | null
}

/** One event for one endpoint: what is sent, and every answer to it. */
export type SeenDelivery = {
  /** The `webhook-id` header of each attempt. */
  id: string
  event: string
  standing: Standing
  error: string | null
  at: string
  nextAttemptAt: string | null
  /** The URL of the endpoint, where the screen does not show it already. */
  endpoint?: ReactNode
  attempts: readonly Attempt[]
  payload: unknown
}

type DeliveryDialogProps = {
  /** Undefined until it is read. */
  delivery: SeenDelivery | undefined
  /** Why it could not be read. */
  error: unknown
  again: { label: string; busy: boolean; disabled?: boolean; onPress: () => void }
  onClose: () => void
}

export const DeliveryDialog = ({ delivery, error, again, onClose }: DeliveryDialogProps) => (
  <Dialog
    open
    onOpenChange={onClose}
    size="lg"
    title={delivery?.event ?? 'Event'}
    footer={
      <>
        <Button onClick={onClose}>Close</Button>
        <Button
          icon={<RotateCw />}
          loading={again.busy}
          disabled={!delivery || again.disabled === true}
          onClick={again.onPress}
        >
          {again.label}
        </Button>
      </>
    }
  >
    {delivery ? (
      <DeliveryView delivery={delivery} />
    ) : error ? (
      <Notice tone="danger">{messageOf(error)}</Notice>
    ) : (
      <SkeletonText lines={8} />
    )}
  </Dialog>
)

const DeliveryView = ({ delivery }: { delivery: SeenDelivery }) => {
  const { id, standing, error, at, nextAttemptAt, endpoint, attempts, payload } = delivery
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Facts
        facts={[
          { label: 'Status', value: <DeliveryState {...standing} /> },
          // With a response, its status code is reason enough
          ...(error === null || standing.answer !== null ? [] : [{ label: 'Reason', value: error }]),
          { label: 'Occurred', value: <RelativeTime at={at} /> },
          ...(nextAttemptAt === null ? [] : [{ label: 'Next attempt', value: <RelativeTime at={nextAttemptAt} /> }]),
          ...(endpoint === undefined ? [] : [{ label: 'Endpoint', value: endpoint }]),
          { label: 'webhook-id', value: <code className="break-all font-mono text-xs">{id}</code> },
        ]}
      />
      <Attempts attempts={attempts} isOver={standing.status === 'failed'} />
      <CodeBlock label="Payload" code={JSON.stringify(payload, null, 2)} />
    </div>
  )
}

const isGood = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

const Attempts = ({ attempts, isOver }: { attempts: readonly Attempt[]; isOver: boolean }) => (
  <section aria-labelledby="attempts" className="flex min-w-0 flex-col gap-2.5">
    <h3 id="attempts" className="font-medium text-ink text-sm">
      Attempts
    </h3>
    {attempts.length === 0 ? <p className="text-muted">{isOver ? 'Never attempted' : 'Not attempted yet'}</p> : null}
    <Timeline
      label="Attempts"
      steps={attempts.map((attempt, index) => ({
        key: attempt.key,
        tone: isGood(attempt) ? 'live' : 'failed',
        icon: isGood(attempt) ? <Check /> : <X />,
        title: `${index + 1}: ${attempt.status === null ? 'No response' : `Response ${attempt.status}`}`,
        at: (
          <>
            {attempt.durationMs === null ? '' : `${attempt.durationMs} ms · `}
            <RelativeTime at={attempt.at} />
          </>
        ),
        children:
          attempt.status === null ? (
            attempt.error
          ) : attempt.response ? (
            <CodeBlock label="Response" code={attempt.response} wrap />
          ) : undefined,
      }))}
    />
  </section>
)
