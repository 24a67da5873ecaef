import type { Health } from '@stoa/cms-model/health.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { HealthReport } from '@stoa/ui/health/health-report.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Lock, RotateCw } from 'lucide-react'
import { sendSignedIn } from '../api.ts'
import { meQuery } from '../queries.ts'

const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => sendSignedIn<Health>('GET', '/api/health', { signal }),
})

/** Whether the server does well, and what to do where it does not. */
export const HealthScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <>
      <title>Health · Stoa CMS</title>
      {me.role === 'owner' ? <OwnersHealth /> : <NotYours />}
    </>
  )
}

const OwnersHealth = () => {
  const query = useQuery(healthQuery)
  const queryClient = useQueryClient()
  const check = useMutation({
    mutationFn: () => sendSignedIn<Health>('POST', '/api/health/check'),
    onSuccess: (health) => {
      queryClient.setQueryData(healthQuery.queryKey, health)
      toast({ tone: 'success', title: 'Check finished' })
    },
    onError: (error) => toast({ tone: 'danger', title: 'Check failed', description: messageOf(error) }),
  })
  return (
    <>
      <PageHeader
        title="Health"
        description="Network, certificate, background work, database and storage of this server. We re-check every 15 minutes."
        actions={
          <Button variant="primary" icon={<RotateCw />} loading={check.isPending} onClick={() => check.mutate()}>
            Check now
          </Button>
        }
      />
      <QueryBoundary query={query} name="Health" lines={8}>
        {(health) => <HealthReport {...health} />}
      </QueryBoundary>
    </>
  )
}

const NotYours = () => (
  <EmptyState
    icon={<Lock />}
    title="Only an owner can open this page"
    action={<LinkButton to="/">Go to dashboard</LinkButton>}
  >
    Ask an owner if something on the server needs attention.
  </EmptyState>
)
