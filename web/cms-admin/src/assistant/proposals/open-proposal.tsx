import type { Me } from '@stoa/cms-model/accounts.ts'
import type { Proposal } from '@stoa/cms-model/assistant.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { may } from '../../allowed.tsx'
import { entryItemQuery } from '../../entries/queries.ts'
import { type OpenEditor, useOpenEditor } from '../../entries/session/open-editors.ts'
import { dismissProposal, openProposalsQuery, readProposal } from '../queries.ts'
import { proposalKey } from '../use-chat.ts'
import { buildRequests } from './body.ts'
import { ExtraInputs, useExtras } from './extra-inputs.tsx'
import { ProposalChanges } from './proposal-changes.tsx'
import { useApply } from './use-apply.ts'

type Keep = (change: Partial<KeptChoice>) => void

type OpenProposalProps = { me: Me; proposal: Proposal }

/** A proposal that waits for a decision. */
export const OpenProposal = ({ me, proposal }: OpenProposalProps) => {
  const [kept, keep] = useKeptChoice(proposal.id)
  const rebase = useRebase(proposal, kept, keep)
  const choosing = choosingOf(proposal, rebase.isRebased, kept, keep)
  const applying = useApply(proposal)
  const extras = useExtras(proposal)
  // The open editor holds changes of the same entry: they come first
  const { editor, isUnsaved } = useOpenEditor(proposal.target.kind === 'entry' ? proposal.target.id : null)
  const isGreyed = !proposal.applicable || rebase.isNeeded
  const isBlocked = isGreyed || isUnsaved || !extras.isComplete
  const chosen = { left: choosing.left, edits: choosing.edits, isRebased: rebase.isRebased }
  const isNothing = buildRequests(proposal, chosen).length === 0
  const send = async (mode: 'draft' | 'live' | undefined) => {
    const isDone = await applying.apply({
      ...chosen,
      extras: { ...extras.values, ...(mode === undefined ? {} : { mode }) },
    })
    if (isDone) toast({ tone: 'success', title: `Applied: ${proposal.title}` })
  }
  return (
    <>
      <div className={cx('flex min-w-0 flex-col gap-2.5 px-3 pt-2.5', isGreyed && 'grayscale')}>
        {proposal.warning === null ? null : <Notice tone="warning">{proposal.warning}</Notice>}
        <ProposalChanges
          proposal={proposal}
          choosing={isGreyed ? undefined : { ...choosing, conflicts: rebase.isRebased ? proposal.conflicts : [] }}
        />
        {isGreyed ? null : <ExtraInputs proposal={proposal} extras={extras} />}
      </div>
      <div className="flex min-w-0 flex-col gap-2 px-3 pt-2.5 pb-3">
        {proposal.applicable ? null : <Notice tone="warning">{proposal.whyNot ?? "You can't apply this."}</Notice>}
        {proposal.applicable && rebase.isNeeded ? <StaleNotice proposal={proposal} rebase={rebase} /> : null}
        {proposal.applicable && !rebase.isNeeded && editor && isUnsaved ? <UnsavedNotice editor={editor} /> : null}
        {applying.problem === undefined ? null : <Notice tone="danger">{applying.problem}</Notice>}
        <Buttons
          me={me}
          proposal={proposal}
          isBlocked={isBlocked || isNothing}
          isApplying={applying.isApplying}
          isPartial={choosing.left.size > 0 || proposal.requests.some(({ done }) => done)}
          onApply={(mode) => void send(mode)}
        />
      </div>
    </>
  )
}

type ButtonsProps = OpenProposalProps & {
  isBlocked: boolean
  isApplying: boolean
  /** Less than all of it is sent. */
  isPartial: boolean
  onApply: (mode: 'draft' | 'live' | undefined) => void
}

const Buttons = ({ me, proposal, isBlocked, isApplying, isPartial, onApply }: ButtonsProps) => {
  const queryClient = useQueryClient()
  const dismiss = useMutation({
    mutationFn: () => dismissProposal(proposal.id),
    onSuccess: () => {
      queryClient.setQueryData(proposalKey(proposal.id), { ...proposal, status: 'dismissed' })
      void queryClient.invalidateQueries({ queryKey: openProposalsQuery.queryKey })
    },
    onError: (error) =>
      toast({ tone: 'danger', title: "Couldn't dismiss the proposal", description: messageOf(error) }),
  })
  const hasModes = useHasModes(proposal)
  const isMain = proposal.verb === 'Apply'
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        size="sm"
        variant={proposal.risk === 'irreversible' ? 'danger' : 'primary'}
        loading={isApplying}
        disabled={isBlocked}
        onClick={() => onApply(hasModes ? 'draft' : undefined)}
      >
        {isMain ? (isPartial ? 'Apply selected' : hasModes ? 'Apply as draft' : 'Apply') : proposal.verb}
      </Button>
      {hasModes && may(me, 'content.publish') ? (
        <Button size="sm" loading={isApplying} disabled={isBlocked} onClick={() => onApply('live')}>
          Apply live
        </Button>
      ) : null}
      <Button
        size="sm"
        variant="ghost"
        loading={dismiss.isPending}
        disabled={isApplying}
        onClick={() => dismiss.mutate()}
      >
        Dismiss
      </Button>
    </div>
  )
}

/** What is live can be changed at once, or kept as unpublished changes. */
const MODES: ReadonlySet<string> = new Set(['propose_entry_update', 'propose_revision_restore'])

const useHasModes = ({ tool, target }: Proposal): boolean => {
  const isContent = MODES.has(tool) && target.id !== null
  const { data: entry } = useQuery({ ...entryItemQuery(target.id ?? ''), enabled: isContent })
  return isContent && entry?.status === 'published'
}

type Rebase = {
  /** Its target was changed since, and nobody has looked at that yet. */
  isNeeded: boolean
  isRebased: boolean
  isPending: boolean
  problem: string | undefined
  run: () => void
}

const versionsOf = ({ requests }: Proposal): string => requests.map(({ current }) => current).join(' ')

/** Compares with what is there now. It holds for these versions only. */
const useRebase = (proposal: Proposal, { rebasedFor }: KeptChoice, keep: Keep): Rebase => {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => readProposal(proposal.id),
    onSuccess: (fresh) => {
      queryClient.setQueryData(proposalKey(proposal.id), fresh)
      keep({ rebasedFor: versionsOf(fresh) })
    },
  })
  const isRebased = proposal.stale && rebasedFor === versionsOf(proposal)
  return {
    isNeeded: proposal.stale && !isRebased,
    isRebased,
    isPending,
    problem: error ? messageOf(error) : undefined,
    run: () => mutate(),
  }
}

const kinds: Readonly<Record<string, string>> = {
  entry: 'This entry',
  type: 'This content type',
  media: 'A file',
  settings: 'The settings',
  menu: 'This menu',
  plugin: 'This plugin',
  webhook: 'This webhook',
  user: 'This person',
}

/** The base of the proposal has changed: only the assistant can say whether it still fits. */
const isMadeAnew = ({ requests }: Proposal): boolean => requests.every(({ version }) => version === null)

const StaleNotice = ({ proposal, rebase }: { proposal: Proposal; rebase: Rebase }) => {
  const title = `${kinds[proposal.base.kind] ?? 'This'} has changed since`
  if (isMadeAnew(proposal))
    return (
      <Notice tone="warning" title={title}>
        Ask the assistant to propose it again.
      </Notice>
    )
  return (
    <Notice tone="warning" title={title}>
      <p>{rebase.problem ?? 'Compare the proposal with the current version before you apply it.'}</p>
      <div className="mt-2">
        <Button size="sm" icon={<RotateCcw />} loading={rebase.isPending} onClick={rebase.run}>
          Compare
        </Button>
      </div>
    </Notice>
  )
}

const UnsavedNotice = ({ editor }: { editor: OpenEditor }) => (
  <Notice tone="warning" title="You have unsaved changes to this entry">
    <p>Save or discard them before you apply this.</p>
    <div className="mt-2 flex gap-2">
      <Button size="sm" onClick={editor.save}>
        Save
      </Button>
      <Button size="sm" variant="ghost" onClick={editor.discard}>
        Discard
      </Button>
    </div>
  </Notice>
)

/** What the person leaves out and writes anew. What others changed since is left out until they say otherwise. */
const choosingOf = (proposal: Proposal, isRebased: boolean, { decided, edits }: KeptChoice, keep: Keep) => {
  const paths = proposal.changes.map(({ path }) => path)
  return {
    left: new Set(paths.filter((path) => decided[path] ?? (isRebased && proposal.conflicts.includes(path)))),
    edits,
    onLeave: (path: string, isLeft: boolean) => keep({ decided: { ...decided, [path]: isLeft } }),
    onEdit: (path: string, value: string | undefined) => {
      const { [path]: _, ...others } = edits
      keep({ edits: value === undefined ? others : { ...others, [path]: value } })
    },
  }
}

/** The person's decisions about a proposal that is not applied yet. */
type KeptChoice = {
  /** Whether a change is left out, by path; what is not here is as proposed. */
  readonly decided: Readonly<Record<string, boolean>>
  readonly edits: Readonly<Record<string, unknown>>
  /** The versions that the proposal was compared with since. */
  readonly rebasedFor: string | undefined
}

const NOTHING: KeptChoice = { decided: {}, edits: {}, rebasedFor: undefined }
const kept = new Map<string, KeptChoice>()

/** Survives the panel being closed, or becoming a sheet. */
const useKeptChoice = (id: string): [KeptChoice, (change: Partial<KeptChoice>) => void] => {
  const [choice, setChoice] = useState(() => kept.get(id) ?? NOTHING)
  const change = (changes: Partial<KeptChoice>) => {
    const next = { ...(kept.get(id) ?? NOTHING), ...changes }
    kept.set(id, next)
    setChoice(next)
  }
  return [choice, change]
}
