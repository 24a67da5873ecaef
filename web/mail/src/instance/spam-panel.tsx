import type { Instance } from '@stoa/mail-model/instance.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { instanceQuery, saveInstance } from './queries.ts'

type Values = {
  dnsbl: string
  dnswl: string
  domain_dnsbl: string
  greylisting: boolean
  greylisting_minutes: string
}

const valuesOf = (instance: Instance): Values => ({
  dnsbl: instance.dnsbl.join('\n'),
  dnswl: instance.dnswl.join('\n'),
  domain_dnsbl: instance.domain_dnsbl.join('\n'),
  greylisting: instance.greylisting,
  greylisting_minutes: String(instance.greylisting_minutes),
})

const linesOf = (text: string): string[] => text.split(/\s*\n\s*/).filter((line) => line.trim() !== '')

const settingsOf = (values: Values) => ({
  dnsbl: linesOf(values.dnsbl),
  dnswl: linesOf(values.dnswl),
  domain_dnsbl: linesOf(values.domain_dnsbl),
  greylisting: values.greylisting,
  greylisting_minutes: Number(values.greylisting_minutes),
})

const LISTS = [
  {
    name: 'dnsbl',
    label: 'Blocklists',
    help: 'One per line. Mail from a listed server gets 4 points, or as many as you add: bl.example.org*3. With *reject it is rejected.',
    placeholder: 'bl.example.org=127.0.0.[2..11]*3',
  },
  {
    name: 'dnswl',
    label: 'Allowlists',
    help: 'One per line. Takes 2 points off mail from a listed server, and never delays it.',
    placeholder: 'wl.example.org',
  },
  {
    name: 'domain_dnsbl',
    label: 'Domain blocklists',
    help: 'One per line. Checks the domains of the sender and of links.',
    placeholder: 'dbl.example.org',
  },
] as const

const minutes = ['1', '5', '10', '15', '30', '60']

/** DNS lists and greylisting for all mail that comes in. */
export const SpamPanel = ({ instance }: { instance: Instance }) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: valuesOf(instance),
    onSubmit: async (values, before) => {
      const saved = await saveInstance(changedMembers(settingsOf(values), settingsOf(before)))
      queryClient.setQueryData(instanceQuery.queryKey, saved)
      toast({ tone: 'success', title: 'Spam protection saved' })
      return valuesOf(saved)
    },
  })
  const wait = form.values.greylisting_minutes
  return (
    <Panel
      title="Spam protection"
      description="DNS lists and greylisting for mail from other servers. Allowed and blocked senders come first. Health shows lists that don't work."
    >
      <Form form={form} className="max-w-prose gap-5">
        {LISTS.map(({ name, label, help, placeholder }) => (
          <Field key={name} label={label} optional help={help} error={form.errors[name]}>
            <Textarea
              {...form.text(name)}
              rows={2}
              className="font-mono text-sm"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              placeholder={placeholder}
            />
          </Field>
        ))}
        <CheckboxField
          {...form.flag('greylisting')}
          label="Greylisting"
          help="Asks unknown senders whose mail looks suspicious to try again later. Most spam isn't sent twice."
        />
        {form.values.greylisting ? (
          <Field label="Accept again after" error={form.errors.greylisting_minutes} className="w-56">
            <Select
              {...form.choice('greylisting_minutes')}
              options={(minutes.includes(wait) ? minutes : [...minutes, wait]).map((value) => ({
                value,
                label: value === '1' ? '1 minute' : `${value} minutes`,
              }))}
            />
          </Field>
        ) : null}
        <FormActions form={form} />
      </Form>
    </Panel>
  )
}
