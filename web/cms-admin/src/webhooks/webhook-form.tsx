import type { Webhook, WebhookWithSecret } from '@stoa/cms-model/webhooks.ts'
import { changedMembers } from '@stoa/ui/changed-members.ts'
import { CheckboxField } from '@stoa/ui/checkbox.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/choice-group.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { FormDialog } from '@stoa/ui/form-dialog.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { messageOf, ProblemError } from '@stoa/ui/problem.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { type Form, useForm } from '@stoa/ui/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { hasCode } from '../api.ts'
import { useVersionedSave } from '../conflict.tsx'
import { ALL_TYPES, isAllTypes } from '../types/scope.ts'
import { TypeScope } from '../types/type-scope.tsx'
import { ALL_EVENTS, eventGroups, isAllEvents } from './events.ts'
import { createWebhook, readWebhook, updateWebhook, webhooksQuery } from './queries.ts'

type Values = { name: string; url: string; events: string[]; types: string[] }

const ALL_SCOPE = [ALL_TYPES]

const validate = (values: Values): Partial<Record<keyof Values, string>> => ({
  ...(values.url.trim() ? {} : { url: 'Enter the address that events are sent to.' }),
  ...(values.events.length > 0 ? {} : { events: 'Choose one event at least.' }),
  ...(values.types.length > 0 ? {} : { types: 'Choose one type at least.' }),
})

/** The service knows "all types" as no types at all. */
const bodyOf = ({ name, url, events, types }: Values) => ({
  ...(name.trim() ? { name } : {}),
  url,
  events,
  types: isAllTypes(types) ? [] : types,
})

const valuesOf = (webhook: Webhook): Values => ({
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  types: webhook.types.length === 0 ? ALL_SCOPE : webhook.types,
})

const blameUrl = (error: unknown): never => {
  if (!hasCode(error, 'WEBHOOK_TARGET_REFUSED')) throw error
  throw new ProblemError(messageOf(error), [{ key: 'url', message: messageOf(error) }])
}

type NewWebhookProps = { onClose: () => void; onCreated: (webhook: WebhookWithSecret) => void }

export const NewWebhookDialog = ({ onClose, onCreated }: NewWebhookProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: { name: '', url: '', events: [ALL_EVENTS], types: ALL_SCOPE },
    validate,
    onSubmit: async (values) => {
      const created = await createWebhook(bodyOf(values)).catch(blameUrl)
      void queryClient.invalidateQueries(webhooksQuery)
      onCreated(created)
      return undefined
    },
  })
  return (
    <FormDialog
      title="New webhook"
      description="Your server is told what happens here, in signed requests."
      form={form}
      submitLabel="Create webhook"
      allowUnchanged
      onClose={onClose}
    >
      <WebhookFields form={form} />
    </FormDialog>
  )
}

export const EditWebhookDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const [current, setCurrent] = useState(webhook)
  const versioned = useVersionedSave(`the webhook “${webhook.name}”`)
  const form = useForm<Values>({
    initial: valuesOf(webhook),
    validate,
    onSubmit: async (values) => {
      const changes = changedMembers(bodyOf(values), bodyOf(valuesOf(current)))
      const { record, saved } = await versioned.save({
        version: current.version,
        write: (wanted) => updateWebhook(webhook.id, changes, wanted).catch(blameUrl),
        read: () => readWebhook(webhook.id),
      })
      await queryClient.invalidateQueries(webhooksQuery)
      setCurrent(record)
      if (saved) {
        toast({ tone: 'success', title: `“${record.name}” is saved` })
        onClose()
      }
      return valuesOf(record)
    },
  })
  return (
    <>
      <FormDialog title={`Edit “${webhook.name}”`} form={form} submitLabel="Save changes" onClose={onClose}>
        <WebhookFields form={form} />
      </FormDialog>
      {versioned.dialog}
    </>
  )
}

const WebhookFields = ({ form }: { form: Form<Values> }) => (
  <>
    <Field label="Address" help="A public https address of your server." error={form.errors.url}>
      <Input
        {...form.text('url')}
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://www.example.com/hooks/cms"
      />
    </Field>
    <Field label="Name" optional help="Without one, the host of the address." error={form.errors.name}>
      <Input {...form.text('name')} autoComplete="off" placeholder="Website" />
    </Field>
    <EventChoice value={form.values.events} onValue={(events) => form.set({ events })} error={form.errors.events} />
    <TypeScope
      label="Entries of"
      help="Narrows the events of entries; all others are sent in any case."
      value={form.values.types}
      onValue={(types) => form.set({ types })}
      error={form.errors.types}
    />
  </>
)

type EventChoiceProps = {
  value: readonly string[]
  onValue: (events: string[]) => void
  error: string | undefined
}

const EventChoice = ({ value, onValue, error }: EventChoiceProps) => {
  const name = useId()
  const all = isAllEvents(value)
  return (
    <ChoiceGroup label="Events" error={error}>
      <RadioChoice
        name={name}
        value="all"
        chosen={all ? 'all' : 'some'}
        onChoose={() => onValue([ALL_EVENTS])}
        label="All events, also those that come later"
      />
      <RadioChoice
        name={name}
        value="some"
        chosen={all ? 'all' : 'some'}
        onChoose={() => onValue([])}
        label="Only some events"
      />
      {all ? null : <EventBoxes value={value} onValue={onValue} />}
    </ChoiceGroup>
  )
}

type EventBoxesProps = { value: readonly string[]; onValue: (events: string[]) => void }

const EventBoxes = ({ value, onValue }: EventBoxesProps) => {
  const toggle = (names: readonly string[], checked: boolean) => {
    const rest = value.filter((event) => !names.includes(event))
    onValue(checked ? [...rest, ...names] : rest)
  }
  return (
    <div className="grid grid-cols-2 gap-x-6 gap-y-4 pl-6.5 phone:grid-cols-1">
      {eventGroups.map((group) => {
        const names = group.events.map(({ name }) => name)
        const chosen = names.filter((name) => value.includes(name)).length
        return (
          <div key={group.label} className="flex flex-col gap-1.5">
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
