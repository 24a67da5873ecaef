import type { Me, User } from '@stoa/cms-model/accounts.ts'
import type { Role } from '@stoa/cms-model/permissions.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { type Form, useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { roleHelp, roleLabels, rolesFor } from '../accounts/roles.ts'
import { useVersionedSave } from '../conflict.tsx'
import { meQuery } from '../queries.ts'
import { changesOf, endsSessions, type PersonValues } from './changes.ts'
import { createPerson, deactivatePerson, peopleKey, readPerson, updatePerson } from './queries.ts'

const validate = (values: PersonValues): Partial<Record<keyof PersonValues, string>> => ({
  ...(values.name.trim() ? {} : { name: 'Enter a name.' }),
  ...(values.email.trim() ? {} : { email: 'Enter an email address.' }),
})

type NewPersonProps = { me: Me; onClose: () => void }

export const NewPersonDialog = ({ me, onClose }: NewPersonProps) => {
  const queryClient = useQueryClient()
  const form = useForm<PersonValues>({
    initial: { name: '', email: '', role: 'author', password: '' },
    validate: (values) => ({ ...validate(values), ...(values.password ? {} : { password: 'Choose a password.' }) }),
    onSubmit: async (values) => {
      const created = await createPerson(values)
      await queryClient.invalidateQueries({ queryKey: peopleKey })
      toast({ tone: 'success', title: `${created.name} added` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title="Add person"
      description="They can sign in right away. Share the password with them securely; they can change it in their account."
      form={form}
      submitLabel="Add person"
      allowUnchanged
      onClose={onClose}
    >
      <NameFields form={form} />
      <Field label="Password" help="At least 8 characters" error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="new-password" />
      </Field>
      <RoleChoice
        mine={me.role}
        value={form.values.role}
        onValue={(role) => form.set({ role })}
        error={form.errors.role}
      />
    </FormDialog>
  )
}

type EditPersonProps = { me: Me; person: User; onClose: () => void }

/** Name, address, role and password of someone; of oneself without the password, which needs the present one. */
export const EditPersonDialog = ({ me, person, onClose }: EditPersonProps) => {
  const queryClient = useQueryClient()
  const [current, setCurrent] = useState(person)
  const isMe = person.id === me.id
  const versioned = useVersionedSave(isMe ? 'your profile' : person.name)
  const form = useForm<PersonValues>({
    initial: valuesOf(person),
    validate,
    onSubmit: async (values) => {
      const { record, saved } = await versioned.save({
        version: current.version,
        write: (wanted) => updatePerson(person.id, changesOf(current, values), wanted),
        read: () => readPerson(person.id),
      })
      await queryClient.invalidateQueries({ queryKey: peopleKey })
      if (isMe) await queryClient.invalidateQueries(meQuery)
      setCurrent(record)
      if (saved) {
        toast({ tone: 'success', title: isMe ? 'Profile saved' : `${record.name} saved` })
        onClose()
      }
      return valuesOf(record)
    },
  })
  const signsOut = !isMe && endsSessions(changesOf(current, form.values))
  return (
    <>
      <FormDialog
        title={isMe ? 'Edit your profile' : `Edit ${person.name}`}
        form={form}
        submitLabel="Save changes"
        onClose={onClose}
      >
        <NameFields form={form} />
        {isMe ? null : (
          <>
            <Field
              label="New password"
              optional
              help="Leave empty to keep the current password"
              error={form.errors.password}
            >
              <PasswordInput {...form.text('password')} autoComplete="new-password" />
            </Field>
            <RoleChoice
              mine={me.role}
              value={form.values.role}
              onValue={(role) => form.set({ role })}
              error={form.errors.role}
            />
          </>
        )}
        {signsOut ? <Notice tone="warning">{person.name} will be signed out everywhere when you save.</Notice> : null}
      </FormDialog>
      {versioned.dialog}
    </>
  )
}

const valuesOf = ({ name, email, role }: User): PersonValues => ({ name, email, role, password: '' })

const NameFields = ({ form }: { form: Form<PersonValues> }) => (
  <>
    <Field label="Name" error={form.errors.name}>
      <Input {...form.text('name')} autoComplete="off" />
    </Field>
    <Field label="Email" help="Used to sign in" error={form.errors.email}>
      <Input {...form.text('email')} type="email" autoComplete="off" autoCapitalize="none" />
    </Field>
  </>
)

type RoleChoiceProps = { mine: Role; value: Role; onValue: (role: Role) => void; error: string | undefined }

export const RoleChoice = ({ mine, value, onValue, error }: RoleChoiceProps) => {
  const name = useId()
  return (
    <ChoiceGroup label="Role" error={error}>
      {rolesFor(mine).map((role) => (
        <RadioChoice
          key={role}
          name={name}
          value={role}
          chosen={value}
          onChoose={onValue}
          label={roleLabels[role]}
          help={roleHelp[role]}
        />
      ))}
    </ChoiceGroup>
  )
}

type DeactivatePersonProps = { person: User | undefined; onClose: () => void }

export const DeactivatePerson = ({ person, onClose }: DeactivatePersonProps) => {
  const queryClient = useQueryClient()
  if (!person) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Deactivate ${person.name}?`}
      consequence={`${person.email} can no longer sign in, and their sessions and agent keys stop working immediately. Their content stays, under their name.`}
      confirmLabel="Deactivate"
      typeName={person.name}
      onConfirm={async () => {
        await deactivatePerson(person.id)
        await queryClient.invalidateQueries({ queryKey: peopleKey })
        toast({ tone: 'success', title: `${person.name} deactivated` })
      }}
    />
  )
}
