import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { Compass } from 'lucide-react'

/** An address that leads nowhere. */
export const NotFound = ({ to = '/', label = 'Go to overview' }: { to?: string; label?: string }) => (
  <>
    <title>Not found · Stoa Mail</title>
    <EmptyState isScreen icon={<Compass />} title="Page not found" action={<LinkButton to={to}>{label}</LinkButton>}>
      Check the address, or go back to the overview.
    </EmptyState>
  </>
)
