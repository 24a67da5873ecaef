import { Badge } from '../display/badge.tsx'
import { CodeBlock } from '../display/code-block.tsx'
import { Panel } from '../display/panel.tsx'
import { RelativeTime } from '../display/relative-time.tsx'
import { Notice } from '../feedback/notice.tsx'
import { type Check, checkName, statusWords, summaryOf, worstFirst } from './words.ts'

type HealthReportProps = { status: Check['status']; checkedAt: string; checks: readonly Check[] }

/** The results of a service's last health check, and what to do about them. */
export const HealthReport = ({ status, checkedAt, checks }: HealthReportProps) => (
  <div className="flex flex-col gap-6">
    <Notice tone={statusWords[status].notice} title={summaryOf(checks)}>
      Last checked <RelativeTime at={checkedAt} />.
    </Notice>
    <Panel title="Checks" flush>
      <ul className="divide-y divide-line">
        {worstFirst(checks).map((check) => (
          <li key={check.id} className="flex items-start gap-4 px-5 py-3 phone:flex-col phone:gap-1.5">
            <div className="flex w-44 shrink-0 items-center justify-between gap-3 phone:w-full">
              <span className="font-medium text-ink text-sm">{checkName(check.id)}</span>
              <Badge tone={statusWords[check.status].badge}>{statusWords[check.status].label}</Badge>
            </div>
            <div className="min-w-0 flex-1 text-sm">
              <p className="break-words text-ink">{check.message}</p>
              {check.action === null ? null : <p className="mt-0.5 break-words text-muted">{check.action}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
    <Panel
      title="On the server"
      description="The same checks for both services, for monitoring: exit code 0, 1 for warnings, 2 for errors."
    >
      <CodeBlock label="Command" code="npm run doctor -- --json" wrap />
    </Panel>
  </div>
)
