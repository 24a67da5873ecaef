import type { Entry } from '@stoa/cms-model/entries.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Status } from '@stoa/ui/display/badge.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { failureOf, mayHaveFailed, scheduleFailuresQuery } from '../../session/schedule-failures.ts'
import { isDirty } from '../../session/session-state.ts'
import { useEditor } from '../editor-context.ts'
import { PublishDialog } from '../publish-dialog.tsx'
import type { StatusWords } from '../status-words.ts'
import { useStatusWords } from '../use-status-words.ts'
import { StatusMenu } from './status-menu.tsx'

/** How the entry stands, and the one thing to do about it; all others are in its menu. */
export const StatusPanel = () => {
  const id = useId()
  const { state, publishIn } = useEditor()
  const { entry } = state
  const words = useStatusWords()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <h2 id={id} className="sr-only">
        Status
      </h2>
      <div className="flex flex-col gap-3 rounded-xl border border-line bg-raised p-4 shadow-sm">
        <div className="flex items-start justify-between gap-2">
          <div className="flex min-w-0 flex-col gap-1 py-1">
            <Status tone={words.tone} wraps>
              <span className="font-medium">{words.title}</span>
            </Status>
            {words.detail === undefined ? null : <p className="pl-3.5 text-muted text-xs">{words.detail}</p>}
          </div>
          {entry === null ? null : <StatusMenu entry={entry} />}
        </div>
        {entry === null ? null : <LastFailure entry={entry} />}
        {publishIn === 'card' ? <NextAction next={words.next} /> : null}
      </div>
      {entry === null ? null : <Facts facts={factsOf(entry)} />}
    </section>
  )
}

const NextAction = ({ next }: Pick<StatusWords, 'next'>) => {
  const { state, rights, canWrite } = useEditor()
  const [isOpen, setIsOpen] = useState(false)
  if (!rights.publish || !rights.edit) return null
  const isLive = state.entry?.status === 'published'
  // A disabled button stays in place: one that comes and goes would move everything below it
  const isOff = !canWrite || (next === null && !isDirty(state))
  return (
    <>
      {next === 'reschedule' ? (
        <Button disabled={!canWrite} onClick={() => setIsOpen(true)}>
          Change schedule…
        </Button>
      ) : (
        <Button variant="primary" disabled={isOff} onClick={() => setIsOpen(true)}>
          {isLive ? 'Publish changes' : 'Publish'}
        </Button>
      )}
      {isOpen ? (
        <PublishDialog initially={next === 'reschedule' ? 'later' : 'now'} onClose={() => setIsOpen(false)} />
      ) : null}
    </>
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

/** Why the last schedule came to nothing, until something else happened to the entry. */
const LastFailure = ({ entry }: { entry: Entry }) => {
  const { data } = useQuery({ ...scheduleFailuresQuery(entry.id), enabled: mayHaveFailed(entry) })
  const failed = data && mayHaveFailed(entry) ? failureOf(data.items, entry) : undefined
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
