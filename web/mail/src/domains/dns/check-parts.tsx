import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Progress } from '@stoa/ui/feedback/progress.tsx'
import { RefreshCw } from 'lucide-react'
import type { Check } from './use-check.ts'

export const CheckButton = ({ check }: { check: Check }) => (
  <Button icon={<RefreshCw />} loading={check.isRunning} disabled={check.waitSeconds > 0} onClick={check.run}>
    {check.waitSeconds > 0 ? `Check again in ${check.waitSeconds} s` : check.isRunning ? 'Checking…' : 'Check now'}
  </Button>
)

/** The progress of a DNS check, or why it did not run. */
export const CheckState = ({ check, records }: { check: Check; records: number }) => {
  if (check.isRunning)
    return (
      <div className="rounded-lg border border-line bg-surface px-4 py-3 shadow-sm">
        <Progress
          label="Checking DNS records"
          done={0}
          unit={`of ${records} records`}
          detail="This takes up to 10 seconds."
        />
      </div>
    )
  if (check.waitSeconds > 0)
    return (
      <Notice tone="info">
        This domain was just checked. You can check again in <span className="tabular-nums">{check.waitSeconds}</span>{' '}
        s.
      </Notice>
    )
  return check.problem === undefined ? null : (
    <Notice tone="danger" title="Check failed">
      {check.problem}
    </Notice>
  )
}
