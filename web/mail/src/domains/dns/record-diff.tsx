import type { DnsRecord } from '@stoa/mail-model/dns.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Minus, Plus } from 'lucide-react'
import { type DiffPart, dataText, diffRecord } from './record-text.ts'

/** The found and the expected record, with the differing words marked. */
export const RecordDiff = ({ record }: { record: DnsRecord }) => {
  const { found, wanted } = diffRecord(record.found, dataText(record))
  return (
    <dl className="overflow-hidden rounded-lg border border-line bg-sunken font-mono text-xs leading-text">
      {found.map((parts, index) => (
        <Line key={record.found[index]} label="Found" parts={parts} side="found" />
      ))}
      <Line label="Expected" parts={wanted} side="wanted" />
    </dl>
  )
}

const sides = {
  found: { line: 'bg-failed-soft', mark: 'text-failed-ink', word: 'text-failed-ink line-through', Icon: Minus },
  wanted: { line: 'bg-live-soft', mark: 'text-live-ink', word: 'font-semibold text-live-ink', Icon: Plus },
}

type LineProps = { label: string; parts: readonly DiffPart[]; side: keyof typeof sides }

const Line = ({ label, parts, side }: LineProps) => {
  const { line, mark, word, Icon } = sides[side]
  return (
    <div className={cx('flex items-start gap-2 px-3 py-1.5', line)}>
      <dt className={cx('flex w-20 shrink-0 items-center gap-1.5 font-sans', mark)}>
        <Icon aria-hidden className="size-3.5" />
        {label}
      </dt>
      <dd className="min-w-0 break-all text-ink">
        {keyed(parts).map(({ key, text, isChanged }) => (
          <span key={key} className={isChanged ? word : undefined}>
            {text}
          </span>
        ))}
      </dd>
    </div>
  )
}

const keyed = (parts: readonly DiffPart[]) => parts.map((part, index) => ({ ...part, key: `${index} ${part.text}` }))
