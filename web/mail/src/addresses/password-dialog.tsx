import type { Address } from '@stoa/mail-model/addresses.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { NewPasswordField } from './new-password-field.tsx'
import { ADDRESSES, setPassword } from './queries.ts'

export const PASSWORD_CONSEQUENCE =
  "The old password and all app passwords of this address stop working immediately. You'll have to sign in again in every mail app."

type PasswordDialogProps = { address: Address | undefined; onClose: () => void }

/** Sets the password of a mailbox from the list. */
export const PasswordDialog = ({ address, onClose }: PasswordDialogProps) =>
  address ? <OpenPasswordDialog address={address} onClose={onClose} /> : null

const OpenPasswordDialog = ({ address, onClose }: { address: Address; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { password: '' },
    validate: requirePassword,
    onSubmit: async ({ password }) => {
      await setPassword(address.id, password)
      void queryClient.invalidateQueries({ queryKey: ADDRESSES })
      toast({ tone: 'success', title: `Password changed for ${address.email}` })
      onClose()
      return { password: '' }
    },
  })
  return (
    <FormDialog
      title={<span className="break-all">{`Set password for ${address.email}`}</span>}
      description={PASSWORD_CONSEQUENCE}
      form={form}
      submitLabel="Set password"
      allowUnchanged
      onClose={onClose}
    >
      <NewPasswordField
        label="New password"
        value={form.values.password}
        onValue={(password) => form.set({ password })}
        error={form.errors.password}
      />
    </FormDialog>
  )
}

export const requirePassword = ({ password }: { password: string }): { password?: string } =>
  password === '' ? { password: 'Enter or generate a password.' } : {}
