import type { Me } from '@stoa/cms-model/accounts.ts'
import type { Proposal, ProposalRisk, ProposalStatus } from '@stoa/cms-model/assistant.ts'
import { Badge, type Tone } from '@stoa/ui/display/badge.tsx'
import { Disclosure } from '@stoa/ui/display/disclosure.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Pencil, Radio } from 'lucide-react'
import { useId } from 'react'
import { readProposal } from '../queries.ts'
import { destinationOf } from '../screens.ts'
import { proposalKey } from '../use-chat.ts'
import { OpenProposal } from './open-proposal.tsx'
import { ProposalChanges } from './proposal-changes.tsx'

type ProposalCardProps = { me: Me; id: string }

/** A change that the assistant proposes, for a person to look at and to make. */
export const ProposalCard = ({ me, id }: ProposalCardProps) => {
  const { data: proposal, isError } = useQuery({
    queryKey: proposalKey(id),
    queryFn: ({ signal }) => readProposal(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isError) return <p className="text-faint text-xs">This proposal no longer exists.</p>
  if (!proposal) return <SkeletonText lines={3} label="Loading proposal" />
  return <Card me={me} proposal={proposal} />
}

const risks: Record<ProposalRisk, { edge: string; icon: typeof Pencil; colour: string; word: string | undefined }> = {
  edit: { edge: 'border-l-accent', icon: Pencil, colour: 'text-accent-ink', word: undefined },
  live: { edge: 'border-l-draft-mark', icon: Radio, colour: 'text-draft-ink', word: 'Goes live' },
  irreversible: { edge: 'border-l-failed-mark', icon: CircleAlert, colour: 'text-failed-ink', word: "Can't be undone" },
}

const statuses: Record<ProposalStatus, { tone: Tone; word: string }> = {
  proposed: { tone: 'accent', word: 'Proposed' },
  applied: { tone: 'live', word: 'Applied' },
  dismissed: { tone: 'neutral', word: 'Dismissed' },
  superseded: { tone: 'neutral', word: 'Replaced by a newer proposal' },
  failed: { tone: 'failed', word: 'Failed' },
}

const Card = ({ me, proposal }: { me: Me; proposal: Proposal }) => {
  const id = useId()
  const { edge, icon: Icon, colour, word } = risks[proposal.risk]
  const { status } = proposal
  const isOpen = status === 'proposed'
  return (
    <article
      aria-labelledby={id}
      className={cx(
        'min-w-0 overflow-clip rounded-lg border border-line border-l-4 bg-surface shadow-sm',
        isOpen ? edge : 'border-l-line-strong',
      )}
    >
      <header className="flex min-w-0 flex-col gap-1 px-3 pt-2.5">
        <div className="flex min-w-0 items-start gap-2">
          <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', isOpen ? colour : 'text-faint')} />
          <h4 id={id} className="wrap-anywhere min-w-0 flex-1 font-medium text-ink text-sm">
            {proposal.title}
          </h4>
        </div>
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          {isOpen ? null : <Badge tone={statuses[status].tone}>{statuses[status].word}</Badge>}
          {isOpen && word !== undefined ? (
            <Badge tone={proposal.risk === 'live' ? 'draft' : 'failed'}>{word}</Badge>
          ) : null}
          {proposal.edited ? <Badge>Edited by you</Badge> : null}
          <Target proposal={proposal} />
        </div>
        <p className="wrap-anywhere text-muted text-xs">{proposal.reason}</p>
      </header>
      {isOpen ? <OpenProposal me={me} proposal={proposal} /> : <Closed proposal={proposal} />}
    </article>
  )
}

const Target = ({ proposal: { target } }: { proposal: Proposal }) => {
  const destination = destinationOf(target.screen, target.id)
  return (
    <span className="wrap-anywhere min-w-0 text-xs">
      {destination ? (
        <TextLink to={destination.to}>{target.label}</TextLink>
      ) : (
        <span className="text-muted">{target.label}</span>
      )}
    </span>
  )
}

/** Decided already: what it was about can still be looked at. */
const Closed = ({ proposal }: { proposal: Proposal }) => (
  <div className="flex min-w-0 flex-col gap-2 px-3 pt-2 pb-3">
    {proposal.error ? <Notice tone="danger">{proposal.error.message}</Notice> : null}
    {proposal.changes.length > 0 ? (
      <Disclosure summary={<span className="text-muted text-xs">Show changes</span>}>
        <div className="pt-2">
          <ProposalChanges proposal={proposal} />
        </div>
      </Disclosure>
    ) : null}
  </div>
)
