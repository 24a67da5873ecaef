import { Button } from '@stoa/ui/button/button.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { type ReactNode, useMemo, useState } from 'react'
import type { Fold } from './fold.ts'
import { diffLines, foldLines, type LineRow } from './lines.ts'
import type { Run, RunKind } from './runs.ts'
import { diffWords } from './words.ts'

/** Underlined or struck through as well: the color is never alone. */
const marks = {
  added: 'rounded-xs bg-live-soft px-0.5 text-live-ink underline decoration-live-mark underline-offset-2',
  removed: 'rounded-xs bg-failed-soft px-0.5 text-failed-ink line-through decoration-failed-mark',
} as const

/** Something that came, went or stayed. */
export const Marked = ({ kind, children }: { kind: RunKind; children: ReactNode }) => {
  if (kind === 'added') return <ins className={marks.added}>{children}</ins>
  if (kind === 'removed') return <del className={marks.removed}>{children}</del>
  return children
}

/** Runs of words as one text. */
const Words = ({ runs }: { runs: readonly Run<string>[] }) =>
  keyed(runs).map(([key, { kind, items }]) => (
    <Marked key={key} kind={kind}>
      {items.join('')}
    </Marked>
  ))

type TextChangeProps = { before: string; after: string }

/** Beyond it a text is compared line by line. */
const MAX_TEXT = 20_000

/** A short text, word by word. */
export const TextChange = ({ before, after }: TextChangeProps) => {
  const isLong = before.length + after.length > MAX_TEXT
  const runs = useMemo(() => (isLong ? [] : diffWords(before, after)), [before, after, isLong])
  if (isLong) return <LinesChange before={before} after={after} />
  return (
    <p className="whitespace-pre-wrap break-words">
      <Words runs={runs} />
    </p>
  )
}

const signs = { same: '', added: '+', removed: '−', changed: '±' } as const
const names = { same: '', added: 'Added: ', removed: 'Removed: ', changed: 'Changed: ' } as const

type LineProps = { kind: keyof typeof signs; className?: string; children: ReactNode }

/** A line with its sign at the left. */
export const Line = ({ kind, className, children }: LineProps) => (
  <div className={cx('flex min-w-0 gap-2', kind === 'same' && 'text-muted')}>
    <span aria-hidden className="w-3 shrink-0 select-none text-center font-mono text-faint">
      {signs[kind]}
    </span>
    <div className={cx('min-w-0 flex-1 break-words', className)}>
      <span className="sr-only">{names[kind]}</span>
      {children}
    </div>
  </div>
)

/** "12 lines are the same". */
export const Folded = ({ count, one, many }: { count: number; one: string; many: string }) => (
  <p className="pl-5 text-faint text-xs">
    {formatCount(count, one, many)} {count === 1 ? 'is' : 'are'} unchanged
  </p>
)

/** Lines that are drawn at first, and with each press for more. */
const SHOWN = 300

type CappedProps<Row> = { rows: readonly Row[]; children: (rows: readonly Row[]) => ReactNode }

/** A long comparison in parts: thousands of lines at once would make the tab slow. */
export const Capped = <Row,>({ rows, children }: CappedProps<Row>) => {
  const [shown, setShown] = useState(SHOWN)
  return (
    <>
      {children(rows.slice(0, shown))}
      {rows.length > shown ? (
        <Button size="sm" className="mt-2" onClick={() => setShown(shown + SHOWN)}>
          Show more: {formatCount(rows.length - shown, 'line is', 'lines are')} left
        </Button>
      ) : null}
    </>
  )
}

/** Markdown, JSON and other texts of many lines: by line, and inside the lines by word. */
export const LinesChange = ({ before, after }: TextChangeProps) => {
  const rows = useMemo(() => foldLines(diffLines(before, after)), [before, after])
  return (
    <Capped rows={rows}>
      {(shown) => (
        <div className="flex min-w-0 flex-col font-mono text-xs">
          {keyed(shown).map(([key, row]) => (
            <TextLine key={key} row={row} />
          ))}
        </div>
      )}
    </Capped>
  )
}

/** Any data, as lines of JSON. */
export const DocumentChange = ({ before, after }: { before: unknown; after: unknown }) => (
  <LinesChange before={jsonOf(before)} after={jsonOf(after)} />
)

const jsonOf = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value, null, 2))

const TextLine = ({ row }: { row: LineRow | Fold }) => {
  if (row.kind === 'fold') return <Folded count={row.count} one="line" many="lines" />
  return (
    <Line kind={row.kind} className="min-h-4.5 whitespace-pre-wrap">
      {row.kind === 'same' ? row.text : <Words runs={row.words} />}
    </Line>
  )
}

/** Rows of a comparison have no name of their own, and never change places. */
export const keyed = <T,>(rows: readonly T[]): readonly (readonly [number, T])[] => rows.map((row, at) => [at, row])
