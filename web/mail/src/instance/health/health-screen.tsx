import type { Health } from '@stoa/mail-model/health.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { HealthReport } from '@stoa/ui/health/health-report.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { sendSignedIn } from '../../api.ts'
import { meQuery } from '../../queries.ts'
import { NotYours } from '../not-yours.tsx'

const healthQuery = queryOptions({
  queryKey: ['instance', 'health'],
  queryFn: ({ signal }) => sendSignedIn<Health>('GET', '/api/instance/health', { signal }),
})

/** Whether the server does well, and what to do where it does not. */
export const HealthScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return me.role === 'owner' ? <OwnersHealth /> : <NotYours screen="Health" />
}

const OwnersHealth = () => {
  const query = useQuery(healthQuery)
  const queryClient = useQueryClient()
  const check = useMutation({
    mutationFn: () => sendSignedIn<Health>('POST', '/api/instance/health/check', { body: {} }),
    onSuccess: (health) => {
      queryClient.setQueryData(healthQuery.queryKey, health)
      toast({ tone: 'success', title: 'Check finished' })
    },
    onError: (error) => toast({ tone: 'danger', title: 'Check failed', description: messageOf(error) }),
  })
  return (
    <>
      <title>Health · Stoa Mail</title>
      <PageHeader
        title="Health"
        description="Network, certificate, database and storage of this server. We re-check every 15 minutes."
        actions={
          <Button variant="primary" icon={<RotateCw />} loading={check.isPending} onClick={() => check.mutate()}>
            Check now
          </Button>
        }
      />
      <QueryBoundary query={query} name="Health" lines={8}>
        {({ status, checked_at, checks }) => <HealthReport status={status} checkedAt={checked_at} checks={checks} />}
      </QueryBoundary>
    </>
  )
}
