import type { Entry } from '@stoa/cms-model/entries.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { formatAbsolute } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CalendarX2, FileDiff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useEditor } from './editor-context.ts'
import { PublishDialog, UnpublishDialog } from './publish-dialog.tsx'
import { failureOf, scheduleFailuresQuery } from './schedule-failures.ts'
import { SideSection } from './side-section.tsx'
import { UnpublishedDialog } from './unpublished-dialog.tsx'
import { useActs } from './use-acts.ts'

/** Whether it is live, since when, until when, and what is to come. */
export const StatusPanel = () => {
  const { entry } = useEditor().state
  return entry === null ? null : <Status entry={entry} />
}

const Status = ({ entry }: { entry: Entry }) => {
  const { rights, canWrite } = useEditor()
  const [open, setOpen] = useState<'publish' | 'unpublish' | 'unpublished'>()
  const close = () => setOpen(undefined)
  const isLive = entry.status === 'published'
  return (
    <SideSection title="Status">
      <LastFailure entry={entry} />
      <Facts facts={factsOf(entry)} />
      {entry.publishAt === null ? null : (
        <Scheduled action="publish" at={entry.publishAt} icon={<CalendarClock aria-hidden />}>
          {isLive ? 'Changes go live' : 'Goes live'}
        </Scheduled>
      )}
      {entry.unpublishAt === null ? null : (
        <Scheduled action="unpublish" at={entry.unpublishAt} icon={<CalendarX2 aria-hidden />}>
          Will be unpublished
        </Scheduled>
      )}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {entry.pending ? (
          <Button size="sm" icon={<FileDiff />} onClick={() => setOpen('unpublished')}>
            View unpublished changes
          </Button>
        ) : null}
        {rights.publish && canWrite && isLive && entry.unpublishAt === null ? (
          <Button size="sm" icon={<CalendarX2 />} onClick={() => setOpen('unpublish')}>
            Unpublish…
          </Button>
        ) : null}
      </div>
      {open === 'publish' ? <PublishDialog onClose={close} /> : null}
      {open === 'unpublish' ? <UnpublishDialog onClose={close} /> : null}
      {open === 'unpublished' ? <UnpublishedDialog onClose={close} /> : null}
    </SideSection>
  )
}

const factsOf = (entry: Entry) => [
  ...(entry.publishedAt === null ? [] : [{ label: 'Published', value: <RelativeTime at={entry.publishedAt} /> }]),
  {
    label: 'Saved',
    value: (
      <>
        <RelativeTime at={entry.updatedAt} />
        {entry.updatedBy ? ` by ${entry.updatedBy.name}` : ''}
      </>
    ),
  },
  { label: 'Created', value: <RelativeTime at={entry.createdAt} /> },
]

type ScheduledProps = { action: 'publish' | 'unpublish'; at: string; icon: ReactNode; children: ReactNode }

const Scheduled = ({ action, at, icon, children }: ScheduledProps) => {
  const { rights, canWrite } = useEditor()
  const acts = useActs()
  const [changing, setChanging] = useState(false)
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    setBusy(true)
    try {
      await acts.schedule(action, null)
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't cancel the schedule", description: messageOf(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-scheduled-line bg-scheduled-soft p-3 text-sm">
      <p className="flex items-start gap-2 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-scheduled-ink">
        {icon}
        <span>
          {children} <time dateTime={at}>{formatAbsolute(new Date(at))}</time>
        </span>
      </p>
      {rights.publish && canWrite ? (
        <div className="flex gap-2">
          <Button size="sm" disabled={busy} onClick={() => setChanging(true)}>
            Change
          </Button>
          <Button size="sm" loading={busy} onClick={() => void cancel()}>
            Cancel schedule
          </Button>
        </div>
      ) : null}
      {changing && action === 'publish' ? <PublishDialog onClose={() => setChanging(false)} /> : null}
      {changing && action === 'unpublish' ? <UnpublishDialog onClose={() => setChanging(false)} /> : null}
    </div>
  )
}

/** Why the last schedule came to nothing, until something else happened to the entry. */
const LastFailure = ({ entry }: { entry: Entry }) => {
  const { data } = useQuery(scheduleFailuresQuery(entry.id))
  const failed = data && failureOf(data.items, entry)
  if (!failed) return null
  return (
    <Notice
      tone="danger"
      title={failed.action === 'entry.publish.failed' ? "Couldn't be published" : "Couldn't be unpublished"}
    >
      The schedule for <RelativeTime at={failed.at} /> failed. Fix what's missing, then schedule it again.
    </Notice>
  )
}
