import type { Me } from '@stoa/cms-model/accounts.ts'
import type { Permission } from '@stoa/cms-model/permissions.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { roleLabels } from './accounts/roles.ts'
import { meQuery } from './queries.ts'

export const may = (me: Pick<Me, 'permissions'>, permission: Permission): boolean => me.permissions.includes(permission)

type AllowedProps = { permission: Permission; children: ReactNode }

/** A screen for those who may use it; the others read why they cannot. The service decides by itself in any case. */
export const Allowed = ({ permission, children }: AllowedProps) => {
  const { data: me } = useSuspenseQuery(meQuery)
  if (may(me, permission)) return children
  return (
    <>
      <title>No access · Stoa CMS</title>
      <EmptyState
        icon={<Lock />}
        title="You don't have access to this page"
        action={<LinkButton to="/">Go to dashboard</LinkButton>}
      >
        You're signed in as {roleLabels[me.role].toLowerCase()}. Ask an owner for a role with access.
      </EmptyState>
    </>
  )
}
