import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { Compass } from 'lucide-react'

/** An address that leads nowhere. */
export const NotFound = () => (
  <>
    <title>Not found · Stoa CMS</title>
    <EmptyState icon={<Compass />} title="Page not found" action={<LinkButton to="/">Go to dashboard</LinkButton>}>
      The URL may be wrong, or the page was deleted.
    </EmptyState>
  </>
)
