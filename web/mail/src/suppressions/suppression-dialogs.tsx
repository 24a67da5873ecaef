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
  until === 'moment' && at === '' ? { expires_at: 'Choose a day and a time.' } : {}

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
      ...(values.email.trim() ? {} : { email: 'Enter an address.' }),
      ...wrongRest(values),
    }),
    onSubmit: async (values) => {
      const added = await plan.guard('suppressions', () =>
        addSuppression({ email: values.email, ...bodyOf(values) }).catch(blameEmail),
      )
      await queryClient.invalidateQueries({ queryKey: SUPPRESSIONS })
      toast({ tone: 'success', title: `Mail to ${added.email} is withheld` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title="Suppress an address"
      description="What your programs send to it is withheld. Mail that people write is not affected."
      form={form}
      submitLabel="Suppress"
      allowUnchanged
      onClose={onClose}
    >
      <PlanLimitHint limit={plan} />
      <Field label="E-mail address" error={form.errors.email}>
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
      toast({ tone: 'success', title: `${suppression.email} is saved` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog title={`Suppression of ${suppression.email}`} form={form} submitLabel="Save changes" onClose={onClose}>
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
      <Field label="Reason" optional help="For whoever wonders later." error={errors.reason}>
        <Input name="reason" value={reason} onChange={(event) => set({ reason: event.target.value })} />
      </Field>
      <ChoiceGroup label="How long">
        <RadioChoice
          name={name}
          value="removed"
          chosen={until}
          onChoose={(chosen) => set({ until: chosen })}
          label="Until somebody removes it"
        />
        <RadioChoice
          name={name}
          value="moment"
          chosen={until}
          onChoose={(chosen) => set({ until: chosen })}
          label="Until a day and time"
        />
      </ChoiceGroup>
      {until === 'moment' ? (
        <Field
          label="Ends"
          help={`In your zone, ${localZone(at === '' ? now : new Date(at))}. From then on mail goes through again.`}
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
        title={`Let mail to ${only.email} through again?`}
        consequence={consequenceOf(only)}
        confirmLabel="Remove suppression"
        onConfirm={async () => {
          await removeSuppression(only.id)
          await refresh()
          onRemoved()
          toast({ tone: 'success', title: `Mail to ${only.email} goes through again` })
        }}
      />
    )
  return (
    <RunDialog
      title={`Let mail to ${formatCount(suppressions.length, 'address', 'addresses')} through again?`}
      consequence="Your programs reach them at once. Addresses that do not exist bounce again, and that harms your reputation with other providers."
      confirmLabel="Remove suppressions"
      items={suppressions}
      unit="suppressions"
      act={({ id }) => removeSuppression(id)}
      nameOf={({ email }) => email}
      onSettled={({ done }) => {
        void refresh()
        onRemoved()
        if (done > 0)
          toast({ tone: 'success', title: `${formatCount(done, 'suppression is', 'suppressions are')} removed` })
      }}
      onClose={onClose}
    />
  )
}

const consequenceOf = ({ origin }: Suppression): string =>
  origin === 'complaint'
    ? 'The recipient reported your mail as unwanted. Writing again without being asked to harms your reputation with their provider.'
    : origin === 'bounce'
      ? 'Your programs reach it at once. If it still does not exist, mail bounces and it is suppressed again.'
      : 'Your programs reach it at once. It can be suppressed again at any time.'
