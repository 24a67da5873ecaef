import type { DnsPublish, DnsRecordSet } from '@stoa/mail-model/dns.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { writeStored } from '@stoa/ui/browser/stored.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Progress } from '@stoa/ui/feedback/progress.tsx'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { hasOtherPolicy } from '../dns/states.ts'
import { domainsKey, publishRecords } from '../queries.ts'
import { keptKey } from './last-publish.tsx'
import { PublishResult } from './publish-result.tsx'
import { type Choices, type KeptPublish, publishInputOf, publishProblem, skippedOf, summaryOf } from './publishing.ts'
import { StepFooter } from './step-footer.tsx'

type PlanStepProps = {
  domain: Domain
  choices: Choices
  plan: DnsPublish
  set: DnsRecordSet
  onBusy: (busy: boolean) => void
  onBack: () => void
  onPublished: (publish: DnsPublish) => void
}

/** The result of the dry run, and the button that publishes. */
export const PlanStep = ({ domain, choices, plan, set, onBusy, onBack, onPublished }: PlanStepProps) => {
  const queryClient = useQueryClient()
  const [confirmed, setConfirmed] = useState(false)
  const { provider } = choices
  const publish = useMutation({
    mutationFn: () => publishRecords(domain.id, publishInputOf(choices, { dryRun: false, confirmReplace: confirmed })),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: (done) => {
      const kept: KeptPublish = { at: new Date().toISOString(), publish: done }
      writeStored(keptKey(domain.id), kept)
      void queryClient.invalidateQueries({ queryKey: domainsKey })
      onPublished(done)
    },
  })
  const changes = plan.created + plan.updated
  const needsConfirmation = provider.replacesZone === true && !confirmed
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p role="status" className="text-muted text-sm">
        {provider.name}: {summaryOf(plan)}. Nothing has been published yet.
      </p>
      {publish.error ? (
        <Notice tone="danger" title="Couldn't publish">
          {messageOf(publishProblem(publish.error, provider))}
        </Notice>
      ) : null}
      {skippedOf(plan) > 0 && !choices.overwrite ? (
        <Notice tone="warning">
          Conflicting records are skipped. To replace them, go back and turn on “Replace conflicting records”. This also
          replaces MX records of other mail services.
        </Notice>
      ) : null}
      {choices.kinds.includes('DMARC') && !choices.overwrite && set.records.some(hasOtherPolicy) ? (
        <Notice tone="warning">
          The DMARC policy in DNS differs from the domain's settings. To replace it, go back and turn on “Replace
          conflicting records”.
        </Notice>
      ) : null}
      <PublishResult publish={plan} records={set.records} />
      {provider.replacesZone ? (
        <CheckboxField
          label={`${provider.name} can only update the whole zone at once`}
          help="We read all records, add these and write them back. Changes made there at the same time are lost. Check this box to continue."
          checked={confirmed}
          onChecked={setConfirmed}
        />
      ) : null}
      {publish.isPending ? (
        <Progress label={`Publishing to ${provider.name}`} done={0} unit={`of ${changes} records`} />
      ) : null}
      <StepFooter>
        <Button icon={<ArrowLeft />} onClick={onBack} disabled={publish.isPending}>
          Back
        </Button>
        <Button
          variant="primary"
          loading={publish.isPending}
          disabled={changes === 0 || needsConfirmation}
          onClick={() => publish.mutate()}
        >
          {changes === 0 ? 'Nothing to publish' : `Publish ${changes} ${changes === 1 ? 'record' : 'records'}`}
        </Button>
      </StepFooter>
    </div>
  )
}
