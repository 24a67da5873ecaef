import type { Overview } from '@stoa/mail-model/overview.ts'
import { Status } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Activity as ActivityIcon } from 'lucide-react'
import { describeActivity, titleOf } from '../addresses/activity-words.ts'

/** The latest events at all addresses. */
export const ActivityPanel = ({ overview: { recent_activity: lines } }: { overview: Overview }) => (
  <Panel title="Recent activity" flush>
    {lines.length === 0 ? (
      <EmptyState icon={<ActivityIcon />} title="No activity yet">
        Incoming and outgoing mail and mailbox sign-ins appear here.
      </EmptyState>
    ) : (
      <ul className="divide-y divide-line">
        {lines.map((line) => {
          const { tone, word, sentence } = describeActivity(line, '')
          return (
            <li key={line.id} className="flex flex-col gap-0.5 px-5 py-2 text-sm">
              <span className="flex items-center justify-between gap-3">
                <Status tone={tone}>{word}</Status>
                <RelativeTime at={line.created_at} className="shrink-0 text-faint text-xs" />
              </span>
              <span className="truncate text-ink">{line.subject ? titleOf(line) : sentence}</span>
              {line.subject ? <span className="truncate text-faint text-xs">{sentence}</span> : null}
            </li>
          )
        })}
      </ul>
    )}
  </Panel>
)
