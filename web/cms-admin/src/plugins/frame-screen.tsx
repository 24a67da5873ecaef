import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { useQuery } from '@tanstack/react-query'
import { Puzzle } from 'lucide-react'
import { PluginFrame } from './frame/plugin-frame.tsx'
import { pluginScreensQuery } from './queries.ts'

/** A screen that a plugin brings. */
export const FrameScreen = ({ plugin: name, screen: id }: { plugin: string; screen: string }) => {
  const query = useQuery(pluginScreensQuery)
  return (
    <QueryBoundary query={query} name="The screen">
      {({ items }) => {
        const plugin = items.find((one) => one.plugin === name)
        const screen = plugin?.screens.find((one) => one.id === id)
        if (!plugin || !screen) return <Gone />
        return (
          <>
            <title>{`${screen.label} · Stoa CMS`}</title>
            <PluginFrame
              plugin={name}
              label={plugin.label}
              title={screen.label}
              src={screen.src}
              entry={null}
              className="min-h-[60dvh]"
            />
          </>
        )
      }}
    </QueryBoundary>
  )
}

const Gone = () => (
  <>
    <title>Not found · Stoa CMS</title>
    <EmptyState icon={<Puzzle />} title="Screen not found" action={<LinkButton to="/">Go to dashboard</LinkButton>}>
      Its plugin is off, or your role can't access it.
    </EmptyState>
  </>
)
