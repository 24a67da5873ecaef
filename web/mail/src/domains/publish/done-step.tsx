import type { DnsPublish, DnsRecordSet } from '@stoa/mail-model/dns.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { useEffect, useRef } from 'react'
import { CheckButton, CheckState } from '../dns/check-parts.tsx'
import { NextCheck } from '../dns/next-check.tsx'
import { describeCheck } from '../dns/states.ts'
import type { Check } from '../dns/use-check.ts'
import { PublishResult } from './publish-result.tsx'
import { summaryOf } from './publishing.ts'
import { StepFooter } from './step-footer.tsx'

type DoneStepProps = { publish: DnsPublish; set: DnsRecordSet; check: Check; onClose: () => void }

/** The written records, and a check whether the name servers return them already. */
export const DoneStep = ({ publish, set, check, onClose }: DoneStepProps) => {
  const asked = useRef(false)
  const { run, waitSeconds } = check
  useEffect(() => {
    if (asked.current || waitSeconds > 0) return
    asked.current = true
    run()
  }, [run, waitSeconds])
  const isVerified = set.status === 'verified'
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Notice tone={publish.failed > 0 ? 'danger' : 'success'} title={`${summaryOf(publish)}.`}>
        {publish.failed > 0 ? 'See below for what failed. The other records are in place.' : undefined}
        {publish.failed === 0 ? 'You can find this result on the DNS records tab, in this browser.' : undefined}
      </Notice>
      <PublishResult publish={publish} />
      <CheckState check={check} records={set.records.length} />
      {check.isRunning ? null : (
        <p role="status" className="text-muted text-sm">
          {describeCheck(set.records)}{' '}
          {isVerified ? null : (
            <>
              DNS changes take a moment to show up.
              {check.isWatching ? (
                ' We keep checking.'
              ) : set.next_check_at === null ? null : (
                <>
                  {' '}
                  We'll check again <NextCheck at={set.next_check_at} />.
                </>
              )}
            </>
          )}
        </p>
      )}
      <StepFooter>
        {isVerified ? null : <CheckButton check={check} />}
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </StepFooter>
    </div>
  )
}
