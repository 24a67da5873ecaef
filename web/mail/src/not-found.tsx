import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { Compass } from 'lucide-react'

/** An address that leads nowhere. */
export const NotFound = ({ to = '/', label = 'To the overview' }: { to?: string; label?: string }) => (
  <>
    <title>Not found · Stoa Mail</title>
    <EmptyState
      isScreen
      icon={<Compass />}
      title="There is no such page"
      action={<LinkButton to={to}>{label}</LinkButton>}
    >
      The address may be misspelt, or what was here is gone.
    </EmptyState>
  </>
)
