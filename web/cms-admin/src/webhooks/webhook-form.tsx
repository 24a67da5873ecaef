import type { Webhook, WebhookWithSecret } from '@stoa/cms-model/webhooks.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { type Form, useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { EventChoice } from '@stoa/ui/webhooks/event-choice.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode } from '../api.ts'
import { useVersionedSave } from '../conflict.tsx'
import { ALL_TYPES, isAllTypes } from '../types/scope.ts'
import { TypeScope } from '../types/type-scope.tsx'
import { ALL_EVENTS, eventGroups } from './events.ts'
import { createWebhook, readWebhook, updateWebhook, webhooksQuery } from './queries.ts'

type Values = { name: string; url: string; events: string[]; types: string[] }

const ALL_SCOPE = [ALL_TYPES]

const validate = (values: Values): Partial<Record<keyof Values, string>> => ({
  ...(values.url.trim() ? {} : { url: 'Enter the endpoint URL.' }),
  ...(values.events.length > 0 ? {} : { events: 'Choose at least one event.' }),
  ...(values.types.length > 0 ? {} : { types: 'Choose at least one type.' }),
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
    initial: { name: '', url: '', events: [...ALL_EVENTS], types: ALL_SCOPE },
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
      description="Sends signed requests to your server when something happens."
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
    onSubmit: async (values, before) => {
      const changes = changedMembers(bodyOf(values), bodyOf(before))
      const { record, saved } = await versioned.save({
        version: current.version,
        write: (wanted) => updateWebhook(webhook.id, changes, wanted).catch(blameUrl),
        read: () => readWebhook(webhook.id),
      })
      await queryClient.invalidateQueries(webhooksQuery)
      setCurrent(record)
      if (saved) {
        toast({ tone: 'success', title: `“${record.name}” saved` })
        onClose()
      }
      return valuesOf(record)
    },
  })
  return (
    <>
      <FormDialog title={`Edit “${webhook.name}”`} form={form} submitLabel="Save changes" onClose={onClose}>
        {/* What someone else saved is shown as it is, with nothing of how it was edited here */}
        <WebhookFields key={current.version} form={form} />
      </FormDialog>
      {versioned.dialog}
    </>
  )
}

const WebhookFields = ({ form }: { form: Form<Values> }) => (
  <>
    <Field label="Endpoint URL" help="A public https URL of your server" error={form.errors.url}>
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
    <Field label="Name" optional help="Leave empty to use the host name" error={form.errors.name}>
      <Input {...form.text('name')} autoComplete="off" placeholder="Website" />
    </Field>
    <EventChoice
      groups={eventGroups}
      all={ALL_EVENTS}
      allLabel="All events, including future ones"
      value={form.values.events}
      onValue={(events) => form.set({ events })}
      error={form.errors.events}
    />
    <TypeScope
      label="Content types"
      help="Applies to entry events. All other events are always sent."
      value={form.values.types}
      onValue={(types) => form.set({ types })}
      error={form.errors.types}
    />
  </>
)
