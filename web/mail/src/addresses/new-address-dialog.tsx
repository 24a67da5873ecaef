import type { Address } from '@stoa/mail-model/addresses.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { Disclosure } from '@stoa/ui/display/disclosure.tsx'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { type Form, useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { hasName } from '../api.ts'
import { AddressesLeft } from './addresses-left.tsx'
import { filled, NameList } from './name-list.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { ADDRESSES, createAddress } from './queries.ts'
import { type QuotaText, quotaText, readQuota } from './quota.ts'
import { QuotaField } from './quota-field.tsx'
import type { Made } from './ready-dialog.tsx'

type Values = {
  domain_id: string
  local_part: string
  name: string
  password: string
  quota_bytes: QuotaText
  recovery_email: string
  aliases: readonly string[]
  forward_to: readonly string[]
  keep_copy: boolean
}

const validate = (values: Values): Partial<Record<keyof Values, string>> => ({
  ...(values.local_part.trim() ? {} : { local_part: 'Enter the part before the @.' }),
  ...(values.password ? {} : { password: 'Enter or generate a password.' }),
  ...(readQuota(values.quota_bytes) === undefined ? { quota_bytes: QUOTA_PROBLEM } : {}),
})

export const QUOTA_PROBLEM = 'Enter a number, or leave empty for no limit.'
const TAKEN = 'This name is already used by another address or alias.'

type NewAddressDialogProps = {
  domains: readonly Domain[]
  domainId: string
  onClose: () => void
  onMade: (made: Made) => void
}

/** A new mailbox. Only name and password are asked for; the rest waits below. */
export const NewAddressDialog = ({ domains, domainId, onClose, onMade }: NewAddressDialogProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: { ...EMPTY, domain_id: domainId },
    validate,
    onSubmit: async (values) => {
      const address = await create(values)
      void queryClient.invalidateQueries({ queryKey: ADDRESSES })
      void queryClient.invalidateQueries({ queryKey: ['domains'] })
      onMade({ address, password: values.password, domain: domains.find(({ id }) => id === address.domain_id) })
      return EMPTY
    },
  })
  const domain = domains.find(({ id }) => id === form.values.domain_id)
  return (
    <FormDialog
      title="New address"
      description="A mailbox at your domain."
      form={form}
      submitLabel="Create address"
      allowUnchanged
      onClose={onClose}
    >
      <AddressesLeft />
      <MainFields form={form} domains={domains} suffix={`@${domain?.unicode_name ?? ''}`} />
      <MoreFields form={form} suffix={`@${domain?.unicode_name ?? ''}`} />
    </FormDialog>
  )
}

const EMPTY: Values = {
  domain_id: '',
  local_part: '',
  name: '',
  password: '',
  quota_bytes: quotaText(null),
  recovery_email: '',
  aliases: [],
  forward_to: [],
  keep_copy: true,
}

const create = async (values: Values): Promise<Address> => {
  const { domain_id: domainId, keep_copy } = values
  // Somebody who pastes the whole address means its first part
  const localPart = values.local_part.trim().replace(/@.*$/, '')
  try {
    return await createAddress(domainId, {
      local_part: localPart,
      password: values.password,
      name: values.name.trim() || null,
      quota_bytes: readQuota(values.quota_bytes) ?? null,
      recovery_email: values.recovery_email.trim() || null,
      aliases: filled(values.aliases),
      forward_to: filled(values.forward_to),
      keep_copy,
    })
  } catch (error) {
    // Without aliases only one name can be taken
    if (hasName(error, 'conflict') && filled(values.aliases).length === 0)
      throw new ProblemError(TAKEN, [{ key: 'local_part', message: TAKEN }], { cause: error })
    throw error
  }
}

type FieldsProps = { form: Form<Values>; suffix: string }

const MainFields = ({ form, domains, suffix }: FieldsProps & { domains: readonly Domain[] }) => (
  <>
    {domains.length > 1 ? (
      <Field label="Domain">
        <Select
          {...form.choice('domain_id')}
          options={domains.map(({ id, unicode_name: label }) => ({ value: id, label }))}
        />
      </Field>
    ) : null}
    <Field label="Address" error={form.errors.local_part}>
      <Input
        {...form.text('local_part')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="ada"
        trailing={<span className="max-w-56 truncate pr-1.5">{suffix}</span>}
      />
    </Field>
    <Field label="Name" optional error={form.errors.name} help="Recipients see this name next to the address.">
      <Input {...form.text('name')} autoComplete="off" placeholder="Ada Lovelace" />
    </Field>
    <NewPasswordField
      value={form.values.password}
      onValue={(password) => form.set({ password })}
      error={form.errors.password}
      help="For webmail and mail apps. The mailbox owner can change it."
    />
    <Field
      label="Recovery address"
      optional
      error={form.errors.recovery_email}
      help="Password reset links are sent here. Use another mailbox."
    >
      <Input {...form.text('recovery_email')} type="email" autoComplete="off" placeholder="ada@elsewhere.com" />
    </Field>
  </>
)

const MoreFields = ({ form, suffix }: FieldsProps) => {
  const { errors, values } = form
  // Inputs with errors must be visible
  const wrong = Boolean(errors.quota_bytes ?? errors.aliases ?? errors.forward_to)
  return (
    <Disclosure
      open={wrong || undefined}
      summary={<span className="font-medium text-ink">Quota, aliases and forwarding</span>}
      className="rounded-lg border border-line px-4 py-3"
    >
      <div className="flex flex-col gap-4 pt-4">
        <QuotaField
          value={values.quota_bytes}
          onValue={(quota) => form.set({ quota_bytes: quota })}
          error={errors.quota_bytes}
        />
        <NameList
          label="Aliases"
          one="alias"
          help="Other names that deliver here. Use * to match any text: shop-*"
          value={values.aliases}
          onValue={(aliases) => form.set({ aliases })}
          error={errors.aliases}
          placeholder="hello"
          suffix={suffix}
        />
        <NameList
          label="Forward to"
          one="forwarding address"
          help="Incoming mail is also sent to these addresses."
          value={values.forward_to}
          onValue={(next) => form.set({ forward_to: next })}
          error={errors.forward_to}
          placeholder="team@elsewhere.com"
        />
        {filled(values.forward_to).length === 0 ? null : (
          <CheckboxField {...form.flag('keep_copy')} label="Keep a copy in this mailbox" />
        )}
      </div>
    </Disclosure>
  )
}
