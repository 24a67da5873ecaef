import type { Referrals } from '@stoa/mail-model/accounts.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { useQuery } from '@tanstack/react-query'
import { formatAmount } from '../billing/money.ts'
import { useSellsPlans } from '../billing/queries.ts'
import { referralsQuery } from './queries.ts'

/** The link to invite others with, and its results. */
export const ReferralsPanel = () => {
  const query = useQuery(referralsQuery)
  return (
    <Panel title="Invite others" description="Share your link. People who sign up with it appear here.">
      <QueryBoundary query={query} name="Your invitations" lines={3}>
        {(referrals) => <Invited referrals={referrals} />}
      </QueryBoundary>
    </Panel>
  )
}

const words = { signed_up: 'Signed up', converted: 'Customer', credited: 'Credited' } as const

const Invited = ({ referrals }: { referrals: Referrals }) => {
  const sellsPlans = useSellsPlans()
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock label="invite link" code={referrals.url} wrap />
      <Facts
        facts={[
          { label: 'Signed up', value: referrals.signed_up },
          ...(sellsPlans
            ? [
                { label: 'Became customers', value: referrals.converted },
                { label: 'Your credit', value: formatAmount(referrals.credit_cents, referrals.currency) },
              ]
            : []),
        ]}
      />
      {referrals.data.length === 0 ? null : (
        <ul aria-label="People you invited" className="divide-y divide-line border-line border-t text-sm">
          {referrals.data.map((one) => (
            <li key={one.id} className="flex flex-wrap items-center justify-between gap-2 py-2">
              <span className="min-w-0 truncate">{one.email}</span>
              <span className="flex items-center gap-2 text-faint">
                <Badge tone={one.status === 'signed_up' ? 'neutral' : 'live'}>{words[one.status]}</Badge>
                <RelativeTime at={one.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
