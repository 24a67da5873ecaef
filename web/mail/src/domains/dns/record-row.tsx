import type { DnsRecord } from '@stoa/mail-model/dns.ts'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { CopyField, CopyFields, CopyLine } from '../copy-fields.tsx'
import { LookIcon } from '../status-badge.tsx'
import { howToFix, recordPurpose, recordTitle } from './purposes.ts'
import { RecordDiff } from './record-diff.tsx'
import { dataText, mergedSpf } from './record-text.ts'
import { hasOtherPolicy, isNeeded, isWrong, type Look } from './states.ts'

type RecordRowProps = { record: DnsRecord; look: Look; open: boolean; onOpen: (open: boolean) => void }

/** The heading above the rows has the same columns; on a phone they stand below each other. */
export const ROW_COLUMNS =
  'grid grid-cols-[minmax(8rem,1fr)_3rem_minmax(9.5rem,1fr)_minmax(0,1.6fr)_minmax(8.5rem,auto)] gap-x-3 px-4'

/** One record: what to publish and its state in a line; opened, every part of it, what was found, and what to do. */
export const RecordRow = ({ record, look, open, onOpen }: RecordRowProps) => {
  const id = useId()
  const title = recordTitle(record)
  return (
    <li>
      <div
        className={cx(
          ROW_COLUMNS,
          'relative min-h-11 items-center py-1 hover:bg-hover phone:grid-cols-[minmax(0,1fr)_auto] phone:py-2',
        )}
      >
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => onOpen(!open)}
          className="flex min-w-0 items-center gap-2.5 rounded-sm text-left font-medium text-ink text-sm after:absolute after:inset-0"
        >
          <ChevronRight
            aria-hidden
            className={cx('size-3.5 shrink-0 text-faint transition-transform', open && 'rotate-90')}
          />
          <span aria-hidden className="min-w-0">
            {title}
          </span>
          <span className="sr-only">{`${title}, ${look.word}`}</span>
        </button>
        <span className="font-mono text-muted text-xs phone:hidden">{record.type}</span>
        <Copied label={`Copy name of ${title}`} text={record.name} before={record.type} />
        <Copied label={`Copy value of ${title}`} text={record.value} after={numberOf(record)} />
        <span
          aria-hidden
          className={cx(
            'flex items-center gap-1.5 text-xs phone:col-start-2 phone:row-start-1',
            look.tone === 'live' ? 'text-live-ink' : look.tone === 'failed' ? 'text-failed-ink' : 'text-muted',
          )}
        >
          <LookIcon look={look} />
          {look.word}
        </span>
      </div>
      {open ? (
        <div id={id} className="flex min-w-0 animate-fade-in flex-col gap-3 pt-1 pr-4 pb-4 pl-10 phone:pl-4">
          <p className="text-muted text-sm">{recordPurpose(record)}</p>
          <RecordProblem record={record} />
          <RecordFields record={record} title={title} />
        </div>
      ) : null}
    </li>
  )
}

type CopiedProps = {
  label: string
  text: string
  /** On a phone the type has no column of its own. */
  before?: string
  after?: string | null
}

/** The most important number; the others show when the row is opened. */
const numberOf = ({ port, priority }: DnsRecord): string | null => {
  if (port !== null) return `port ${port}`
  return priority === null ? null : `priority ${priority}`
}

/** A text of the row, cut where there is no room, with a button that copies all of it. */
const Copied = ({ label, text, before, after = null }: CopiedProps) => (
  <span className="flex min-w-0 items-center gap-1 phone:col-span-2 phone:pl-6">
    {before === undefined ? null : <span className="font-mono text-faint text-xs desk:hidden">{before}</span>}
    <span title={text} className="min-w-0 truncate font-mono text-ink text-xs">
      {text}
    </span>
    {after === null ? null : <span className="shrink-0 text-faint text-xs">{after}</span>}
    <span className="relative">
      <CopyButton text={text} label={label} iconOnly />
    </span>
  </span>
)

const RecordFields = ({ record, title }: { record: DnsRecord; title: string }) => {
  const numbers = [
    ['priority', record.priority],
    ['weight', record.weight],
    ['port', record.port],
    ['TTL', record.ttl],
  ] as const
  return (
    <CopyFields>
      <CopyLine>
        <CopyField label="type" value={record.type} of={title} />
        {numbers.map(([label, value]) =>
          value === null ? null : <CopyField key={label} label={label} value={String(value)} of={title} />,
        )}
      </CopyLine>
      <div className="grid min-w-0 grid-cols-2 phone:grid-cols-1">
        <CopyField label="name" value={record.name} of={title} />
        <CopyField label="full name" value={record.fqdn} of={title} />
      </div>
      <CopyField label="value" value={record.value} of={title} />
    </CopyFields>
  )
}

const RecordProblem = ({ record }: { record: DnsRecord }) => {
  const fix = howToFix(record)
  if (hasOtherPolicy(record))
    return (
      <div className="flex min-w-0 flex-col gap-2">
        <RecordDiff record={record} />
        <p className="text-muted text-sm">
          The DMARC policy in DNS differs from the domain's settings. It's valid, and receivers follow DNS. To change
          it, replace the record or publish it with “Replace conflicting records” on.
        </p>
      </div>
    )
  if (fix === null)
    return record.found.length > 0 && !record.found.includes(dataText(record)) ? (
      <p className="break-all text-faint text-xs">
        Found: <span className="font-mono">{record.found.join(' · ')}</span>
      </p>
    ) : null
  const wrong = isWrong(record)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {wrong ? <RecordDiff record={record} /> : null}
      <p className="text-muted text-sm">
        {record.message === null || record.status === 'not_started' ? null : (
          <span className={cx('font-medium', wrong && isNeeded(record) ? 'text-failed-ink' : 'text-ink')}>
            {record.message}{' '}
          </span>
        )}
        {fix}
        {record.record === 'MX' && wrong ? (
          <>
            {' '}
            <TextLink to="/transfers">Transfer mail</TextLink>
          </>
        ) : null}
      </p>
      {record.record === 'SPF' && wrong ? (
        <CodeBlock label="SPF record to set" code={mergedSpf(record.found, record.value)} wrap />
      ) : null}
    </div>
  )
}
