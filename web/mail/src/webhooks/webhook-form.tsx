import type { WebhookEventType } from '@stoa/mail-model/webhook-events.ts'
import type { Webhook, WebhookWithSecret } from '@stoa/mail-model/webhooks.ts'
import { changedMembers } from '@stoa/ui/changed-members.ts'
import { CheckboxField } from '@stoa/ui/checkbox.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/choice-group.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { FormDialog } from '@stoa/ui/form-dialog.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { type Form, useForm } from '@stoa/ui/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { PlanLimitHint, usePlanLimit } from '../plan-limit.tsx'
import { chosenEvents, eventGroups, isAllEvents, nameOf } from './events.ts'
import { createWebhook, updateWebhook, WEBHOOKS } from './queries.ts'

type Values = { endpoint: string; description: string; events: WebhookEventType[] }

const validate = (values: Values): Partial<Record<keyof Values, string>> => ({
  ...(values.endpoint.trim() ? {} : { endpoint: 'Enter the address that events are sent to.' }),
  ...(values.events.length > 0 ? {} : { events: 'Choose one event at least.' }),
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
      description="Your server is told what happens to mail, in signed requests."
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
    onSubmit: async (values) => {
      const saved = await updateWebhook(webhook.id, changedMembers(bodyOf(values), bodyOf(valuesOf(webhook))))
      await queryClient.invalidateQueries({ queryKey: WEBHOOKS })
      toast({ tone: 'success', title: `“${nameOf(saved)}” is saved` })
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
    <Field label="Endpoint" help="A public https address of your server." error={form.errors.endpoint}>
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
    <Field label="Description" optional help="What it is for; its name in the list." error={form.errors.description}>
      <Input {...form.text('description')} autoComplete="off" placeholder="Order status" />
    </Field>
    <EventChoice value={form.values.events} onValue={(events) => form.set({ events })} error={form.errors.events} />
  </>
)

type EventBoxesProps = { value: readonly WebhookEventType[]; onValue: (events: WebhookEventType[]) => void }

const EventChoice = ({ value, onValue, error }: EventBoxesProps & { error: string | undefined }) => {
  const name = useId()
  const [some, setSome] = useState(!isAllEvents(value))
  return (
    <ChoiceGroup label="Events" error={error}>
      <RadioChoice
        name={name}
        value="all"
        chosen={some ? 'some' : 'all'}
        onChoose={() => {
          setSome(false)
          onValue([...chosenEvents])
        }}
        label="All events"
      />
      <RadioChoice
        name={name}
        value="some"
        chosen={some ? 'some' : 'all'}
        onChoose={() => {
          setSome(true)
          if (isAllEvents(value)) onValue([])
        }}
        label="Only some events"
      />
      {some ? <EventBoxes value={value} onValue={onValue} /> : null}
    </ChoiceGroup>
  )
}

const EventBoxes = ({ value, onValue }: EventBoxesProps) => {
  const toggle = (names: readonly WebhookEventType[], checked: boolean) => {
    const rest = value.filter((event) => !names.includes(event))
    onValue(checked ? [...rest, ...names] : rest)
  }
  return (
    <div className="columns-2 gap-x-6 pl-6.5 phone:columns-1">
      {eventGroups.map((group) => {
        const names = group.events.map(({ name }) => name)
        const chosen = names.filter((name) => value.includes(name)).length
        return (
          <div key={group.label} className="flex break-inside-avoid flex-col gap-1.5 pb-4">
            <CheckboxField
              label={<span className="font-medium">{group.label}</span>}
              checked={chosen === names.length}
              indeterminate={chosen > 0 && chosen < names.length}
              onChecked={(checked) => toggle(names, checked)}
            />
            {names.length === 1
              ? null
              : group.events.map((event) => (
                  <div key={event.name} className="pl-6.5">
                    <CheckboxField
                      label={event.label}
                      checked={value.includes(event.name)}
                      onChecked={(checked) => toggle([event.name], checked)}
                    />
                  </div>
                ))}
          </div>
        )
      })}
    </div>
  )
}
