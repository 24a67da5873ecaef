import type { ToolStep, TurnEvents } from '@stoa/cms-model/assistant.ts'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { ArrowUpRight, Check, CircleAlert } from 'lucide-react'
import { destinationOf } from './screens.ts'

const words = { running: 'Running', ok: 'Done', error: 'Failed' } as const

/** The tool calls that led to the assistant's answer. */
export const Steps = ({ steps }: { steps: readonly ToolStep[] }) => (
  <ul aria-label="Steps" className="flex min-w-0 flex-col gap-1 rounded-lg border border-line bg-canvas px-3 py-2">
    {steps.map((step) => (
      <li key={step.callId} className="flex min-w-0 items-start gap-2 text-xs">
        <StateIcon state={step.state} />
        <span className="min-w-0 flex-1">
          <span className="text-ink">{step.label}</span>
          <span className="sr-only">, {words[step.state]}</span>
          {step.summary ? <span className="wrap-anywhere text-faint"> · {step.summary}</span> : null}
        </span>
      </li>
    ))}
  </ul>
)

const StateIcon = ({ state }: Pick<ToolStep, 'state'>) => {
  if (state === 'running') return <Spinner />
  const [Icon, colour] = state === 'ok' ? [Check, 'text-live-mark'] : [CircleAlert, 'text-failed-mark']
  return <Icon aria-hidden className={`mt-px size-3.5 shrink-0 ${colour}`} />
}

/** Screens that the assistant leads to; one that is not known here is only named. */
export const Visits = ({ visits }: { visits: readonly TurnEvents['navigate'][] }) => (
  <ul className="flex flex-col gap-1 text-xs">
    {visits.map(({ screen, id }) => {
      const destination = destinationOf(screen, id)
      return (
        <li key={`${screen} ${id ?? ''}`} className="flex items-center gap-1.5 text-muted">
          <ArrowUpRight aria-hidden className="size-3.5 text-faint" />
          {destination ? (
            <span>
              Open <TextLink to={destination.to}>{destination.label}</TextLink>
            </span>
          ) : (
            <span>Screen: {[screen, id].filter(Boolean).join(' ')}</span>
          )}
        </li>
      )
    })}
  </ul>
)
