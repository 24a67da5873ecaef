import type { Health } from '@stoa/mail-model/health.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { sendSignedIn } from '../../api.ts'
import { meQuery } from '../../queries.ts'
import { NotYours } from '../not-yours.tsx'
import { checkName, statusWords, summaryOf, worstFirst } from './words.ts'

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
        {(health) => <Report health={health} />}
      </QueryBoundary>
    </>
  )
}

const Report = ({ health }: { health: Health }) => (
  <div className="flex flex-col gap-6">
    <Notice tone={statusWords[health.status].notice} title={summaryOf(health)}>
      Last checked <RelativeTime at={health.checked_at} />.
    </Notice>
    <Panel title="Checks" flush>
      <ul className="divide-y divide-line">
        {worstFirst(health.checks).map((check) => (
          <li key={check.id} className="flex items-start gap-4 px-5 py-3 phone:flex-col phone:gap-1.5">
            <div className="flex w-44 shrink-0 items-center justify-between gap-3 phone:w-full">
              <span className="font-medium text-ink text-sm">{checkName(check.id)}</span>
              <Badge tone={statusWords[check.status].badge}>{statusWords[check.status].label}</Badge>
            </div>
            <div className="min-w-0 flex-1 text-sm">
              <p className="break-words text-ink">{check.message}</p>
              {check.action === null ? null : <p className="mt-0.5 break-words text-muted">{check.action}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
    <Panel
      title="On the server"
      description="The same checks, for monitoring: exit code 0, 1 for warnings, 2 for errors."
    >
      <CodeBlock label="Command" code="npm run doctor -- --json" wrap />
    </Panel>
  </div>
)
