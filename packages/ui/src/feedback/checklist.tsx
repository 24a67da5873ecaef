import { Check, ChevronRight, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../button/button.tsx'
import { Panel } from '../display/panel.tsx'
import { AppLink } from '../navigation/link.tsx'
import { cx } from '../theme/cx.ts'

export type ChecklistStep = { id: string; label: string; help: string; to: string; done: boolean }

type ChecklistProps = {
  /** Where the steps lead. */
  description: string
  steps: readonly ChecklistStep[]
  onClose: () => void
  /** Below the steps. */
  children?: ReactNode
}

/** The first steps of somebody new, with what is done already. */
export const Checklist = ({ description, steps, onClose, children }: ChecklistProps) => {
  const done = steps.filter((step) => step.done).length
  const next = steps.find((step) => !step.done)
  return (
    <Panel
      title="Get started"
      description={description}
      flush
      actions={
        <>
          <span className="text-muted text-xs tabular-nums">
            {done} of {steps.length} done
          </span>
          <IconButton size="sm" label="Dismiss the checklist" icon={<X />} onClick={onClose} />
        </>
      }
    >
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <li key={step.id}>
            <StepLine step={step} isNext={step === next} />
          </li>
        ))}
      </ol>
      {children}
    </Panel>
  )
}

const StepLine = ({ step, isNext }: { step: ChecklistStep; isNext: boolean }) => (
  <AppLink
    to={step.to}
    className="flex min-h-12 items-center gap-3 px-5 py-2 text-sm outline-offset-[-2px] hover:bg-hover"
  >
    <span
      aria-hidden
      className={cx(
        'flex size-5 shrink-0 items-center justify-center rounded-full border',
        step.done ? 'border-live-mark bg-live-mark text-surface' : isNext ? 'border-accent' : 'border-line-strong',
      )}
    >
      {step.done ? <Check className="size-3" strokeWidth={3} /> : null}
    </span>
    <span className="flex min-w-0 flex-1 flex-col">
      <span className={step.done ? 'text-muted line-through' : 'font-medium text-ink'}>
        {step.label}
        <span className="sr-only">{step.done ? ' (done)' : ' (to do)'}</span>
      </span>
      {step.done ? null : <span className="text-muted">{step.help}</span>}
    </span>
    <ChevronRight aria-hidden className="size-4 shrink-0 text-faint" />
  </AppLink>
)
