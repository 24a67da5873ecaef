import type { DnsRecord } from '@stoa/mail-model/dns.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import type { ReactNode } from 'react'
import { RecordRow, ROW_COLUMNS } from './record-row.tsx'
import { recordId } from './record-text.ts'
import { type Look, tallyOf } from './states.ts'

export type OpenRecords = {
  isOpen: (record: DnsRecord) => boolean
  set: (record: DnsRecord, open: boolean) => void
}

type RecordGroupProps = {
  title: string
  description: string
  records: readonly DnsRecord[]
  /** Whether it matters how many are there. */
  isCounted: boolean
  opened: OpenRecords
  look: (record: DnsRecord) => Look
  actions?: ReactNode
}

/** Records that belong together, with how many of them are in place. */
export const RecordGroup = ({ title, description, records, isCounted, opened, look, actions }: RecordGroupProps) => {
  const { verified, total } = tallyOf(records)
  if (total === 0) return null
  return (
    <Panel
      flush
      title={
        <span className="inline-flex flex-wrap items-baseline gap-x-2.5">
          {title}
          {isCounted ? (
            <span
              className={cx('font-normal text-sm tabular-nums', verified === total ? 'text-live-ink' : 'text-muted')}
            >
              {verified} of {total} verified
            </span>
          ) : null}
        </span>
      }
      description={description}
      actions={actions}
    >
      {isCounted ? <Segments tones={records.map((record) => look(record).tone)} /> : null}
      <div aria-hidden className={cx(ROW_COLUMNS, 'border-line border-b py-1.5 text-faint text-xs phone:hidden')}>
        <span className="pl-6">Record</span>
        <span>Type</span>
        <span>Name</span>
        <span>Value</span>
        <span>Status</span>
      </div>
      <ul className="divide-y divide-line">
        {records.map((record) => (
          <RecordRow
            key={recordId(record)}
            record={record}
            look={look(record)}
            open={opened.isOpen(record)}
            onOpen={(open) => opened.set(record, open)}
          />
        ))}
      </ul>
    </Panel>
  )
}

const fills: Record<Tone, string> = {
  neutral: 'bg-pressed',
  draft: 'bg-draft-mark',
  live: 'bg-live-mark',
  scheduled: 'bg-scheduled-mark',
  failed: 'bg-failed-mark',
  accent: 'bg-accent',
}

/** One piece for each record, those in place first: the number beside the title says the same. */
const Segments = ({ tones }: { tones: readonly Tone[] }) => (
  <div aria-hidden className="flex h-1 gap-px">
    {tones
      .toSorted((a, b) => Number(b === 'live') - Number(a === 'live'))
      .map((tone, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a bar have nothing else
        <span key={index} className={cx('flex-1 transition-colors', fills[tone])} />
      ))}
  </div>
)
