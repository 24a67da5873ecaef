import type { PluginRun } from '@stoa/cms-model/plugins.ts'
import { Status } from '@stoa/ui/display/badge.tsx'
import { Disclosure } from '@stoa/ui/display/disclosure.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { useQuery } from '@tanstack/react-query'
import { runsQuery } from './queries.ts'
import { runKinds, runOutcomes } from './words.ts'

/** Recent runs of a plugin with their logs. The list refreshes itself. */
export const Runs = ({ name }: { name: string }) => {
  const query = useQuery(runsQuery(name))
  return (
    <Panel title="Recent runs" description="Events, schedules, failures and requests with log output" flush>
      <QueryBoundary query={query} name="The runs" padded lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="p-5 text-muted text-sm">No runs yet</p>
          ) : (
            <ul className="divide-y divide-line">
              {items.map((run) => (
                <OneRun key={run.id} run={run} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Panel>
  )
}

const OneRun = ({ run }: { run: PluginRun }) => {
  const { tone, label } = runOutcomes[run.outcome]
  return (
    <li className="flex min-w-0 flex-col gap-1 px-5 py-3">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <Status tone={tone}>{label}</Status>
        <span className="wrap-anywhere min-w-0 text-ink text-sm">
          <span className="text-faint">{runKinds[run.kind]}</span> {run.name}
        </span>
        <span className="ml-auto flex shrink-0 gap-3 text-faint text-xs">
          <span>{run.ms} ms</span>
          <RelativeTime at={run.at} />
        </span>
      </div>
      {run.message === null ? null : <p className="wrap-anywhere text-danger-ink text-sm">{run.message}</p>}
      {run.lines.length === 0 ? null : (
        <Disclosure summary={run.lines.length === 1 ? '1 line' : `${run.lines.length} lines`}>
          <ol className="mt-1 overflow-x-auto rounded-md bg-canvas p-3 font-mono text-xs">
            {run.lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a log never changes
              <li key={at} className="whitespace-pre-wrap break-words">
                <span className="text-faint">{line.level}</span> {line.text}
              </li>
            ))}
          </ol>
        </Disclosure>
      )}
    </li>
  )
}
