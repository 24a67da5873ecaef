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
      title="Only the owner of this instance can open this page"
      action={<LinkButton to="/">Go to overview</LinkButton>}
    >
      Ask the owner if you need something changed.
    </EmptyState>
  </>
)
