import type { Contact } from '@stoa/mail-model/contacts.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { hasName } from '../../api.ts'
import { nameOf } from '../people.ts'
import { type ContactBody, changeContact, createContact } from './queries.ts'

type ContactDialogProps = {
  /** Null: a new one. */
  contact: Contact | null
  onClose: () => void
}

/** Adds somebody to the contacts, or changes what is known of them. */
export const ContactDialog = ({ contact, onClose }: ContactDialogProps) => {
  const queryClient = useQueryClient()
  const initial = { name: contact?.name ?? '', email: contact?.email ?? '', note: contact?.note ?? '' }
  const form = useForm<ContactBody>({
    initial,
    validate: ({ email }) => (email.trim() === '' ? { email: 'Enter an email address.' } : {}),
    onSubmit: async (values) => {
      const saved = await atEmail(
        contact ? changeContact(contact.id, changedMembers(values, initial)) : createContact(values),
      )
      await queryClient.invalidateQueries({ queryKey: ['webmail', 'contacts'] })
      toast({ tone: 'success', title: `${nameOf(saved)} saved` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title={contact ? `Edit ${nameOf(contact)}` : 'New contact'}
      form={form}
      submitLabel={contact ? 'Save changes' : 'Add contact'}
      onClose={onClose}
    >
      <Field label="Name" optional error={form.errors.name}>
        <Input {...form.text('name')} autoFocus autoComplete="off" maxLength={200} />
      </Field>
      <Field label="Email address" error={form.errors.email}>
        <Input {...form.text('email')} type="email" autoCapitalize="none" autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="Note" optional error={form.errors.note}>
        <Textarea {...form.text('note')} maxLength={2000} />
      </Field>
    </FormDialog>
  )
}

/** A duplicate contact is one with the same address: the error is shown beside it. */
const atEmail = async (saving: Promise<Contact>): Promise<Contact> => {
  try {
    return await saving
  } catch (error) {
    if (!(error instanceof ProblemError) || !hasName(error, 'conflict')) throw error
    throw new ProblemError(error.message, [{ key: 'email', message: error.message }], { cause: error })
  }
}
