import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { Facts } from '@stoa/ui/facts.tsx'
import { LinkButton } from '@stoa/ui/link.tsx'
import { PageHeader } from '@stoa/ui/page-header.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { meQuery } from '../queries.ts'

export const OverviewScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <>
      <title>Overview · Stoa Mail</title>
      <PageHeader title="Overview" description={`Signed in as ${me.email}.`} />
      <div className="flex flex-col gap-6">
        <Panel>
          <EmptyState
            icon={<Inbox />}
            title="Nothing is sent or received yet"
            action={<LinkButton to="/account">Your account</LinkButton>}
          >
            The account is ready and empty. What comes in and goes out will be summed up here.
          </EmptyState>
        </Panel>
        <Panel title="This instance">
          <Facts
            facts={[
              { label: 'Address', value: location.origin },
              { label: 'Your role', value: me.role === 'owner' ? 'Owner' : 'Member' },
              {
                label: 'API',
                value: (
                  <a
                    href="/openapi.json"
                    className="text-accent-ink underline decoration-accent-line underline-offset-2"
                  >
                    OpenAPI description
                  </a>
                ),
              },
            ]}
          />
        </Panel>
      </div>
    </>
  )
}
