import type { DnsRecord } from '@stoa/mail-model/dns.ts'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { CopyField, CopyFields, CopyLine } from '../copy-fields.tsx'
import { LookIcon } from '../look.tsx'
import { howToFix, recordPurpose, recordTitle } from './purposes.ts'
import { RecordDiff } from './record-diff.tsx'
import { dataText, mergedSpf } from './record-text.ts'
import { hasOtherPolicy, type Look } from './states.ts'

type RecordRowProps = { record: DnsRecord; look: Look; open: boolean; onOpen: (open: boolean) => void }

/** One record: its state in a line, and opened everything to copy, what was found, and what to do. */
export const RecordRow = ({ record, look, open, onOpen }: RecordRowProps) => {
  const id = useId()
  const title = recordTitle(record)
  return (
    <li id={anchorOf(record)} className="scroll-mt-16">
      <div className="flex min-w-0 items-center gap-2 pr-3">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => onOpen(!open)}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-sm py-2 pl-4 text-left text-sm outline-offset-[-2px] hover:bg-hover"
        >
          <ChevronRight
            aria-hidden
            className={cx('size-3.5 shrink-0 text-faint transition-transform', open && 'rotate-90')}
          />
          <LookIcon look={look} />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2.5">
            <span className="font-medium text-ink">{title}</span>
            <span className="min-w-0 truncate font-mono text-faint text-xs">
              {record.type} {record.fqdn}
            </span>
          </span>
          <span className="shrink-0 text-muted text-xs">{look.word}</span>
        </button>
        <CopyButton text={record.value} label={`Copy value of ${title}`} iconOnly />
      </div>
      {open ? (
        <div id={id} className="flex min-w-0 flex-col gap-3 pr-4 pb-4 pl-11 phone:pl-4">
          <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-muted text-sm">
            {recordPurpose(record)}
            <Badge tone={record.required ? 'accent' : 'neutral'}>{record.required ? 'Required' : 'Recommended'}</Badge>
          </p>
          <RecordFields record={record} title={title} />
          <RecordProblem record={record} />
        </div>
      ) : null}
    </li>
  )
}

/** Where a tile of the board leads to. */
export const anchorOf = ({ record, type, name, value }: DnsRecord): string =>
  `record-${record}-${type}-${name}-${type === 'MX' ? value : ''}`

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
  const isWrong = record.status === 'failed' && record.found.length > 0
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {isWrong ? <RecordDiff record={record} /> : null}
      <p className="text-muted text-sm">
        {record.message === null || record.status === 'not_started' ? null : (
          <span className={cx('font-medium', isWrong && record.required ? 'text-failed-ink' : 'text-ink')}>
            {record.message}{' '}
          </span>
        )}
        {fix}
        {record.record === 'MX' && isWrong ? (
          <>
            {' '}
            <TextLink to="/transfers">Transfer mail</TextLink>
          </>
        ) : null}
      </p>
      {record.record === 'SPF' && isWrong ? (
        <CodeBlock label="SPF record to set" code={mergedSpf(record.found, record.value)} wrap />
      ) : null}
    </div>
  )
}
