import type { DnsPublish, DnsRecordSet } from '@stoa/mail-model/dns.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Check } from '../dns/use-check.ts'
import { providerQuery } from '../queries.ts'
import { DoneStep } from './done-step.tsx'
import { FormStep } from './form-step.tsx'
import { PlanStep } from './plan-step.tsx'
import type { Choices } from './publishing.ts'

type PublishDialogProps = { domain: Domain; set: DnsRecordSet; check: Check; onClose: () => void }

type Step =
  | { at: 'form'; choices?: Choices }
  | { at: 'plan'; choices: Choices; plan: DnsPublish }
  | { at: 'done'; publish: DnsPublish }

const titles = { form: 'Publish DNS records', plan: 'Preview changes', done: 'Published' }
const numbers = { form: 1, plan: 2, done: 3 }

/** Writes the records to the DNS provider: first who and what, then what would happen, then what happened. */
export const PublishDialog = ({ domain, set, check, onClose }: PublishDialogProps) => {
  const detected = useQuery(providerQuery(domain.id))
  const [step, setStep] = useState<Step>({ at: 'form' })
  const [busy, setBusy] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const [asking, setAsking] = useState(false)
  const close = () => {
    if (step.at !== 'done' && (isTyped || step.at === 'plan')) setAsking(true)
    else onClose()
  }
  return (
    <>
      <Dialog
        open
        onOpenChange={close}
        size="lg"
        dismissible={!busy}
        title={titles[step.at]}
        description={`Step ${numbers[step.at]} of 3 · ${domain.unicode_name}`}
      >
        {step.at === 'form' ? (
          detected.isPending ? (
            <SkeletonText lines={6} label="Detecting your DNS provider" />
          ) : (
            <FormStep
              domain={domain}
              set={set}
              detected={detected.data}
              isUnknown={detected.isError}
              before={step.choices}
              onBusy={setBusy}
              onTyped={setTyped}
              onClose={close}
              onPlanned={(choices, plan) => setStep({ at: 'plan', choices, plan })}
            />
          )
        ) : null}
        {step.at === 'plan' ? (
          <PlanStep
            domain={domain}
            choices={step.choices}
            plan={step.plan}
            set={set}
            onBusy={setBusy}
            onBack={() => setStep({ at: 'form', choices: step.choices })}
            onPublished={(publish) => setStep({ at: 'done', publish })}
          />
        ) : null}
        {step.at === 'done' ? <DoneStep publish={step.publish} set={set} check={check} onClose={onClose} /> : null}
      </Dialog>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Close without publishing?"
        consequence="Nothing has been published. The token you entered is discarded."
        confirmLabel="Close"
        onConfirm={onClose}
      />
    </>
  )
}
