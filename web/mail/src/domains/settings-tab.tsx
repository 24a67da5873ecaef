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
import { useMemo, useState } from 'react'
import { sendSignedIn } from '../api.ts'
import { PlanLimitHint, usePlanLimit } from '../plan-limit.tsx'
import { sendersApi } from '../senders/senders-api.ts'
import { SendersList } from '../senders/senders-list.tsx'
import { domainQuery, domainsKey, updateDomain } from './queries.ts'

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
  // Only changed members are sent, so that others' changes are not reverted
  const [before, setBefore] = useState(valuesOf(domain))
  const form = useForm<Values>({
    initial: before,
    onSubmit: async (values) => {
      const changes = changedMembers<Values>(values, before)
      const body: DomainUpdateInput = changes
      const saved = await limit.guard('open and click tracking', () => updateDomain(domain.id, body))
      queryClient.setQueryData(domainQuery(domain.id).queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: domainsKey })
      const isPublished = 'dmarc_policy' in changes || 'mta_sts_mode' in changes
      toast({
        tone: 'success',
        title: 'Settings saved',
        ...(isPublished ? { description: 'Publish the updated DNS records to apply them.' } : {}),
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
              label="Outgoing encryption"
              help="For connections to the recipient's server."
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
              help="What receivers should do with forged mail. Start with monitoring, check the reports, then tighten the policy."
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
              help="Requires other servers to use encryption when they deliver mail here."
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
        <Panel title="Tracking" description="For emails sent through the API. Personal mail is never tracked.">
          <div className="flex flex-col gap-4">
            <CheckboxField
              {...form.flag('open_tracking')}
              label="Track opens"
              help="Adds an invisible image. Many mail apps load images automatically, so the numbers are approximate."
              error={form.errors.open_tracking}
            />
            <CheckboxField
              {...form.flag('click_tracking')}
              label="Track clicks"
              help="Links are redirected through this service. Leave off for emails with sign-in links."
              error={form.errors.click_tracking}
            />
          </div>
        </Panel>
        <Panel title="Note">
          <Field
            label="Note"
            hideLabel
            optional
            help="Only visible to you, for example the owner or renewal date."
            error={form.errors.note}
          >
            <Textarea {...form.text('note')} maxLength={2000} />
          </Field>
        </Panel>
        <FormActions form={form} />
      </Form>
      <SendersPanel domain={domain} />
      <Panel title="Delete domain" description="Deletes all its addresses and their mail.">
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
    label: 'When supported',
    help: 'Almost all servers support it. Mail to others is delivered unencrypted.',
  },
  {
    value: 'enforced',
    label: 'Required, with a valid certificate',
    help: 'Mail to servers without valid encryption bounces.',
  },
] as const

const dmarcChoices = [
  {
    value: 'none',
    label: 'Monitor',
    help: 'p=none. Mail is delivered as usual while you collect reports.',
  },
  {
    value: 'quarantine',
    label: 'Quarantine',
    help: 'p=quarantine. Forged mail goes to spam. Use it once all your senders pass.',
  },
  { value: 'reject', label: 'Reject', help: 'p=reject. Forged mail is rejected. The strongest protection.' },
] as const

const stsChoices = [
  { value: 'none', label: 'Off', help: 'No policy is published.' },
  { value: 'testing', label: 'Testing', help: 'Failures are reported, but mail is still delivered.' },
  {
    value: 'enforce',
    label: 'Enforced',
    help: "Other servers don't deliver without encryption. Needs a certificate for mta-sts.your-domain.",
  },
] as const

/** Services that may send in the name of the domain, and senders whose mail goes to Junk. */
const SendersPanel = ({ domain }: { domain: Domain }) => {
  const api = useMemo(() => sendersApi(sendSignedIn, `/api/domains/${domain.id}/senders`), [domain.id])
  return (
    <SendersList
      api={api}
      description={`Mail from other servers that claims to be from ${domain.unicode_name} goes to Junk unless SPF or DKIM confirms it. Allow the services that send for you, and block senders for all addresses of this domain.`}
      allowLabel="Allow: send as this domain, and never treat as junk"
      initialAction="allow"
    />
  )
}
