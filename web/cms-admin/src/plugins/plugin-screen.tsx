import { type Plugin, type PluginAsks, pluginAsks } from '@stoa/cms-model/plugins.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { SwitchField } from '@stoa/ui/form/switch.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { LinkButton, useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ApproveDialog } from './approve-dialog.tsx'
import { Asks } from './asks.tsx'
import { PLUGINS_PATH, pluginScreenPath } from './paths.ts'
import {
  pluginQuery,
  pluginScreensQuery,
  pluginsQuery,
  reloadPlugin,
  setPluginState,
  uninstallPlugin,
} from './queries.ts'
import { Runs } from './runs.tsx'
import { SettingsForm } from './settings-form.tsx'
import { asksForMore, stateOf } from './words.ts'

/** One plugin: its switch, what it may do, its settings and what it did. */
export const PluginScreen = ({ name }: { name: string }) => {
  const query = useQuery(pluginQuery(name))
  if (query.data) return <PluginView plugin={query.data} />
  if (!query.error) return <SkeletonText lines={6} />
  return (
    <Crash isScreen title="Couldn't load this plugin" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

type Action = 'on' | 'off' | 'reload'

const doIt = (name: string, action: Action, seen: PluginAsks | undefined): Promise<Plugin> => {
  const agreed = seen ? { approve: pluginAsks.parse(seen) } : {}
  if (action === 'reload') return reloadPlugin(name, agreed)
  return setPluginState(name, { enabled: action === 'on', ...agreed })
}

/** The permissions to approve first; undefined when the service refused for another reason. */
const askedBy = (error: unknown): PluginAsks | undefined => {
  if (!(error instanceof RequestError) || error.code !== 'APPROVAL_REQUIRED') return undefined
  const body = error.body as { details?: unknown } | null
  const read = pluginAsks.safeParse(body?.details)
  return read.success ? read.data : undefined
}

const refresh = (queryClient: QueryClient) =>
  Promise.all([queryClient.invalidateQueries(pluginsQuery), queryClient.invalidateQueries(pluginScreensQuery)])

const done: Readonly<Record<Action, string>> = { on: 'turned on', off: 'turned off', reload: 'reloaded' }

const PluginView = ({ plugin }: { plugin: Plugin }) => {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<{ action: Action; asks: PluginAsks }>()
  const finish = async (action: Action, seen?: PluginAsks) => {
    await doIt(plugin.name, action, seen)
    await refresh(queryClient)
    toast({ tone: 'success', title: `“${plugin.label}” ${done[action]}` })
  }
  const askFor = (action: Action, error: unknown) => {
    const asks = askedBy(error)
    if (asks) setAsking({ action, asks })
  }
  const change = useMutation({
    mutationFn: (action: Action) => finish(action),
    onError: (error, action) => askFor(action, error),
  })
  const problem = change.error && !askedBy(change.error) ? messageOf(change.error) : undefined
  const { tone, label } = stateOf(plugin)
  return (
    <>
      <title>{`${plugin.label} · Plugins · Stoa CMS`}</title>
      <PageHeader
        crumbs={[{ label: 'Plugins', to: PLUGINS_PATH }]}
        title={plugin.label}
        badge={<Status tone={tone}>{label}</Status>}
        {...(plugin.description === '' ? {} : { description: plugin.description })}
        actions={<Actions plugin={plugin} isBusy={change.isPending} onReload={() => change.mutate('reload')} />}
      />
      <div className="flex flex-col gap-6">
        <Notices plugin={plugin} problem={problem} />
        <Panel>
          <SwitchField
            label="Use this plugin"
            help="When off, its screens and routes are disabled and nothing runs. Its data is kept."
            checked={change.isPending && change.variables !== 'reload' ? change.variables === 'on' : plugin.enabled}
            disabled={change.isPending || (plugin.error !== null && !plugin.enabled)}
            onChecked={(isOn) => {
              if (isOn && asksForMore(plugin)) setAsking({ action: 'on', asks: plugin })
              else change.mutate(isOn ? 'on' : 'off')
            }}
          />
        </Panel>
        <About plugin={plugin} />
        {plugin.installed && plugin.settingKeys.length > 0 ? <SettingsForm key={plugin.name} plugin={plugin} /> : null}
        {plugin.installed ? <Runs name={plugin.name} /> : null}
      </div>
      {asking ? (
        <ApproveDialog
          label={plugin.label}
          asks={asking.asks}
          actsAlone={plugin.events.length + plugin.schedules.length > 0}
          isMore={plugin.approved !== null}
          confirmLabel={asking.action === 'reload' ? 'Agree and reload' : 'Agree and turn on'}
          onApprove={() =>
            finish(asking.action, asking.asks).catch((error: unknown) => {
              askFor(asking.action, error)
              throw error
            })
          }
          onClose={() => setAsking(undefined)}
        />
      ) : null}
    </>
  )
}

const Notices = ({ plugin, problem }: { plugin: Plugin; problem: string | undefined }) => (
  <>
    {problem === undefined ? null : <Notice tone="danger">{problem}</Notice>}
    {plugin.error === null ? null : (
      <Notice tone="danger" title="It can't run">
        <span className="wrap-anywhere">{plugin.error}</span>
      </Notice>
    )}
    {plugin.error === null && plugin.health.state === 'failed' ? (
      <Notice tone="danger" title={plugin.enabled ? 'It stopped working' : 'Turned off after too many failures'}>
        <span className="wrap-anywhere">{plugin.health.lastError ?? 'No reason given.'}</span>
      </Notice>
    ) : null}
    {plugin.changed ? (
      <Notice tone="warning" title="Its files have changed">
        The previous version is still running. Reload to use the new files.
      </Notice>
    ) : null}
  </>
)

type ActionsProps = { plugin: Plugin; isBusy: boolean; onReload: () => void }

const Actions = ({ plugin, isBusy, onReload }: ActionsProps) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  const [isAsking, setIsAsking] = useState(false)
  const [first] = plugin.enabled && plugin.error === null ? plugin.screens : []
  if (!plugin.installed) return null
  return (
    <>
      {first ? <LinkButton to={pluginScreenPath(plugin.name, first.id)}>Open {first.label}</LinkButton> : null}
      <Button icon={<RotateCw />} loading={isBusy} onClick={onReload}>
        Reload
      </Button>
      <Button icon={<Trash2 />} variant="danger-quiet" onClick={() => setIsAsking(true)}>
        Uninstall
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={`Uninstall “${plugin.label}”?`}
        consequence="Its data and settings are permanently deleted. Its folder stays, so you can install it again."
        confirmLabel="Uninstall"
        typeName={plugin.name}
        onConfirm={async () => {
          await uninstallPlugin(plugin.name)
          navigateTo(PLUGINS_PATH)
          void refresh(queryClient)
        }}
      />
    </>
  )
}

const About = ({ plugin }: { plugin: Plugin }) => {
  const { approved, health } = plugin
  return (
    <Panel title="Permissions">
      <div className="flex flex-col gap-5">
        <Asks asks={plugin} none="None: it only shows its own screens." />
        <Facts
          facts={[
            { label: 'Version', value: plugin.version },
            ...(plugin.events.length > 0 ? [{ label: 'Events', value: plugin.events.join(', ') }] : []),
            ...(plugin.schedules.length > 0
              ? [{ label: 'Schedules', value: plugin.schedules.map(scheduleWords).join(', ') }]
              : []),
            ...(plugin.pages.length > 0 ? [{ label: 'Public pages', value: <PageLinks plugin={plugin} /> }] : []),
            ...(approved
              ? [
                  {
                    label: 'Approved',
                    value: (
                      <>
                        <RelativeTime at={approved.at} />
                        {approved.by ? ` by ${approved.by.name}` : ''}
                      </>
                    ),
                  },
                ]
              : []),
            ...(plugin.enabled
              ? [
                  {
                    label: 'Restarts',
                    value: health.restarts === 0 ? 'None recently' : `${health.restarts} in 10 minutes`,
                  },
                ]
              : []),
          ]}
        />
      </div>
    </Panel>
  )
}

const scheduleWords = ({ name, every }: { name: string; every: string }): string => `${name} every ${every}`

const PageLinks = ({ plugin }: { plugin: Plugin }) => (
  <span className="flex flex-wrap gap-1.5">
    {plugin.pages.map(({ path }) => (
      <Badge key={path}>{`/ext/${plugin.name}/pages/${path}`}</Badge>
    ))}
  </span>
)
