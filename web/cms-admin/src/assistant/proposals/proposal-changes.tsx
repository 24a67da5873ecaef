import type { Proposal } from '@stoa/cms-model/assistant.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { useQuery } from '@tanstack/react-query'
import { Check, Pencil, Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import { DiffView } from '../../diff/diff-view.tsx'
import { entryItemQuery } from '../../entries/queries.ts'
import { typesQuery } from '../../types/queries.ts'
import { isEditable, isOptional } from './body.ts'
import { shownChanges } from './shown-changes.ts'

type Choosing = {
  left: ReadonlySet<string>
  edits: Readonly<Record<string, unknown>>
  onLeave: (path: string, isLeft: boolean) => void
  /** Undefined takes the proposed value again. */
  onEdit: (path: string, value: string | undefined) => void
  /** Changed by someone since: the person says which value stays. */
  conflicts: readonly string[]
}

type ProposalChangesProps = {
  proposal: Proposal
  /** Lets the person choose; without it they only look. */
  choosing?: Choosing | undefined
}

/** Everything that a proposal changes, each field whole. */
export const ProposalChanges = ({ proposal, choosing }: ProposalChangesProps) => {
  const fields = useFields(proposal)
  const changes = shownChanges(proposal, choosing?.edits ?? {})
  const fixed = new Set(proposal.changes.flatMap(({ path }) => (isOptional(proposal, path) ? [] : [path])))
  return (
    <DiffView
      changes={changes}
      fields={fields}
      ticks={
        choosing && fixed.size < changes.length
          ? {
              chosen: new Set(changes.flatMap(({ path }) => (choosing.left.has(path) ? [] : [path]))),
              onChoose: (path, isChosen) => choosing.onLeave(path, !isChosen),
              verb: 'Apply',
              fixed,
            }
          : undefined
      }
      below={(path) => <Below proposal={proposal} path={path} choosing={choosing} />}
    />
  )
}

/** The fields of the type of the entry that it is about. */
const useFields = ({ target, requests }: Proposal) => {
  const isEntry = target.kind === 'entry' && target.id !== null
  const { data: types } = useQuery(typesQuery)
  const { data: entry } = useQuery({ ...entryItemQuery(target.id ?? ''), enabled: isEntry })
  const named = requests[0]?.body?.type
  const name = entry?.type ?? (typeof named === 'string' ? named : undefined)
  return types?.items.find((type) => type.name === name)?.fields
}

type BelowProps = { proposal: Proposal; path: string; choosing: Choosing | undefined }

const Below = ({ proposal, path, choosing }: BelowProps) => {
  const change = proposal.changes.find((one) => one.path === path)
  const part = proposal.requests.length > 1 ? proposal.requests[Number(path.split('.')[0])] : undefined
  if (part?.done)
    return (
      <p className="pt-2">
        <Badge tone="live" icon={<Check aria-hidden />}>
          Done
        </Badge>
      </p>
    )
  if (!choosing || !change) return null
  return (
    <>
      {choosing.conflicts.includes(path) ? (
        <ConflictChoice label={change.label} path={path} choosing={choosing} />
      ) : null}
      {isEditable(proposal, change) ? (
        <EditValue label={change.label} path={path} proposed={String(change.after)} choosing={choosing} />
      ) : null}
    </>
  )
}

type OneProps = { label: string; path: string; choosing: Choosing }

const ConflictChoice = ({ label, path, choosing }: OneProps) => {
  const name = useId()
  return (
    <div className="mt-2 rounded-md border border-draft-line bg-draft-soft px-3 py-2">
      <ChoiceGroup label={`${label} has changed since this was proposed`}>
        <RadioChoice
          name={name}
          value="keep"
          chosen={choosing.left.has(path) ? 'keep' : 'use'}
          onChoose={() => choosing.onLeave(path, true)}
          label="Keep the current value"
        />
        <RadioChoice
          name={name}
          value="use"
          chosen={choosing.left.has(path) ? 'keep' : 'use'}
          onChoose={() => choosing.onLeave(path, false)}
          label="Use the proposed value"
        />
      </ChoiceGroup>
    </div>
  )
}

const EditValue = ({ label, path, proposed, choosing }: OneProps & { proposed: string }) => {
  const [isOpen, setOpen] = useState(false)
  const edited = choosing.edits[path]
  const isEdited = typeof edited === 'string'
  if (!isOpen)
    return (
      <div className="-mb-1 flex items-center gap-2 pt-1.5">
        <Button size="sm" variant="ghost" icon={<Pencil />} aria-label={`Edit ${label}`} onClick={() => setOpen(true)}>
          Edit
        </Button>
        {isEdited ? <Badge>Edited by you</Badge> : null}
      </div>
    )
  return (
    <div className="flex flex-col gap-1.5 pt-2">
      <Textarea
        aria-label={`New ${label}`}
        autoFocus
        value={isEdited ? edited : proposed}
        onChange={(event) => choosing.onEdit(path, event.target.value)}
      />
      <div className="flex gap-1.5">
        <Button size="sm" icon={<Check />} onClick={() => setOpen(false)}>
          Done
        </Button>
        <Button
          size="sm"
          variant="ghost"
          icon={<Undo2 />}
          onClick={() => {
            choosing.onEdit(path, undefined)
            setOpen(false)
          }}
        >
          Use proposed
        </Button>
      </div>
    </div>
  )
}
