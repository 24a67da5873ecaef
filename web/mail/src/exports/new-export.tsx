import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { AddressSelect } from '../addresses/address-select.tsx'
import { EXPORTS, startExport } from './queries.ts'

const FORMATS = [
  { value: 'mbox', label: 'mbox: one file per folder (Thunderbird, Apple Mail)' },
  { value: 'maildir', label: 'Maildir: one file per message (mail servers)' },
]

export const NewExport = ({ onClose }: { onClose: () => void }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { address: '', format: 'mbox', password: '' },
    validate: ({ password }) => (password === '' ? { password: 'Enter your password.' } : {}),
    onSubmit: async ({ address, format, password }) => {
      await startExport({ format, password, ...(address === '' ? {} : { address_ids: [address] }) })
      await queryClient.invalidateQueries({ queryKey: EXPORTS })
      toast({ tone: 'success', title: 'Export started' })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title="New export"
      description="We prepare the file in the background. You can close this page meanwhile."
      form={form}
      submitLabel="Start export"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Addresses" error={form.errors.address}>
        <AddressSelect value={form.values.address} onValue={(address) => form.set({ address })} none="All addresses" />
      </Field>
      <Field label="Format" error={form.errors.format}>
        <Select {...form.choice('format')} options={FORMATS} />
      </Field>
      <Field label="Your password" help="The password you use to sign in to the panel." error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
    </FormDialog>
  )
}
