import type { Entry, RevisionItem } from '@stoa/cms-model/entries.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Pager } from '@stoa/ui/table/table-parts.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { pagerOf } from '../../list-pages.ts'
import { changedWords, reasonOf } from './history-words.ts'

type RevisionListProps = {
  entry: Entry
  revisions: List<RevisionItem>
  fields: readonly Field[]
  chosen: string | undefined
  onChoose: (id: string) => void
  onPage: (page: number) => void
}

/** The history, the newest first; one of it is looked at. */
export const RevisionList = ({ entry, revisions, fields, chosen, onChoose, onPage }: RevisionListProps) => {
  const { items, meta } = revisions
  return (
    <div className="flex min-w-0 flex-col gap-2 @prose:sticky @prose:top-18 @prose:max-h-[calc(100dvh-6rem)] @prose:self-start @prose:overflow-y-auto">
      <ol aria-label="Versions" className="flex min-w-0 flex-col gap-1">
        {items.map((revision) => (
          <li key={revision.id}>
            <RevisionRow
              entry={entry}
              revision={revision}
              fields={fields}
              isChosen={revision.id === chosen}
              onChoose={() => onChoose(revision.id)}
            />
          </li>
        ))}
      </ol>
      {meta.pages > 1 ? <Pager {...pagerOf(revisions, onPage)} /> : null}
    </div>
  )
}

type RevisionRowProps = Pick<RevisionListProps, 'entry' | 'fields'> & {
  revision: RevisionItem
  isChosen: boolean
  onChoose: () => void
}

const RevisionRow = ({ entry, revision, fields, isChosen, onChoose }: RevisionRowProps) => {
  const { author, version, createdAt, changed } = revision
  const name = author?.name ?? 'System'
  const reason = reasonOf(revision)
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cx(
        'flex w-full min-w-0 gap-2.5 rounded-md border px-2.5 py-2 text-left transition-colors',
        isChosen ? 'border-accent-line bg-accent-soft' : 'border-transparent hover:bg-hover',
      )}
    >
      <Avatar name={name} person={author?.id ?? null} size="md" />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex min-w-0 items-baseline gap-2 text-sm">
          <span className="min-w-0 truncate font-medium text-ink">{name}</span>
          <RelativeTime at={createdAt} className="ml-auto shrink-0 text-faint text-xs" />
        </span>
        <span className="truncate text-muted text-xs">{changedWords(changed, fields)}</span>
        <span className="mt-0.5 flex flex-wrap items-center gap-1">
          <Badge tone={reason.tone}>{reason.word}</Badge>
          {version === entry.version ? <Badge tone="draft">Current draft</Badge> : null}
          {version === entry.live?.version ? <Badge tone="live">Live</Badge> : null}
          <span className="text-faint text-xs tabular-nums">Version {version}</span>
        </span>
      </span>
    </button>
  )
}
