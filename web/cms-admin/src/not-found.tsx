import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { Compass } from 'lucide-react'

/** An address that leads nowhere. */
export const NotFound = () => (
  <>
    <title>Not found · Stoa CMS</title>
    <EmptyState
      icon={<Compass />}
      title="There is no such page"
      action={<LinkButton to="/">To the dashboard</LinkButton>}
    >
      The address may be misspelt, or what was here is gone.
    </EmptyState>
  </>
)
