import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import type { ReactNode } from 'react'

type GoneProps = {
  icon: ReactNode
  /** One of them, as in "There is no such domain". */
  thing: string
  /** The list that it would be in. */
  to: string
  list: string
}

/** The screen for an id that does not exist, or not in this account. */
export const Gone = ({ icon, thing, to, list }: GoneProps) => (
  <>
    <title>{`No such ${thing} · Stoa Mail`}</title>
    <EmptyState
      isScreen
      icon={icon}
      title={`This ${thing} doesn't exist`}
      action={<LinkButton to={to}>{`All ${list}`}</LinkButton>}
    >
      It may have been deleted, or it belongs to another account.
    </EmptyState>
  </>
)
