import type { DnsProvider, DnsPublish, DnsRecordSet, RecordKind } from '@stoa/mail-model/dns.ts'
import { type PublishProvider, publishProviderOf, publishProviders } from '@stoa/mail-model/dns-providers/index.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { type Form as FormState, useForm } from '@stoa/ui/form/use-form.ts'
import { ExternalLink, ShieldCheck } from 'lucide-react'
import { useEffect } from 'react'
import { PlanLimitHint, usePlanLimit } from '../../plan-limit.tsx'
import { purposes } from '../dns/purposes.ts'
import { publishRecords } from '../queries.ts'
import { type Choices, type KindChoice, kindsOf, publishInputOf, publishProblem } from './publishing.ts'
import { StepFooter } from './step-footer.tsx'

type FormStepProps = {
  domain: Domain
  set: DnsRecordSet
  detected: DnsProvider | undefined
  /** The name servers could not be asked. */
  isUnknown: boolean
  /** The earlier choices, on the way back from the plan. */
  before: Choices | undefined
  onBusy: (busy: boolean) => void
  onTyped: (typed: boolean) => void
  onClose: () => void
  onPlanned: (choices: Choices, plan: DnsPublish) => void
}

/** `credentials` has the fields of all providers, so that a wrong choice loses nothing. */
type Values = { provider: string; kinds: readonly RecordKind[]; overwrite: boolean } & Record<string, unknown>

/** Asks for the DNS provider, a credential and the records. Ends with a dry run. */
export const FormStep = (props: FormStepProps) => {
  const { domain, set, detected, isUnknown, before, onBusy, onTyped, onClose, onPlanned } = props
  const limit = usePlanLimit()
  const kinds = kindsOf(set.records)
  const form = useForm<Values>({
    initial: {
      ...emptyCredentials,
      ...before?.credentials,
      provider: before?.provider.id ?? publishProviderOf(detected?.provider ?? '')?.id ?? '',
      kinds: before?.kinds ?? kinds.flatMap(({ kind, isUsual }) => (isUsual ? [kind] : [])),
      overwrite: before?.overwrite ?? false,
    },
    guard: false,
    validate,
    onSubmit: async (values) => {
      const provider = publishProviderOf(values.provider)
      if (!provider) return undefined
      const choices = choicesOf(provider, values)
      onBusy(true)
      try {
        const input = publishInputOf(choices, { dryRun: true, confirmReplace: false })
        const plan = await limit.guard('publishing to a DNS provider', () => publishRecords(domain.id, input))
        onPlanned(choices, plan)
      } catch (error) {
        throw publishProblem(error, provider)
      } finally {
        onBusy(false)
      }
      return undefined
    },
  })
  const { dirty } = form
  useEffect(() => onTyped(dirty), [dirty, onTyped])
  const provider = publishProviderOf(form.values.provider)
  return (
    <Form form={form}>
      <PlanLimitHint limit={limit} />
      <Detected detected={detected} isUnknown={isUnknown} />
      <Field
        label="DNS provider"
        error={form.errors.provider}
        {...(detected?.publish_supported
          ? { help: `Detected from the name servers (${detected.nameservers.join(', ')}): ${detected.name}.` }
          : {})}
      >
        <Select
          name="provider"
          placeholder="Choose your provider"
          value={form.values.provider}
          options={publishProviders.map(({ id, name }) => ({
            value: id,
            label: id === detected?.provider ? `${name} (detected)` : name,
          }))}
          onValue={(id) => form.set({ provider: id })}
        />
      </Field>
      {provider ? <CredentialFields provider={provider} form={form} /> : null}
      <ChoiceGroup label="Records" className="grid! grid-cols-2 gap-x-6 phone:grid-cols-1" error={form.errors.kinds}>
        {kinds.map(({ kind, isNeeded }) => (
          <CheckboxField
            key={kind}
            label={`${purposes[kind].name}${kind === 'SRV' ? ' records' : ''}${isNeeded ? ' (needed)' : ''}`}
            checked={form.values.kinds.includes(kind)}
            onChecked={(chosen) => form.set({ kinds: toggled(form.values.kinds, kind, chosen) })}
          />
        ))}
      </ChoiceGroup>
      <div className="-mt-2 -ml-2.5 flex gap-1">
        <Button size="sm" variant="ghost" onClick={() => form.set({ kinds: kinds.map(({ kind }) => kind) })}>
          Select all
        </Button>
        <Button size="sm" variant="ghost" onClick={() => form.set({ kinds: neededOf(kinds) })}>
          Select needed
        </Button>
      </div>
      <CheckboxField
        label="Replace conflicting records"
        help="Replaces MX records of other mail services, so mail stops going there. Adds this server to your SPF record and sets the DMARC policy from your settings. When off, existing records are kept."
        checked={form.values.overwrite}
        onChecked={(overwrite) => form.set({ overwrite })}
      />
      <StepFooter>
        <Button onClick={onClose} disabled={form.submitting}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" loading={form.submitting}>
          Preview changes
        </Button>
      </StepFooter>
    </Form>
  )
}

const emptyCredentials: Readonly<Record<string, string>> = Object.fromEntries(
  publishProviders.flatMap(({ fields }) => fields.map(({ name }) => [name, ''])),
)

const textOf = (values: Values, name: string): string => {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}

const validate = (values: Values): Record<string, string> => {
  const provider = publishProviderOf(values.provider)
  if (!provider) return { provider: 'Choose your DNS provider.' }
  const empty = provider.fields.filter(({ name }) => textOf(values, name).trim() === '')
  return {
    ...Object.fromEntries(empty.map(({ name, label }) => [name, `Enter the ${labelIn(label)}.`])),
    ...(values.kinds.length === 0 ? { kinds: 'Choose at least one record type.' } : {}),
  }
}

const labelIn = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)

const choicesOf = (provider: PublishProvider, values: Values): Choices => ({
  provider,
  credentials: Object.fromEntries(provider.fields.map(({ name }) => [name, textOf(values, name)])),
  kinds: values.kinds,
  overwrite: values.overwrite,
})

const neededOf = (kinds: readonly KindChoice[]): readonly RecordKind[] =>
  kinds.flatMap(({ kind, isNeeded }) => (isNeeded ? [kind] : []))

const toggled = (kinds: readonly RecordKind[], kind: RecordKind, chosen: boolean): readonly RecordKind[] =>
  chosen ? [...kinds, kind] : kinds.filter((other) => other !== kind)

const Detected = ({ detected, isUnknown }: Pick<FormStepProps, 'detected' | 'isUnknown'>) => {
  if (isUnknown) return <Notice tone="warning">We couldn't detect your DNS provider. Choose it below.</Notice>
  if (!detected || detected.nameservers.length === 0)
    return (
      <Notice tone="warning">
        No name servers found for this domain. Check that it's registered, then choose your DNS provider.
      </Notice>
    )
  const servers = detected.nameservers.join(', ')
  if (detected.publish_supported) return null
  return (
    <Notice tone="warning" title={`Your DNS provider is ${detected.name ?? 'unknown'}`}>
      We can't publish records there. Copy them or import the zone file instead. Name servers:{' '}
      <span className="break-all font-mono text-xs">{servers}</span>
    </Notice>
  )
}

const CredentialFields = ({ provider, form }: { provider: PublishProvider; form: FormState<Values> }) => (
  <div className="flex min-w-0 flex-col gap-4 rounded-lg border border-line p-4">
    {provider.fields.map(({ name, label, secret }, index) => (
      <Field
        key={name}
        label={label}
        error={form.errors[name]}
        {...(index === 0
          ? {
              help: provider.help,
              action: (
                <a
                  href={provider.docsUrl}
                  target="_blank"
                  rel="noreferrer"
                  className="inline-flex items-center gap-1 text-accent-ink underline touch:-my-2 touch:py-2 decoration-accent-line underline-offset-2"
                >
                  How to get it from {provider.name}
                  <ExternalLink aria-hidden className="size-3" />
                </a>
              ),
            }
          : {})}
      >
        <Input
          name={name}
          type={secret ? 'password' : 'text'}
          value={textOf(form.values, name)}
          onChange={(event) => form.set({ [name]: event.target.value })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-1p-ignore
        />
      </Field>
    ))}
    <p className="flex items-start gap-2 text-muted text-xs">
      <ShieldCheck aria-hidden className="mt-0.5 size-3.5 shrink-0 text-live-mark" />
      Used once to publish these records and never stored.
    </p>
  </div>
)
