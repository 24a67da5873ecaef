import type { ApiKey, ApiKeyPermission, CreatedApiKey } from '@stoa/mail-model/api-keys.ts'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { type Form, useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { SecretOnceDialog } from '@stoa/ui/layer/secret-once-dialog.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { domainChoicesQuery } from '../emails/queries.ts'
import { clientExample, curlExample, envExample, senderOf } from '../emails/snippets.ts'
import { PlanLimitHint, usePlanLimit } from '../plan-limit.tsx'
import { meQuery } from '../queries.ts'
import { describePermission } from './permissions.ts'
import { API_KEYS, createApiKey, revokeApiKey } from './queries.ts'

type Values = { name: string; permission: ApiKeyPermission; domain_id: string }

const MAX_NAME = 50

const validate = ({ name }: Values): { name?: string } => {
  if (name.trim() === '') return { name: 'Enter a name.' }
  return name.trim().length > MAX_NAME ? { name: `Use at most ${MAX_NAME} characters.` } : {}
}

type NewApiKeyProps = { onClose: () => void; onCreated: (key: CreatedApiKey) => void }

export const NewApiKeyDialog = ({ onClose, onCreated }: NewApiKeyProps) => {
  const queryClient = useQueryClient()
  const plan = usePlanLimit()
  const form = useForm<Values>({
    initial: { name: '', permission: 'sending_access', domain_id: '' },
    validate,
    onSubmit: async ({ name, permission, domain_id: domainId }) => {
      const bound = permission === 'sending_access' && domainId !== '' ? { domain_id: domainId } : {}
      const created = await plan.guard('API keys', () => createApiKey({ name: name.trim(), permission, ...bound }))
      void queryClient.invalidateQueries({ queryKey: API_KEYS })
      onCreated(created)
      return undefined
    },
  })
  return (
    <FormDialog
      title="New API key"
      description="Create a separate key for each app that sends email."
      form={form}
      submitLabel="Create key"
      allowUnchanged
      onClose={onClose}
    >
      <PlanLimitHint limit={plan} />
      <Field label="Name" help="The app or service that uses it." error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="off" placeholder="Shop" />
      </Field>
      <PermissionChoice form={form} />
      {form.values.permission === 'sending_access' ? <DomainChoice form={form} /> : null}
    </FormDialog>
  )
}

const PermissionChoice = ({ form }: { form: Form<Values> }) => {
  const name = useId()
  return (
    <ChoiceGroup label="Permission" error={form.errors.permission}>
      {(['sending_access', 'full_access'] as const).map((permission) => (
        <RadioChoice
          key={permission}
          name={name}
          value={permission}
          chosen={form.values.permission}
          onChoose={(chosen) => form.set({ permission: chosen })}
          {...describePermission(permission)}
        />
      ))}
    </ChoiceGroup>
  )
}

const DomainChoice = ({ form }: { form: Form<Values> }) => {
  const { data: domains } = useQuery(domainChoicesQuery)
  const names = domains?.data.map(({ id, unicode_name: label }) => ({ value: id, label })) ?? []
  return (
    <Field
      label="Domain"
      help="Limit this key to one domain. It's deleted with the domain."
      error={form.errors.domain_id}
    >
      <Select {...form.choice('domain_id')} options={[{ value: '', label: 'All domains' }, ...names]} />
    </Field>
  )
}

type RevokeProps = { apiKey: ApiKey | undefined; onClose: () => void }

export const RevokeApiKey = ({ apiKey, onClose }: RevokeProps) => {
  const queryClient = useQueryClient()
  if (!apiKey) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Revoke “${apiKey.name}”?`}
      consequence="Apps that use this key can no longer send. Emails already accepted are still delivered. This can't be undone."
      confirmLabel="Revoke key"
      onConfirm={async () => {
        await revokeApiKey(apiKey.id)
        await queryClient.invalidateQueries({ queryKey: API_KEYS })
        toast({ tone: 'success', title: `${apiKey.name} revoked` })
      }}
    />
  )
}

type Language = 'curl' | 'client' | 'env'

/** The new token with examples that send as they are. */
export const CreatedApiKeyDialog = ({ created, onClose }: { created: CreatedApiKey; onClose: () => void }) => {
  const { data: domains, isPending } = useQuery(domainChoicesQuery)
  const { data: me } = useQuery(meQuery)
  const [language, setLanguage] = useState<Language>('curl')
  const reached = domains?.data.filter(({ id }) => created.domain_id === null || id === created.domain_id) ?? []
  const canSend = reached.some(({ capabilities }) => capabilities.sending === 'enabled')
  const { origin } = location
  const example = { origin, token: created.token, from: senderOf(reached), to: me?.email ?? '' }
  const tab = (value: Language, label: string, code: string) => ({
    value,
    label,
    content: <CodeBlock label={label} code={code} />,
  })
  return (
    <SecretOnceDialog
      title={`API key “${created.name}”`}
      secrets={[created.token]}
      fileName={`api-key-${created.token_prefix}.txt`}
      help="Store it on your server and keep it secret: anyone with this key can send as you."
      onClose={onClose}
    >
      <div className="flex min-w-0 flex-col gap-3">
        {canSend || !domains ? null : (
          <Notice tone="warning" title="No domain for this key can send yet">
            Publish the DNS records of <TextLink to="/domains">your domain</TextLink> first. The examples use one of its
            addresses.
          </Notice>
        )}
        {isPending ? (
          <SkeletonText lines={6} />
        ) : (
          <Tabs
            label="Examples"
            value={language}
            onValue={setLanguage}
            tabs={[
              tab('curl', 'curl', curlExample(example)),
              tab('client', 'Node.js', clientExample(example)),
              tab('env', 'Environment', envExample(example)),
            ]}
          />
        )}
      </div>
    </SecretOnceDialog>
  )
}
