import { Button } from '@stoa/ui/button/button.tsx'
import { Progress } from '@stoa/ui/feedback/progress.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { CircleCheck, CircleX } from 'lucide-react'
import { type BulkOutcome, type BulkProgress, failuresOf } from './bulk.ts'
import { entriesOf } from './bulk-words.ts'

export type BulkRun = {
  /** "Publishing", and "published" of those that worked. */
  doing: string
  done: string
  total: number
  progress: BulkProgress
}

type BulkDialogProps = {
  run: BulkRun
  /** The title and path of an entry; undefined when it has no screen now. */
  describe: (id: string) => { title: string; to: string | undefined }
  onCancel: () => void
  onClose: () => void
}

/** A change of many entries: how far it is, then the result of each. */
export const BulkDialog = ({ run, describe, onCancel, onClose }: BulkDialogProps) => {
  const { state, outcomes } = run.progress
  const running = state === 'running'
  const failures = failuresOf(run.progress)
  const done = outcomes.filter(({ ok }) => ok)
  const untried = run.total - outcomes.length
  return (
    <Dialog
      open
      onOpenChange={onClose}
      dismissible={!running}
      title={`${run.doing} ${entriesOf(run.total)}`}
      footer={
        running ? (
          <Button onClick={onCancel}>Cancel</Button>
        ) : (
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <Progress
          label={running ? `${run.doing} …` : stateWords[state]}
          done={outcomes.length}
          total={run.total}
          unit="entries"
          state={!running && done.length === 0 ? 'failed' : state}
        />
        {running ? null : (
          <p role="status" className="text-muted">
            {summary(run, failures.length, untried)}
          </p>
        )}
        {failures.length > 0 ? (
          <section aria-label="Failed" className="flex flex-col gap-1">
            <h3 className="font-medium">Failed</h3>
            <Outcomes outcomes={failures} describe={describe} />
          </section>
        ) : null}
        {!running && done.length > 0 && failures.length > 0 ? (
          <details>
            <summary className="cursor-pointer font-medium">Done ({done.length})</summary>
            <Outcomes outcomes={done} describe={describe} />
          </details>
        ) : null}
      </div>
    </Dialog>
  )
}

const stateWords = { done: 'Done', cancelled: 'Canceled', failed: "Stopped: the server isn't responding" } as const

const summary = ({ done, progress }: BulkRun, failed: number, untried: number): string => {
  const worked = progress.outcomes.length - failed
  const parts = [
    `${entriesOf(worked)} ${done}`,
    ...(failed > 0 ? [`${entriesOf(failed)} failed`] : []),
    ...(untried > 0 ? [`${entriesOf(untried)} not tried`] : []),
  ]
  return `${parts.join(', ')}.`
}

type OutcomesProps = { outcomes: readonly BulkOutcome[]; describe: BulkDialogProps['describe'] }

const Outcomes = ({ outcomes, describe }: OutcomesProps) => (
  <ul className="divide-y divide-line">
    {outcomes.map(({ id, ok, error }) => {
      const { title, to } = describe(id)
      const Icon = ok ? CircleCheck : CircleX
      return (
        <li key={id} className="flex items-start gap-2 py-1.5">
          <Icon
            aria-label={ok ? 'Done' : 'Failed'}
            className={`mt-0.5 size-4 shrink-0 ${ok ? 'text-live-mark' : 'text-failed-mark'}`}
          />
          <span className="min-w-0 break-words">
            {to === undefined ? <span>{title}</span> : <TextLink to={to}>{title}</TextLink>}
            {error === undefined ? null : <span className="block text-muted">{error}</span>}
          </span>
        </li>
      )
    })}
  </ul>
)
