import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { Facts } from '@stoa/ui/facts.tsx'
import { LinkButton } from '@stoa/ui/link.tsx'
import { PageHeader } from '@stoa/ui/page-header.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { useSuspenseQuery } from '@tanstack/react-query'
import { LayoutDashboard } from 'lucide-react'
import { roleLabels } from '../accounts/roles.ts'
import { meQuery } from '../queries.ts'

export const DashboardScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <>
      <title>Dashboard · Stoa CMS</title>
      <PageHeader title="Dashboard" description={`Signed in as ${me.name}.`} />
      <div className="flex flex-col gap-6">
        <Panel>
          <EmptyState
            icon={<LayoutDashboard />}
            title="Content is written through the API for now"
            action={<LinkButton to="/account">Your account</LinkButton>}
          >
            The screens for types, entries and media are being built. The API reference shows how to make and publish
            content; the screens on the left manage everything around it.
          </EmptyState>
        </Panel>
        <Panel title="This site">
          <Facts
            facts={[
              { label: 'Address', value: location.origin },
              { label: 'Your role', value: roleLabels[me.role] },
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
