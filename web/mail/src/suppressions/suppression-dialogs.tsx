import type { Suppression } from '@stoa/mail-model/suppressions.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { localZone, MomentInput } from '@stoa/ui/form/moment-input.tsx'
import { type Form, useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { RunDialog } from '@stoa/ui/layer/run-dialog.tsx'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { hasName } from '../api.ts'
import { PlanLimitHint, usePlanLimit } from '../plan-limit.tsx'
import { addSuppression, changeSuppression, removeSuppression, SUPPRESSIONS } from './queries.ts'

type Rest = { reason: string; until: 'removed' | 'moment'; expires_at: string }
type Values = Rest & { email: string }

const wrongRest = ({ until, expires_at: at }: Rest): Partial<Record<keyof Values, string>> =>
  until === 'moment' && at === '' ? { expires_at: 'Choose a date and time.' } : {}

const bodyOf = ({ reason, until, expires_at: at }: Rest) => ({
  reason: reason.trim() || null,
  expires_at: until === 'moment' ? at : null,
})

export const NewSuppressionDialog = ({ onClose }: { onClose: () => void }) => {
  const queryClient = useQueryClient()
  const plan = usePlanLimit()
  const form = useForm<Values>({
    initial: { email: '', reason: '', until: 'removed', expires_at: '' },
    validate: (values) => ({
      ...(values.email.trim() ? {} : { email: 'Enter an email address.' }),
      ...wrongRest(values),
    }),
    onSubmit: async (values) => {
      const added = await plan.guard('suppressions', () =>
        addSuppression({ email: values.email, ...bodyOf(values) }).catch(blameEmail),
      )
      await queryClient.invalidateQueries({ queryKey: SUPPRESSIONS })
      toast({ tone: 'success', title: `${added.email} suppressed` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title="Suppress address"
      description="Your apps can't send to this address. Personal mail isn't affected."
      form={form}
      submitLabel="Suppress"
      allowUnchanged
      onClose={onClose}
    >
      <PlanLimitHint limit={plan} />
      <Field label="Email address" error={form.errors.email}>
        <Input
          {...form.text('email')}
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="person@example.org"
        />
      </Field>
      <RestFields form={form} />
    </FormDialog>
  )
}

const blameEmail = (error: unknown): never => {
  if (!hasName(error, 'conflict')) throw error
  throw new ProblemError(messageOf(error), [{ key: 'email', message: messageOf(error) }])
}

const restOf = (suppression: Suppression): Rest => ({
  reason: suppression.reason ?? '',
  until: suppression.expires_at === null ? 'removed' : 'moment',
  expires_at: suppression.expires_at ?? '',
})

type EditProps = { suppression: Suppression; onClose: () => void }

export const EditSuppressionDialog = ({ suppression, onClose }: EditProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Rest>({
    initial: restOf(suppression),
    validate: wrongRest,
    onSubmit: async (values, saved) => {
      await changeSuppression(suppression.id, changedMembers(bodyOf(values), bodyOf(saved)))
      await queryClient.invalidateQueries({ queryKey: SUPPRESSIONS })
      toast({ tone: 'success', title: `${suppression.email} saved` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title={`Edit suppression of ${suppression.email}`}
      form={form}
      submitLabel="Save changes"
      onClose={onClose}
    >
      <RestFields form={form} />
    </FormDialog>
  )
}

const RestFields = <V extends Rest>({ form }: { form: Form<V> }) => {
  const name = useId()
  const [now] = useState(() => new Date())
  const { reason, until, expires_at: at }: Rest = form.values
  // V has the members of Rest, which TypeScript does not see in a Partial of it
  const set = (changes: Partial<Rest>) => form.set(changes as Partial<V>)
  const errors: Partial<Record<string, string>> = form.errors
  return (
    <>
      <Field label="Reason" optional help="A note for later." error={errors.reason}>
        <Input name="reason" value={reason} onChange={(event) => set({ reason: event.target.value })} />
      </Field>
      <ChoiceGroup label="Duration">
        <RadioChoice
          name={name}
          value="removed"
          chosen={until}
          onChoose={(chosen) => set({ until: chosen })}
          label="Until removed"
        />
        <RadioChoice
          name={name}
          value="moment"
          chosen={until}
          onChoose={(chosen) => set({ until: chosen })}
          label="Until a date"
        />
      </ChoiceGroup>
      {until === 'moment' ? (
        <Field
          label="Expires"
          help={`Your time zone, ${localZone(at === '' ? now : new Date(at))}. After this, mail can be sent again.`}
          error={errors.expires_at}
        >
          <MomentInput className="max-w-60" value={at} min={now} onValue={(value) => set({ expires_at: value })} />
        </Field>
      ) : null}
    </>
  )
}

type RemoveProps = { suppressions: readonly Suppression[]; onRemoved: () => void; onClose: () => void }

/** Lets mail through again, to one address or to several. */
export const RemoveSuppressions = ({ suppressions, onRemoved, onClose }: RemoveProps) => {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: SUPPRESSIONS })
  const [only] = suppressions
  if (suppressions.length === 1 && only)
    return (
      <ConfirmDialog
        open
        onOpenChange={onClose}
        title={`Remove suppression of ${only.email}?`}
        consequence={consequenceOf(only)}
        confirmLabel="Remove suppression"
        onConfirm={async () => {
          await removeSuppression(only.id)
          await refresh()
          onRemoved()
          toast({ tone: 'success', title: `Suppression of ${only.email} removed` })
        }}
      />
    )
  return (
    <RunDialog
      title={`Remove suppression of ${formatCount(suppressions.length, 'address', 'addresses')}?`}
      consequence="Your apps can send to these addresses again. If they bounce again, it hurts your sender reputation."
      confirmLabel="Remove suppressions"
      items={suppressions}
      unit="suppressions"
      action={({ id }) => removeSuppression(id)}
      nameOf={({ email }) => email}
      onSettled={({ done }) => {
        void refresh()
        onRemoved()
        if (done > 0) toast({ tone: 'success', title: `${formatCount(done, 'suppression', 'suppressions')} removed` })
      }}
      onClose={onClose}
    />
  )
}

const consequenceOf = ({ origin }: Suppression): string =>
  origin === 'complaint'
    ? 'The recipient marked your email as spam. Sending again without their consent hurts your sender reputation.'
    : origin === 'bounce'
      ? "Your apps can send to this address again. If it still bounces, it's suppressed again."
      : 'Your apps can send to this address again. You can suppress it again at any time.'
