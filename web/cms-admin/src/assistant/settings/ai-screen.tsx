import type { AiConnection } from '@stoa/cms-model/ai.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Status } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { StickyFormActions } from '@stoa/ui/form/sticky-form-actions.tsx'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { type Form as FormState, useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Unplug } from 'lucide-react'
import { useState } from 'react'
import { useVersionedSave } from '../../conflict.tsx'
import { aiKey, aiQuery, disconnectAi, readAi, saveAi } from '../queries.ts'
import { ProviderPanel } from './provider-panel.tsx'
import { UsagePanel } from './usage-panel.tsx'
import { type AiValues, inputOf, problemsOf, providers, valuesOf } from './values.ts'

/** The provider that everything with AI runs on. */
export const AiScreen = () => {
  const query = useQuery(aiQuery)
  return (
    <>
      <title>AI · Settings · Stoa CMS</title>
      <QueryBoundary query={query} name="The AI settings">
        {(ai) => <AiPage ai={ai} />}
      </QueryBoundary>
    </>
  )
}

const AiPage = ({ ai }: { ai: AiConnection }) => {
  const queryClient = useQueryClient()
  // Not what the cache holds by now: that may be newer than what the person has seen
  const [seen, setSeen] = useState(ai)
  const [isAsking, setAsking] = useState(false)
  const versioned = useVersionedSave('the AI provider')
  const form = useForm<AiValues>({
    initial: valuesOf(ai),
    validate: (values) => problemsOf(seen, values),
    onSubmit: async (values) => {
      const { record, saved } = await versioned.save({
        version: seen.version,
        write: (version) => saveAi(inputOf(values), version),
        read: () => readAi(),
      })
      queryClient.setQueryData(aiQuery.queryKey, record)
      setSeen(record)
      if (saved) toast({ tone: 'success', title: seen.connected ? 'AI settings saved' : 'Provider connected' })
      return valuesOf(record)
    },
  })
  return (
    <>
      <PageHeader
        title="AI"
        description="One provider for the assistant, the field assistant and the visitor assistant."
        crumbs={[{ label: 'Settings', to: '/settings' }]}
        badge={
          seen.connected && seen.kind ? (
            <Status tone="live">{`${providers[seen.kind].label} connected`}</Status>
          ) : (
            <Status tone="neutral">Not connected</Status>
          )
        }
        actions={
          seen.connected ? (
            <Button variant="danger-quiet" icon={<Unplug />} onClick={() => setAsking(true)}>
              Disconnect
            </Button>
          ) : undefined
        }
      />
      <SignInResult />
      <Form form={form} className="gap-6">
        <ProviderPanel ai={seen} form={form} />
        <LimitsPanel form={form} />
        <StickyFormActions form={form} />
      </Form>
      {seen.connected ? (
        <div className="pt-6">
          <UsagePanel />
        </div>
      ) : null}
      {versioned.dialog}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Disconnect ${seen.kind ? providers[seen.kind].label : 'the provider'}?`}
        consequence="The assistant, the field assistant and the visitor assistant stop working. The stored key is deleted; conversations stay."
        confirmLabel="Disconnect"
        onConfirm={async () => {
          await disconnectAi()
          const now = await readAi()
          queryClient.setQueryData(aiQuery.queryKey, now)
          void queryClient.invalidateQueries({ queryKey: [...aiKey, 'usage'] })
          setSeen(now)
          form.reset(valuesOf(now))
          toast({ tone: 'success', title: 'Provider disconnected' })
        }}
      />
    </>
  )
}

/** What came of a sign-in at the provider, which leads back here. */
const SignInResult = () => {
  const url = useUrlState()
  const model = url.get('connected')
  const isFailed = url.get('aiError') !== ''
  if (model === '' && !isFailed) return null
  return (
    <Notice
      tone={isFailed ? 'danger' : 'success'}
      title={isFailed ? "Couldn't connect the account" : 'Account connected'}
      className="mb-6"
      action={
        <Button size="sm" variant="ghost" onClick={() => url.set({ connected: '', aiError: '', message: '' })}>
          Dismiss
        </Button>
      }
    >
      {isFailed ? url.get('message') : `${model} answers from now on.`}
    </Notice>
  )
}

const LimitsPanel = ({ form }: { form: FormState<AiValues> }) => (
  <Panel title="Limits" description="When a limit is reached, AI pauses until midnight UTC.">
    <div className="grid min-w-0 max-w-prose gap-4 sm:grid-cols-2">
      <Field label="Tokens per day, whole site" error={form.errors.siteTokensPerDay}>
        <Input {...form.text('siteTokensPerDay')} inputMode="numeric" />
      </Field>
      <Field label="Tokens per day, each person" error={form.errors.userTokensPerDay}>
        <Input {...form.text('userTokensPerDay')} inputMode="numeric" />
      </Field>
      <Field label="Tokens per day, visitors" error={form.errors.visitorTokensPerDay}>
        <Input {...form.text('visitorTokensPerDay')} inputMode="numeric" />
      </Field>
      <Field
        label="Context window (tokens)"
        help="How much a model on your own server can read at once"
        error={form.errors.contextTokens}
      >
        <Input {...form.text('contextTokens')} inputMode="numeric" />
      </Field>
      <Field
        label="Keep conversations for (days)"
        help="Counted from the last message"
        error={form.errors.retentionDays}
      >
        <Input {...form.text('retentionDays')} inputMode="numeric" />
      </Field>
      <div className="sm:col-span-2">
        <SwitchField
          label="Compact tools"
          help="Sends only the tools for the current screen. For models with a small context window."
          {...form.flag('compactTools')}
        />
      </div>
    </div>
  </Panel>
)
