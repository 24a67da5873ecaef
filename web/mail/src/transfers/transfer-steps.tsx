import { Facts } from '@stoa/ui/display/facts.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import type { Form } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatBytes } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { securityWords } from './progress.ts'
import { destinationsQuery } from './queries.ts'
import { linesOf, OTHER, presetOf, presets } from './sources.ts'
import { securityOf, type TransferValues } from './transfer-values.ts'

type StepProps = { form: Form<TransferValues> }

/** The inputs of the step that is shown. */
export const StepFields = ({ form }: StepProps) => {
  switch (form.values.step) {
    case 'destination':
      return <DestinationStep form={form} />
    case 'source':
      return <SourceStep form={form} />
    case 'options':
      return <OptionsStep form={form} />
    case 'review':
      return <ReviewStep form={form} />
  }
}

const DestinationStep = ({ form }: StepProps) => {
  const [search, setSearch] = useState('')
  const query = useQuery(destinationsQuery(search))
  const found = query.data?.data ?? []
  const chosen = found.find(({ id }) => id === form.values.address_id)
  const isLong = search !== '' || (query.data && query.data.total > found.length)
  if (query.data && query.data.total === 0 && search === '')
    return (
      <>
        {/* The one that was chosen has gone meanwhile, and with it the input that this is about */}
        {form.errors.address_id === undefined ? null : <Notice tone="danger">{form.errors.address_id}</Notice>}
        <Notice tone="info" title="No address available">
          Create one under <TextLink to="/addresses?new=1">Addresses</TextLink>. Addresses with a running transfer
          aren't available.
        </Notice>
      </>
    )
  return (
    <>
      {query.error ? <Notice tone="danger">{messageOf(query.error)}</Notice> : null}
      {isLong ? (
        <Field label="Find an address" optional>
          <Input value={search} onChange={(event) => setSearch(event.target.value)} placeholder="ann@" />
        </Field>
      ) : null}
      <Field
        label="Address"
        error={form.errors.address_id}
        help={
          chosen
            ? `${formatBytes(chosen.used_bytes)} used${chosen.quota_bytes === null ? '' : `, of ${formatBytes(chosen.quota_bytes)}`}. Existing mail is kept.`
            : 'Transferred mail is added to the mailbox. Existing mail is kept.'
        }
      >
        <Select
          {...form.choice('address_id')}
          placeholder={query.isPending ? 'Loading…' : 'Choose an address'}
          options={[
            ...(form.values.address_id !== '' && !chosen && !query.isPending
              ? [{ value: form.values.address_id, label: 'Not available', disabled: true }]
              : []),
            ...found.map(({ id, email }) => ({ value: id, label: email })),
          ]}
        />
      </Field>
    </>
  )
}

const securities = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None, if allowed' },
]

const SourceStep = ({ form }: StepProps) => {
  const preset = presetOf(form.values.preset)
  const choose = (id: string) => {
    const known = presetOf(id)
    form.set({
      preset: id,
      ...(known
        ? { host: known.host, port: String(known.port), security: known.security }
        : { host: '', port: '993', security: 'tls' }),
    })
  }
  return (
    <>
      <Field label="Provider" error={form.errors.preset}>
        <Select
          {...form.choice('preset')}
          onValue={choose}
          placeholder="Choose a provider"
          options={[
            ...presets.map(({ id, name }) => ({ value: id, label: name })),
            { value: OTHER, label: 'Another IMAP server' },
          ]}
        />
      </Field>
      {preset ? <Notice>{preset.hint}</Notice> : null}
      {form.values.preset === OTHER || form.errors.host || form.errors.port || form.errors.security ? (
        <ServerFields form={form} />
      ) : null}
      <Field label="Username" error={form.errors.username} help={preset?.username ?? 'Usually the full email address.'}>
        <Input
          {...form.text('username')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="ann@old-place.example"
        />
      </Field>
      <Field label="Password" error={form.errors.password} help="Stored encrypted and erased when the transfer ends.">
        <PasswordInput {...form.text('password')} autoComplete="new-password" />
      </Field>
    </>
  )
}

const ServerFields = ({ form }: StepProps) => (
  <>
    <Field label="Server" error={form.errors.host}>
      <Input
        {...form.text('host')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="imap.old-place.example"
      />
    </Field>
    <div className="grid grid-cols-2 gap-4">
      <Field label="Security" error={form.errors.security}>
        <Select
          {...form.choice('security')}
          options={securities}
          onValue={(security) => form.set({ security, port: security === 'tls' ? '993' : '143' })}
        />
      </Field>
      <Field label="Port" error={form.errors.port}>
        <Input {...form.text('port')} inputMode="numeric" autoComplete="off" />
      </Field>
    </div>
  </>
)

const OptionsStep = ({ form }: StepProps) => (
  <>
    <ChoiceGroup label="Folders">
      <RadioChoice
        name="scope"
        value="all"
        chosen={form.values.scope}
        onChoose={(scope) => form.set({ scope })}
        label="All folders"
      />
      <RadioChoice
        name="scope"
        value="some"
        chosen={form.values.scope}
        onChoose={(scope) => form.set({ scope })}
        label="Selected folders"
      />
    </ChoiceGroup>
    {form.values.scope === 'some' ? (
      <Field
        label="Folders to copy"
        error={form.errors.folders}
        help="One per line. Subfolders are included, except for INBOX."
      >
        <Textarea {...form.text('folders')} placeholder={'INBOX\nWork/2025'} spellCheck={false} />
      </Field>
    ) : null}
    <Field
      label="Folders to skip"
      optional
      error={form.errors.exclude_folders}
      help="One per line. Subfolders are included."
    >
      <Textarea {...form.text('exclude_folders')} placeholder={'Trash\nJunk'} rows={2} spellCheck={false} />
    </Field>
    <Field label="Only mail since" optional error={form.errors.since} help="Older mail isn't copied.">
      <Input {...form.text('since')} type="date" className="w-44!" />
    </Field>
  </>
)

const ReviewStep = ({ form }: StepProps) => {
  const { values } = form
  const { data } = useQuery(destinationsQuery(''))
  const address = data?.data.find(({ id }) => id === values.address_id)
  const excluded = linesOf(values.exclude_folders)
  return (
    <>
      <Facts
        facts={[
          { label: 'To', value: address?.email ?? 'the selected address' },
          { label: 'From', value: `${values.username} at ${values.host}` },
          {
            label: 'Connection',
            value: `Port ${values.port}, ${securityWords[securityOf(values.security)]}`,
          },
          { label: 'Folders', value: values.scope === 'all' ? 'All' : linesOf(values.folders).join(', ') },
          ...(excluded.length === 0 ? [] : [{ label: 'Skipped', value: excluded.join(', ') }]),
          { label: 'Since', value: values.since === '' ? 'Any date' : values.since },
        ]}
      />
      <p className="text-muted text-sm">
        Nothing is changed or deleted in the other mailbox. You can close this page; we'll email you when the transfer
        ends.
      </p>
    </>
  )
}
