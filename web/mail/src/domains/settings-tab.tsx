import type { Domain, DomainUpdateInput } from '@stoa/mail-model/domains.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { PlanLimitHint, usePlanLimit } from '../plan-limit.tsx'
import { domainQuery, domainsKey, updateDomain } from './queries.ts'
import { SendersPanel } from './senders-panel.tsx'

type Values = Pick<Domain, 'tls' | 'dmarc_policy' | 'mta_sts_mode' | 'open_tracking' | 'click_tracking'> & {
  note: string
}

const valuesOf = (domain: Domain): Values => ({
  tls: domain.tls,
  dmarc_policy: domain.dmarc_policy,
  mta_sts_mode: domain.mta_sts_mode,
  open_tracking: domain.open_tracking,
  click_tracking: domain.click_tracking,
  note: domain.note ?? '',
})

type SettingsTabProps = { domain: Domain; onDelete: () => void }

export const SettingsTab = ({ domain, onDelete }: SettingsTabProps) => {
  const queryClient = useQueryClient()
  const limit = usePlanLimit()
  // What somebody else changes meanwhile is not sent back
  const [before, setBefore] = useState(valuesOf(domain))
  const form = useForm<Values>({
    initial: before,
    onSubmit: async (values) => {
      const changes = changedMembers<Values>(values, before)
      const body: DomainUpdateInput = changes
      const saved = await limit.guard('tracking of opens and clicks', () => updateDomain(domain.id, body))
      queryClient.setQueryData(domainQuery(domain.id).queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: domainsKey })
      const isPublished = 'dmarc_policy' in changes || 'mta_sts_mode' in changes
      toast({
        tone: 'success',
        title: 'Settings are saved',
        ...(isPublished ? { description: 'Publish the changed records: DNS still has the old ones.' } : {}),
      })
      setBefore(valuesOf(saved))
      return valuesOf(saved)
    },
  })
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Form form={form} className="gap-6">
        <PlanLimitHint limit={limit} />
        <Panel title="Security">
          <div className="flex flex-col gap-6">
            <ChoiceGroup
              label="Encryption of mail that is sent"
              help="On the way to the server of the recipient."
              error={form.errors.tls}
            >
              {tlsChoices.map((choice) => (
                <RadioChoice
                  key={choice.value}
                  name="tls"
                  chosen={form.values.tls}
                  onChoose={(tls) => form.set({ tls })}
                  {...choice}
                />
              ))}
            </ChoiceGroup>
            <ChoiceGroup
              label="DMARC policy"
              help="What receivers are asked to do with mail that claims to be from this domain and is not. Start with the first, read the reports, then go on."
              error={form.errors.dmarc_policy}
            >
              {dmarcChoices.map((choice) => (
                <RadioChoice
                  key={choice.value}
                  name="dmarc_policy"
                  chosen={form.values.dmarc_policy}
                  onChoose={(dmarc_policy) => form.set({ dmarc_policy })}
                  {...choice}
                />
              ))}
            </ChoiceGroup>
            <ChoiceGroup
              label="MTA-STS"
              help="Asks other servers to encrypt mail that they deliver here, so that nobody between can read it."
              error={form.errors.mta_sts_mode}
            >
              {stsChoices.map((choice) => (
                <RadioChoice
                  key={choice.value}
                  name="mta_sts_mode"
                  chosen={form.values.mta_sts_mode}
                  onChoose={(mta_sts_mode) => form.set({ mta_sts_mode })}
                  {...choice}
                />
              ))}
            </ChoiceGroup>
          </div>
        </Panel>
        <Panel
          title="Tracking"
          description="For mail that programs send through the API. Mail that people write is never tracked."
        >
          <div className="flex flex-col gap-4">
            <CheckboxField
              {...form.flag('open_tracking')}
              label="Note when a mail is opened"
              help="Adds an invisible picture. Many mail programs load it for the reader, so the figures are a guess."
              error={form.errors.open_tracking}
            />
            <CheckboxField
              {...form.flag('click_tracking')}
              label="Note when a link is followed"
              help="Links lead through this service. Leave it off for mail with sign-in links."
              error={form.errors.click_tracking}
            />
          </div>
        </Panel>
        <Panel title="Note">
          <Field
            label="Note"
            hideLabel
            optional
            help="Only for you: who owns it, when it must be renewed."
            error={form.errors.note}
          >
            <Textarea {...form.text('note')} maxLength={2000} />
          </Field>
        </Panel>
        <FormActions form={form} />
      </Form>
      <SendersPanel domain={domain} />
      <Panel title="Delete this domain" description="Its addresses and their mail go with it.">
        <Button variant="danger-quiet" icon={<Trash2 />} onClick={onDelete}>
          Delete domain
        </Button>
      </Panel>
    </div>
  )
}

const tlsChoices = [
  {
    value: 'opportunistic',
    label: 'When the other side can',
    help: 'Nearly every server can. To the few that cannot, mail is still delivered.',
  },
  {
    value: 'enforced',
    label: 'Always, with a valid certificate',
    help: 'Mail to servers that cannot is not delivered, and the sender is told.',
  },
] as const

const dmarcChoices = [
  {
    value: 'none',
    label: 'Deliver it and report',
    help: 'p=none. Changes nothing for your mail while you look at reports.',
  },
  { value: 'quarantine', label: 'Put it into spam', help: 'p=quarantine. For when all your senders pass.' },
  { value: 'reject', label: 'Refuse it', help: 'p=reject. The strongest protection of your name.' },
] as const

const stsChoices = [
  { value: 'none', label: 'Off', help: 'No policy is published.' },
  { value: 'testing', label: 'Testing', help: 'Failures are reported, mail is delivered anyhow.' },
  {
    value: 'enforce',
    label: 'Enforced',
    help: 'Other servers do not deliver without encryption. mta-sts.your-domain needs a certificate for that.',
  },
] as const
