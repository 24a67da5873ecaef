import { CircleAlert, CircleCheck } from 'lucide-react'
import { NetworkMark } from '../network-mark.tsx'
import type { PostProblem } from './problems.ts'

type ProblemListProps = { problems: readonly PostProblem[]; labelOf: (network: string) => string; isEmpty: boolean }

/** What networks would refuse, by network, before anything is sent. */
export const ProblemList = ({ problems, labelOf, isEmpty }: ProblemListProps) => {
  if (problems.length === 0)
    return isEmpty ? null : (
      <p className="flex items-center gap-2 rounded-lg border border-live-line bg-live-soft px-3 py-2 text-live-ink text-sm">
        <CircleCheck aria-hidden className="size-4 shrink-0" />
        Ready for every selected network
      </p>
    )
  const groups = Object.entries(Object.groupBy(problems, ({ network }) => network ?? ''))
  return (
    <section
      aria-label="Problems"
      tabIndex={-1}
      className="flex min-w-0 flex-col gap-2.5 rounded-lg border border-failed-line bg-failed-soft px-3 py-2.5 text-sm"
    >
      <h2 className="flex items-center gap-2 font-medium text-failed-ink">
        <CircleAlert aria-hidden className="size-4 shrink-0" />
        {problems.length === 1 ? '1 problem to fix' : `${problems.length} problems to fix`}
      </h2>
      <ul className="flex flex-col gap-2">
        {groups.map(([network, found = []]) => (
          <li key={network} className="flex min-w-0 items-start gap-2">
            {network === '' ? (
              <span className="w-3.5 shrink-0" />
            ) : (
              <NetworkMark network={network} size="xs" className="mt-0.5 text-muted" />
            )}
            <div className="min-w-0 flex-1">
              {network === '' ? null : <span className="sr-only">{labelOf(network)}: </span>}
              {found.map(({ key, message }) => (
                <p key={`${key} ${message}`} className="wrap-anywhere text-ink">
                  {message}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
