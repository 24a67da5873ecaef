import type { Entry, RevisionItem } from '@stoa/cms-model/entries.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { OptionPicker } from '@stoa/ui/form/option-picker.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { formatAbsolute, formatCount } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { Equal, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { DiffView } from '../../diff/diff-view.tsx'
import { diffQuery } from '../queries.ts'
import { sidesOf } from './history-words.ts'
import { RestoreDialog } from './restore-dialog.tsx'

type RevisionCompareProps = {
  entry: Entry
  revision: RevisionItem
  /** The revision to compare with; the current working copy, if absent. */
  other: RevisionItem | undefined
  /** The revisions that this one can be compared with. */
  choices: readonly RevisionItem[]
  /** Empty for what is edited now. */
  onOther: (id: string) => void
  fields: readonly Field[]
  /** Why nothing can be restored; undefined when it can. */
  frozen: string | undefined
  mayPublish: boolean
  onRestored: (entry: Entry) => void
}

/** One revision beside another, or beside what is edited now, with the way back. */
export const RevisionCompare = (props: RevisionCompareProps) => {
  const { entry, revision, other, fields, frozen, mayPublish, onRestored } = props
  const { revision: older, against } = sidesOf(revision, other)
  const query = useQuery(diffQuery(entry.id, older, against))
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [restoring, setRestoring] = useState<readonly string[]>()
  const changes = query.data?.changes ?? []
  const chosen = changes.map(({ path }) => path).filter((path) => ticked.has(path))
  const tick = (path: string, isTicked: boolean) =>
    setTicked((before) => new Set(isTicked ? [...before, path] : [...before].filter((one) => one !== path)))
  return (
    <section aria-label={`Version ${revision.version}`} className="flex min-w-0 flex-col gap-3">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-2">
        <CompareWith {...props} />
        {frozen === undefined ? (
          <Button icon={<RotateCcw />} onClick={() => setRestoring([])}>
            Restore whole version
          </Button>
        ) : (
          <p className="text-faint text-xs">{frozen}</p>
        )}
      </div>
      <Direction revision={revision} other={other} />
      {query.isError ? (
        <ListError message={messageOf(query.error)} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <SkeletonText lines={6} label="Comparing" />
      ) : changes.length === 0 ? (
        <EmptyState icon={<Equal />} title="No differences">
          Title, slug and all fields are the same.
        </EmptyState>
      ) : (
        <DiffView
          changes={changes}
          fields={fields}
          ticks={frozen === undefined ? { chosen: ticked, onChoose: tick, verb: 'Restore' } : undefined}
        />
      )}
      {frozen === undefined && chosen.length > 0 ? (
        <TickedBar count={chosen.length} onClear={() => setTicked(new Set())} onRestore={() => setRestoring(chosen)} />
      ) : null}
      {restoring ? (
        <RestoreDialog
          entry={entry}
          revision={revision}
          keys={restoring}
          mayPublish={mayPublish}
          onClose={() => setRestoring(undefined)}
          onRestored={(restored) => {
            setTicked(new Set())
            onRestored(restored)
          }}
        />
      ) : null}
    </section>
  )
}

type TickedBarProps = { count: number; onClear: () => void; onRestore: () => void }

/** Stays in sight: ticks are far apart in a long comparison. */
const TickedBar = ({ count, onClear, onRestore }: TickedBarProps) => (
  <div className="layer-sticky sticky bottom-4 flex flex-wrap items-center justify-end gap-2 rounded-lg border border-line bg-raised px-3 py-2 shadow-md">
    <span role="status" className="mr-auto font-medium text-sm tabular-nums">
      {formatCount(count, 'field', 'fields')} selected
    </span>
    <Button onClick={onClear}>Clear</Button>
    <Button variant="primary" onClick={onRestore}>
      Restore selected
    </Button>
  </div>
)

const CompareWith = ({ revision, other, choices, onOther }: RevisionCompareProps) => {
  const offered = other && !choices.some(({ id }) => id === other.id) ? [other, ...choices] : choices
  return (
    <div className="flex min-w-0 items-center gap-2 text-muted text-sm">
      <span aria-hidden className="shrink-0">
        Compare with
      </span>
      <OptionPicker
        aria-label="Compare with"
        className="max-w-72"
        value={other?.id ?? ''}
        onValue={onOther}
        options={[
          { value: '', label: 'Current draft' },
          ...offered
            .filter(({ id }) => id !== revision.id)
            .map(({ id, version, createdAt, author }) => ({
              value: id,
              label: `Version ${version} · ${author?.name ?? 'System'} · ${formatAbsolute(new Date(createdAt))}`,
            })),
        ]}
      />
    </div>
  )
}

/** Which side is struck through, and which is underlined. */
const Direction = ({ revision, other }: { revision: RevisionItem; other: RevisionItem | undefined }) => {
  const [from, to] =
    other === undefined
      ? [`version ${revision.version}`, 'the current draft']
      : [revision.version, other.version].sort((a, b) => a - b).map((version) => `version ${version}`)
  return (
    <p className="text-muted text-xs">
      From <del className="decoration-failed-mark">{from}</del> to{' '}
      <ins className="decoration-live-mark underline-offset-2">{to}</ins>
    </p>
  )
}
