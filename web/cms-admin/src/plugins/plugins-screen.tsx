import type { Plugin } from '@stoa/cms-model/plugins.ts'
import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Puzzle } from 'lucide-react'
import { pluginPath } from './paths.ts'
import { pluginsQuery } from './queries.ts'
import { stateOf } from './words.ts'

/** The plugins in the plugin folder, and their states. */
export const PluginsScreen = () => {
  const query = useQuery(pluginsQuery)
  return (
    <>
      <title>Plugins · Stoa CMS</title>
      <PageHeader
        title="Plugins"
        description="Extend your site. Each plugin runs in a sandbox and can only do what you allow."
      />
      <QueryBoundary query={query} name="The plugins">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<Puzzle />} title="No plugins found">
              Set <code className="font-mono text-xs">PLUGIN_DIR</code> to a folder that contains your plugins, one
              folder each. They show up here, turned off.
            </EmptyState>
          ) : (
            <ul className="grid min-w-0 gap-3 sm:grid-cols-2 lg:grid-cols-3">
              {items.map((plugin) => (
                <PluginCard key={plugin.name} plugin={plugin} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </>
  )
}

const PluginCard = ({ plugin }: { plugin: Plugin }) => {
  const { tone, label } = stateOf(plugin)
  return (
    <li className="min-w-0">
      <AppLink
        to={pluginPath(plugin.name)}
        className="flex h-full min-w-0 items-start gap-3 rounded-xl border border-line bg-surface p-4 shadow-sm transition-colors hover:border-line-strong hover:bg-hover"
      >
        <span className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-accent-soft text-accent-ink">
          <Puzzle aria-hidden className="size-4.5" />
        </span>
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="flex min-w-0 items-baseline gap-2">
            <span className="truncate font-medium text-ink text-sm">{plugin.label}</span>
            <span className="shrink-0 text-faint text-xs">{plugin.version}</span>
          </span>
          {plugin.description === '' ? null : (
            <span className="line-clamp-2 text-muted text-sm">{plugin.description}</span>
          )}
          {plugin.error === null ? null : (
            <span className="wrap-anywhere line-clamp-2 text-danger-ink text-xs">{plugin.error}</span>
          )}
          <span className="mt-1 flex flex-wrap items-center gap-2">
            <Status tone={tone}>{label}</Status>
            {plugin.changed ? <Badge tone="draft">Files changed</Badge> : null}
          </span>
        </span>
        <ChevronRight aria-hidden className="mt-1 size-4 shrink-0 text-faint" />
      </AppLink>
    </li>
  )
}
