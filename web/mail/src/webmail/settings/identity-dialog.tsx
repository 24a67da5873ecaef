import type { Identity } from '@stoa/mail-model/identities.ts'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { type Form, useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasName } from '../../api.ts'
import { mailIdentitiesQuery } from '../queries.ts'
import { changeIdentity, createIdentity, type IdentityChange } from './queries.ts'
import { isEmptyHtml, lostIn, textOfHtml } from './rich-words.ts'
import { LazyEditor } from './small-editor-field.tsx'

type Values = {
  name: string
  email: string
  reply_to: string
  signature_html: string
  signature_text: string
  /** The plain text is made from the formatted one. */
  follows: boolean
  is_default: boolean
}

const valuesOf = (identity: Identity | null): Values => ({
  name: identity?.name ?? '',
  email: identity?.email ?? '',
  reply_to: identity?.reply_to.map(({ email }) => email).join(', ') ?? '',
  signature_html: identity?.signature_html ?? '',
  signature_text: identity?.signature_text ?? '',
  follows: identity === null || identity.signature_text === textOfHtml(identity.signature_html),
  is_default: identity?.is_default ?? false,
})

const changeOf = ({ follows: _, reply_to: replyTo, signature_html: html, ...values }: Values): IdentityChange => ({
  ...values,
  signature_html: isEmptyHtml(html) ? '' : html,
  reply_to: replyTo.split(/[,;\s]+/).filter(Boolean),
})

type IdentityDialogProps = { identity: Identity | null; onClose: () => void }

/** Makes an identity, or changes one. */
export const IdentityDialog = ({ identity, onClose }: IdentityDialogProps) => {
  const queryClient = useQueryClient()
  const initial = valuesOf(identity)
  const form = useForm<Values>({
    initial,
    validate: (values) => (values.email.trim() ? {} : { email: 'Enter an email address.' }),
    onSubmit: async (values) => {
      const saved = identity
        ? await changeIdentity(identity.id, changedMembers(changeOf(values), changeOf(initial)))
        : await create(changeOf(values))
      await queryClient.invalidateQueries(mailIdentitiesQuery)
      toast({ tone: 'success', title: `${saved.name || saved.email} saved` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title={identity ? `Edit “${identity.name || identity.email}”` : 'New identity'}
      size="lg"
      form={form}
      submitLabel={identity ? 'Save changes' : 'Create identity'}
      allowUnchanged={identity === null}
      onClose={onClose}
    >
      <div className="grid gap-4 desk:grid-cols-2">
        <Field label="Name" optional help="Recipients see this name next to the address." error={form.errors.name}>
          <Input {...form.text('name')} autoComplete="name" />
        </Field>
        <Field
          label="Email address"
          help={
            identity ? "Can't be changed. Create another identity instead." : 'Your address or one of your aliases.'
          }
          error={form.errors.email}
        >
          <Input
            {...form.text('email')}
            type="email"
            readOnly={identity !== null}
            autoCapitalize="none"
            autoComplete="off"
          />
        </Field>
      </div>
      <Field
        label="Reply-to"
        optional
        help="Where replies are sent, if different. Separate addresses with commas."
        error={form.errors.reply_to}
      >
        <Input {...form.text('reply_to')} autoCapitalize="none" autoComplete="off" />
      </Field>
      <SignatureFields form={form} stored={initial.signature_html} />
      {identity?.is_default ? null : <CheckboxField {...form.flag('is_default')} label="Use by default" />}
    </FormDialog>
  )
}

const SignatureFields = ({ form, stored }: { form: Form<Values>; stored: string }) => {
  const [lost] = useState(() => lostIn(stored))
  const { follows, signature_html: html } = form.values
  const setHtml = (next: string) =>
    form.set({
      signature_html: next,
      ...(follows ? { signature_text: textOfHtml(next) } : {}),
    })
  return (
    <>
      <Field
        label="Signature"
        optional
        help="Added to every message from this identity."
        error={form.errors.signature_html}
      >
        <LazyEditor label="Signature" html={html} onHtml={setHtml} />
      </Field>
      {lost.length > 0 ? (
        <Notice tone="warning" title="Parts of this signature can't be edited here">
          It contains elements that this editor doesn't support ({lost.join(', ')}). They're kept unless you change the
          signature.
        </Notice>
      ) : null}
      <CheckboxField
        checked={follows}
        onChecked={(next) => form.set({ follows: next, ...(next ? { signature_text: textOfHtml(html) } : {}) })}
        label="Create plain text version automatically"
        help="Used for plain text messages and readers without formatting."
      />
      {follows ? null : (
        <Field label="Plain text signature" optional error={form.errors.signature_text}>
          <Textarea {...form.text('signature_text')} className="font-mono" />
        </Field>
      )}
    </>
  )
}

/** The service refuses addresses of others as a whole; it is the address that is to blame. */
const create = async (change: IdentityChange): Promise<Identity> => {
  try {
    return await createIdentity(change)
  } catch (error) {
    if (error instanceof ProblemError && hasName(error, 'validation_error') && error.fields.length === 0)
      throw new ProblemError(error.message, [{ key: 'email', message: error.message }], { cause: error })
    throw error
  }
}
