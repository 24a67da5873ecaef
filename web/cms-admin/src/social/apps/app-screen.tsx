import { Button } from '@stoa/ui/button/button.tsx'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Disclosure } from '@stoa/ui/display/disclosure.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, PlugZap } from 'lucide-react'
import { useState } from 'react'
import { useVersionedSave } from '../../conflict.tsx'
import { NotFound } from '../../not-found.tsx'
import { NetworkMark } from '../network-mark.tsx'
import { APPS_PATH, SOCIAL_PATH } from '../paths.ts'
import { appsQuery, forgetApp, readApps, saveApp, socialKey, testApp } from '../queries.ts'
import { useConnect } from '../use-connect.ts'
import type { SocialApp } from '../wire.ts'
import { type AppValues, changesOf, overrideFields, valuesOf } from './app-values.ts'
import { AppState } from './apps-screen.tsx'
import { useReady } from './use-ready.ts'

/** The app of one network: its credentials, and the way through the network's console. */
export const AppScreen = ({ network }: { network: string }) => {
  const query = useQuery(appsQuery)
  return (
    <QueryBoundary query={query} name="The settings">
      {({ items }) => {
        const app = items.find((one) => one.network === network)
        return app ? <AppView key={network} app={app} /> : <NotFound />
      }}
    </QueryBoundary>
  )
}

const AppView = ({ app }: { app: SocialApp }) => {
  const { connecting, connect } = useConnect()
  const isReady = useReady(app.network)
  return (
    <>
      <title>{`${app.label} · Social settings · Stoa CMS`}</title>
      <PageHeader
        title={
          <span className="flex items-center gap-2.5">
            <NetworkMark network={app.network} size="md" />
            {app.label}
          </span>
        }
        crumbs={[
          { label: 'Social', to: SOCIAL_PATH },
          { label: 'Settings', to: APPS_PATH },
        ]}
        badge={<AppState app={app} />}
        actions={
          isReady ? (
            <Button
              variant="primary"
              icon={<Link2 />}
              loading={connecting === app.network}
              onClick={() => connect(app.network)}
            >
              Connect account
            </Button>
          ) : undefined
        }
      />
      <div className="flex min-w-0 flex-col gap-6">
        {app.warnings.map((warning) => (
          <Notice key={warning} tone="warning">
            {warning}
          </Notice>
        ))}
        <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[1fr_24rem]">
          <Credentials app={app} />
          <Walkthrough app={app} />
        </div>
      </div>
    </>
  )
}

const Credentials = ({ app }: { app: SocialApp }) => {
  const queryClient = useQueryClient()
  const versioned = useVersionedSave(`the ${app.label} app`)
  // Not what the cache holds by now: that may be newer than what the person has seen
  const [seen, setSeen] = useState(app)
  const refresh = () => queryClient.invalidateQueries({ queryKey: socialKey })
  const read = async () => (await readApps()).items.find(({ network }) => network === app.network) ?? app
  const form = useForm<AppValues>({
    initial: valuesOf(app),
    onSubmit: async (values) => {
      const { record, saved } = await versioned.save({
        version: seen.version ?? 0,
        write: (version) => saveApp(app.network, changesOf(seen, values), seen.version === null ? 'any' : version),
        read,
      })
      setSeen(record)
      await refresh()
      if (saved) toast({ tone: 'success', title: `${app.label} app saved` })
      return valuesOf(record)
    },
  })
  const isFromEnvironment = app.source === 'env'
  const hasOverrides = Object.keys(app.overrides).length > 0
  return (
    <Panel title="App credentials" description={isFromEnvironment ? FROM_ENVIRONMENT : undefined}>
      <Form form={form} className="max-w-prose gap-5">
        <EnabledSwitch app={app} onSaved={setSeen} />
        <Field label="Client ID" error={form.errors.clientId}>
          <Input {...form.text('clientId')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field
          label="Client secret"
          help={secretHelp(app)}
          error={form.errors.clientSecret}
          optional={app.source !== 'none'}
        >
          <Input
            {...form.text('clientSecret')}
            type="password"
            autoComplete="new-password"
            placeholder={app.secretLast4 === null ? '' : `•••••••• ${app.secretLast4}`}
          />
        </Field>
        <Disclosure
          summary={<span className="font-medium text-ink">Advanced</span>}
          open={
            hasOverrides ||
            Object.keys(form.errors).some((name) => name !== 'clientId' && name !== 'clientSecret') ||
            undefined
          }
        >
          <div className="mt-3 flex flex-col gap-4 border-line border-l pl-4">
            <p className="text-muted text-xs">Leave empty to use the network's own URLs and permissions.</p>
            {overrideFields.map(({ name, label, placeholder }) => (
              <Field key={name} label={label} optional error={form.errors[name]}>
                <Input {...form.text(name)} placeholder={placeholder} autoCapitalize="none" spellCheck={false} />
              </Field>
            ))}
            <Field label="Scopes" optional help="Separate them with spaces." error={form.errors.scopes}>
              <Input {...form.text('scopes')} autoCapitalize="none" spellCheck={false} />
            </Field>
          </div>
        </Disclosure>
        <FormActions form={form} label="Save app" />
      </Form>
      <AppActions
        app={app}
        isDirty={form.dirty}
        onForgotten={(now) => {
          setSeen(now)
          form.reset(valuesOf(now))
        }}
        read={read}
      />
      {versioned.dialog}
    </Panel>
  )
}

const FROM_ENVIRONMENT = 'These come from environment variables. Saving your own here replaces them.'

const secretHelp = ({ secretLast4, source }: SocialApp): string =>
  source === 'none'
    ? "It's stored encrypted and never shown again."
    : `Leave empty to keep the current secret${secretLast4 === null ? '' : `, which ends in ${secretLast4}`}.`

type EnabledSwitchProps = { app: SocialApp; onSaved: (app: SocialApp) => void }

const EnabledSwitch = ({ app, onSaved }: EnabledSwitchProps) => {
  const queryClient = useQueryClient()
  const toggle = useMutation({
    mutationFn: (enabled: boolean) => saveApp(app.network, { enabled }, 'any'),
    onSuccess: (saved) => {
      onSaved(saved)
      toast({ tone: 'success', title: `${app.label} turned ${saved.enabled ? 'on' : 'off'}` })
    },
    onError: (error) => toast({ tone: 'danger', title: `${app.label} wasn't changed`, description: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: socialKey }),
  })
  return (
    <SwitchField
      label="Enabled"
      help="When off, nothing is posted to this network and no account can be connected."
      checked={toggle.isPending ? (toggle.variables ?? app.enabled) : app.enabled}
      disabled={app.source === 'none' || toggle.isPending}
      onChecked={(enabled) => toggle.mutate(enabled)}
    />
  )
}

type AppActionsProps = {
  app: SocialApp
  isDirty: boolean
  onForgotten: (app: SocialApp) => void
  read: () => Promise<SocialApp>
}

/** Trying the app, and forgetting it. */
const AppActions = ({ app, isDirty, onForgotten, read }: AppActionsProps) => {
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const test = useMutation({ mutationFn: () => testApp(app.network) })
  if (app.source === 'none') return null
  return (
    <div className="mt-5 flex flex-col gap-3 border-line border-t pt-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={<PlugZap />} loading={test.isPending} disabled={isDirty} onClick={() => test.mutate()}>
          Test app
        </Button>
        {app.source === 'stored' ? (
          <Button variant="danger-quiet" onClick={() => setAsking(true)}>
            Remove app
          </Button>
        ) : null}
        {isDirty ? <span className="text-faint text-xs">Save your changes before testing.</span> : null}
      </div>
      {test.data && !isDirty ? (
        <Notice tone={test.data.ok ? 'success' : 'danger'} title={test.data.ok ? 'Test passed' : 'Test failed'}>
          {test.data.message}
        </Notice>
      ) : null}
      {test.error ? <Notice tone="danger">{messageOf(test.error)}</Notice> : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Remove the ${app.label} app?`}
        consequence="Connected accounts keep working until their access expires. After that they can't be reconnected until you set up an app again."
        confirmLabel="Remove app"
        onConfirm={async () => {
          await forgetApp(app.network)
          onForgotten(await read())
          toast({ tone: 'success', title: `${app.label} app removed` })
          await queryClient.invalidateQueries({ queryKey: socialKey })
        }}
      />
    </div>
  )
}

/** "October 2026". */
const monthOf = (day: string): string =>
  new Date(`${day.slice(0, 7)}-15T12:00:00Z`).toLocaleDateString(undefined, { month: 'long', year: 'numeric' })

const Walkthrough = ({ app }: { app: SocialApp }) => (
  <Panel title="How to set it up" description={app.leadTime === '' ? undefined : app.leadTime}>
    <div className="flex min-w-0 flex-col gap-4 text-sm">
      <div className="flex min-w-0 flex-col gap-1.5">
        <span className="font-medium text-ink">Callback URL</span>
        <span className="flex min-w-0 items-center gap-2 rounded-md border border-line bg-canvas py-1 pr-1 pl-2.5">
          <code className="wrap-anywhere min-w-0 flex-1 select-all font-mono text-ink text-xs">{app.callbackUrl}</code>
          <CopyButton text={app.callbackUrl} label="Copy callback URL" iconOnly />
        </span>
      </div>
      <ol className="flex min-w-0 flex-col gap-3">
        {app.walkthrough.map(({ title, body }, index) => (
          <li key={title} className="flex min-w-0 gap-2.5">
            <span
              aria-hidden
              className="flex size-5 shrink-0 items-center justify-center rounded-full border border-line bg-canvas text-2xs text-muted tabular-nums"
            >
              {index + 1}
            </span>
            <span className="flex min-w-0 flex-col gap-0.5">
              <span className="wrap-anywhere font-medium text-ink">{title}</span>
              <span className="wrap-anywhere text-muted">{body.replaceAll('{callback}', app.callbackUrl)}</span>
            </span>
          </li>
        ))}
      </ol>
      <p className="text-faint text-xs">Steps checked {monthOf(app.checkedOn)}.</p>
    </div>
  </Panel>
)
