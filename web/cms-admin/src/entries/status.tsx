import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { CalendarClock, CalendarX2, PencilLine } from 'lucide-react'
import { mergedStatus } from './merged-status.ts'

type StatusChipsProps = { entry: Pick<EntryItem, 'status' | 'publishAt' | 'unpublishAt' | 'pending'> }

/** What becomes of an entry, at a glance: draft or published, what is scheduled, what is not published yet. */
export const StatusChips = ({ entry: { status, publishAt, unpublishAt, pending } }: StatusChipsProps) => (
  <span className="inline-flex max-w-full flex-wrap items-center gap-1">
    {status === 'published' ? <Badge tone="live">Published</Badge> : <Badge tone="draft">Draft</Badge>}
    {pending ? (
      <Badge tone="accent" icon={<PencilLine aria-hidden />}>
        Unpublished changes
      </Badge>
    ) : null}
    {publishAt === null ? null : (
      <Badge tone="scheduled" icon={<CalendarClock aria-hidden />}>
        {status === 'published' ? 'Changes go live' : 'Goes live'} <RelativeTime at={publishAt} />
      </Badge>
    )}
    {unpublishAt === null ? null : (
      <Badge tone="scheduled" icon={<CalendarX2 aria-hidden />}>
        Unpublishes <RelativeTime at={unpublishAt} />
      </Badge>
    )}
  </span>
)

/** The status on one line, for lists: the next change with its time. */
export const EntryStatus = ({ entry }: StatusChipsProps) => {
  const { tone, label, at } = mergedStatus(entry)
  return (
    <Status tone={tone}>
      {label}
      {at === null ? null : (
        <>
          {' '}
          <RelativeTime at={at} className="text-muted" />
        </>
      )}
    </Status>
  )
}
