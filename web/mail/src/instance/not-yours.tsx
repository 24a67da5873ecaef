import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { Server } from 'lucide-react'

/** In place of a screen that is for the owner of the instance. */
export const NotYours = ({ screen }: { screen: string }) => (
  <>
    <title>{`${screen} · Stoa Mail`}</title>
    <EmptyState
      isScreen
      icon={<Server />}
      title="Only whoever owns this instance decides here"
      action={<LinkButton to="/">To the overview</LinkButton>}
    >
      Ask them when you need something of this screen.
    </EmptyState>
  </>
)
