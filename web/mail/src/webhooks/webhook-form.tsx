import type { WebhookEventType } from '@stoa/mail-model/webhook-events.ts'
import type { Webhook, WebhookWithSecret } from '@stoa/mail-model/webhooks.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { type Form, useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { EventChoice } from '@stoa/ui/webhooks/event-choice.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { PlanLimitHint, usePlanLimit } from '../plan-limit.tsx'
import { chosenEvents, eventGroups, nameOf } from './events.ts'
import { createWebhook, updateWebhook, WEBHOOKS } from './queries.ts'

type Values = { endpoint: string; description: string; events: WebhookEventType[] }

const validate = (values: Values): Partial<Record<keyof Values, string>> => ({
  ...(values.endpoint.trim() ? {} : { endpoint: 'Enter the endpoint URL.' }),
  ...(values.events.length > 0 ? {} : { events: 'Choose at least one event.' }),
})

const bodyOf = ({ endpoint, description, events }: Values) => ({
  endpoint: endpoint.trim(),
  description: description.trim() || null,
  events,
})

const valuesOf = ({ endpoint, description, events }: Webhook): Values => ({
  endpoint,
  description: description ?? '',
  events,
})

type NewWebhookProps = { onClose: () => void; onCreated: (webhook: WebhookWithSecret) => void }

export const NewWebhookDialog = ({ onClose, onCreated }: NewWebhookProps) => {
  const queryClient = useQueryClient()
  const plan = usePlanLimit()
  const form = useForm<Values>({
    initial: { endpoint: '', description: '', events: [...chosenEvents] },
    validate,
    onSubmit: async (values) => {
      const created = await plan.guard('webhooks', () => createWebhook(bodyOf(values)))
      void queryClient.invalidateQueries({ queryKey: WEBHOOKS })
      onCreated(created)
      return undefined
    },
  })
  return (
    <FormDialog
      title="New webhook"
      description="Get signed requests when something happens to your mail."
      form={form}
      submitLabel="Create webhook"
      allowUnchanged
      onClose={onClose}
    >
      <PlanLimitHint limit={plan} />
      <WebhookFields form={form} />
    </FormDialog>
  )
}

export const EditWebhookDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: valuesOf(webhook),
    validate,
    onSubmit: async (values, before) => {
      const saved = await updateWebhook(webhook.id, changedMembers(bodyOf(values), bodyOf(before)))
      await queryClient.invalidateQueries({ queryKey: WEBHOOKS })
      toast({ tone: 'success', title: `${nameOf(saved)} saved` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog title={`Edit “${nameOf(webhook)}”`} form={form} submitLabel="Save changes" onClose={onClose}>
      <WebhookFields form={form} />
    </FormDialog>
  )
}

const WebhookFields = ({ form }: { form: Form<Values> }) => (
  <>
    <Field label="Endpoint URL" help="A public https URL of your server." error={form.errors.endpoint}>
      <Input
        {...form.text('endpoint')}
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://www.example.com/hooks/mail"
      />
    </Field>
    <Field label="Description" optional help="Shown as the name in the list." error={form.errors.description}>
      <Input {...form.text('description')} autoComplete="off" placeholder="Order status" />
    </Field>
    <EventChoice
      groups={eventGroups}
      all={chosenEvents}
      allLabel="All events"
      value={form.values.events}
      onValue={(events) => form.set({ events })}
      error={form.errors.events}
    />
  </>
)
