import type { Me } from '@stoa/cms-model/accounts.ts'
import type { Proposal } from '@stoa/cms-model/assistant.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { Check, Inbox } from 'lucide-react'
import { useState } from 'react'
import { ApplyAllDialog } from './proposals/apply-all-dialog.tsx'
import { ProposalCard } from './proposals/proposal-card.tsx'

type TrayViewProps = {
  me: Me
  query: { data: { items: Proposal[] } | undefined; error: unknown; refetch: () => unknown }
}

/** Only what is alike and harmless is applied together: alternative texts. */
const isAltText = ({ tool, changes, applicable, stale }: Proposal): boolean =>
  tool === 'propose_media_update' && applicable && !stale && changes.every(({ path }) => /(?:^|\.)alt$/.test(path))

/** Proposals that wait for a decision, of all conversations. */
export const TrayView = ({ me, query }: TrayViewProps) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <section aria-label="Open proposals">
      <QueryBoundary query={query} name="Your proposals" lines={6}>
        {({ items }) => {
          const alike = items.filter(isAltText)
          return items.length === 0 ? (
            <EmptyState icon={<Inbox />} title="You're all caught up">
              Changes the assistant proposes wait here until you apply or dismiss them.
            </EmptyState>
          ) : (
            <div className="flex min-w-0 flex-col gap-3">
              <div className="flex min-w-0 items-center gap-2">
                <h3 className="min-w-0 flex-1 font-medium text-sm">
                  {formatCount(items.length, 'open proposal', 'open proposals')}
                </h3>
                {alike.length > 1 ? (
                  <Button size="sm" icon={<Check />} onClick={() => setAsking(true)}>
                    Apply all alt texts
                  </Button>
                ) : null}
              </div>
              {items.map(({ id }) => (
                <ProposalCard key={id} me={me} id={id} />
              ))}
              {isAsking ? <ApplyAllDialog proposals={alike} onClose={() => setAsking(false)} /> : null}
            </div>
          )
        }}
      </QueryBoundary>
    </section>
  )
}
