import type { Overview } from '@stoa/mail-model/overview.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { AppLink, LinkButton } from '@stoa/ui/navigation/link.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { Globe } from 'lucide-react'
import { DomainBadge } from '../domains/status-badge.tsx'

/** The newest domains with their states. */
export const DomainsPanel = ({ overview: { domains } }: { overview: Overview }) => (
  <Panel
    title="Domains"
    flush
    actions={
      <LinkButton to="/domains" size="sm">
        All domains
      </LinkButton>
    }
  >
    {domains.length === 0 ? (
      <EmptyState
        icon={<Globe />}
        title="No domains yet"
        action={<LinkButton to="/domains?new=1">Add a domain</LinkButton>}
      >
        Add a domain to send and receive mail.
      </EmptyState>
    ) : (
      <ul className="divide-y divide-line">
        {domains.map((domain) => (
          <li key={domain.id}>
            <AppLink
              to={`/domains/${domain.id}`}
              className="flex min-h-11 items-center gap-3 px-5 py-2 text-sm outline-offset-[-2px] hover:bg-hover"
            >
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="truncate font-medium text-ink">{domain.unicode_name}</span>
                <span className="text-faint text-xs">
                  {formatCount(domain.addresses_count, 'address', 'addresses')}
                </span>
              </span>
              <DomainBadge status={domain.status} />
            </AppLink>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)
