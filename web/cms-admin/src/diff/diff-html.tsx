import { cx } from '@stoa/ui/theme/cx.ts'
import { Image, SquarePlay } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { FileChip } from './diff-records.tsx'
import { Capped, Folded, keyed, Line, Marked } from './diff-text.tsx'
import type { Fold } from './fold.ts'
import type { Block, BlockKind, Inline } from './html-blocks.ts'
import { type BlockRow, diffHtml, foldBlocks } from './html-diff.ts'
import type { RunKind } from './runs.ts'

/** Rich text: by paragraph, and inside of it by word. Drawn from the parsed text, never as HTML. */
export const HtmlChange = ({ before, after }: { before: string; after: string }) => {
  const rows = useMemo(() => foldBlocks(diffHtml(before, after)), [before, after])
  return (
    <Capped rows={rows}>
      {(shown) => (
        <div className="flex min-w-0 flex-col gap-1.5">
          {keyed(shown).map(([key, row]) => (
            <Row key={key} row={row} />
          ))}
        </div>
      )}
    </Capped>
  )
}

const Row = ({ row }: { row: BlockRow | Fold }) => {
  if (row.kind === 'fold') return <Folded count={row.count} one="paragraph" many="paragraphs" />
  const { block, kind } = row
  return (
    <Line kind={kind}>
      <Frame block={block}>
        {row.kind === 'changed' && row.was ? <WasOther was={row.was} is={block} /> : null}
        {row.kind === 'changed' ? (
          keyed(row.runs).map(([key, run]) => <Inlines key={key} inlines={run.items} kind={run.kind} />)
        ) : (
          <Content block={block} kind={row.kind} />
        )}
      </Frame>
    </Line>
  )
}

const Content = ({ block, kind }: { block: Block; kind: RunKind }) => {
  if (block.kind === 'rule') return <hr className={cx('border-line-strong', kind === 'removed' && 'border-dashed')} />
  if (block.kind !== 'embed') return <Inlines inlines={block.inlines} kind={kind} />
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <SquarePlay aria-hidden className="size-4 shrink-0 text-faint" />
      <Marked kind={kind}>{block.inlines[0]?.text}</Marked>
    </span>
  )
}

const looks: Partial<Record<BlockKind, string>> = {
  h2: 'font-semibold text-md',
  h3: 'font-semibold text-base',
  h4: 'font-semibold',
  code: 'whitespace-pre-wrap rounded-sm bg-sunken px-2 py-1 font-mono text-xs',
  caption: 'text-xs italic',
}

const bullets: Partial<Record<BlockKind, string>> = { item: '•', ordered: '#', summary: '▸', row: '▦' }

const words: Record<BlockKind, string> = {
  p: 'paragraph',
  h2: 'heading 2',
  h3: 'heading 3',
  h4: 'heading 4',
  item: 'list item',
  ordered: 'numbered item',
  code: 'code',
  row: 'table row',
  caption: 'caption',
  summary: 'summary',
  rule: 'line',
  embed: 'player',
}

/** Where a line stands: its list, its quotation, its kind. */
const Frame = ({ block: { kind, depth, quoted }, children }: { block: Block; children: ReactNode }) => (
  <div
    style={{ paddingInlineStart: `calc(var(--spacing) * 4 * ${depth})` }}
    className={cx('flex min-w-0 gap-1.5', quoted && 'border-line-strong border-l-2')}
  >
    {quoted ? <span className="w-1 shrink-0" /> : null}
    {bullets[kind] === undefined ? null : (
      <span aria-hidden className="shrink-0 select-none text-faint">
        {bullets[kind]}
      </span>
    )}
    <div className={cx('min-w-0 flex-1 whitespace-pre-wrap', looks[kind])}>{children}</div>
  </div>
)

const WasOther = ({ was, is }: { was: Block; is: Block }) => (
  <span className="block font-normal text-faint text-xs not-italic">
    {nameOf(was)} → {nameOf(is)}
  </span>
)

const nameOf = ({ kind, depth, quoted }: Block): string =>
  `${quoted ? 'quoted ' : ''}${words[kind]}${depth > 1 ? `, level ${depth}` : ''}`

const Inlines = ({ inlines, kind }: { inlines: readonly Inline[]; kind: RunKind }) =>
  keyed(joined(inlines)).map(([key, inline]) => (
    <Marked key={key} kind={kind}>
      <Piece inline={inline} isChanged={kind !== 'same'} />
    </Marked>
  ))

/** Words of the same formatting as one text. */
const joined = (inlines: readonly Inline[]): Inline[] => {
  const all: Inline[] = []
  for (const inline of inlines) {
    const last = all.at(-1)
    if (last && !last.picture && !inline.picture && last.marks.join() === inline.marks.join())
      all[all.length - 1] = { ...last, text: last.text + inline.text }
    else all.push(inline)
  }
  return all
}

const Piece = ({ inline, isChanged }: { inline: Inline; isChanged: boolean }) => {
  const inside = inline.picture ? <Picture picture={inline.picture} /> : inline.text
  return inline.marks.reduceRight<ReactNode>((children, mark) => formatted(mark, children, isChanged), inside)
}

const formatted = (mark: string, children: ReactNode, isChanged: boolean): ReactNode => {
  if (mark.startsWith('a '))
    return (
      <Linked address={mark.slice(2)} isChanged={isChanged}>
        {children}
      </Linked>
    )
  if (mark === 'strong') return <strong className="font-semibold">{children}</strong>
  if (mark === 'em') return <em>{children}</em>
  if (mark === 'u') return <u>{children}</u>
  if (mark === 's') return <s>{children}</s>
  if (mark === 'code') return <code className="rounded-xs bg-sunken px-1 font-mono text-xs">{children}</code>
  if (mark === 'sub') return <sub>{children}</sub>
  if (mark === 'sup') return <sup>{children}</sup>
  return <mark className="bg-draft-soft text-inherit">{children}</mark>
}

/** Not to be followed from here; where it changed, its address is what changed. */
const Linked = ({ address, isChanged, children }: { address: string; isChanged: boolean; children: ReactNode }) => (
  <span title={address} className="underline decoration-accent-line decoration-dotted underline-offset-2">
    {children}
    {isChanged ? <span className="font-mono text-2xs"> ({address})</span> : null}
  </span>
)

const Picture = ({ picture: { mediaId, src, alt } }: { picture: NonNullable<Inline['picture']> }) => {
  if (mediaId !== null) return <FileChip id={mediaId} note={alt} />
  return (
    <span className="inline-flex items-center gap-1 align-middle">
      <Image aria-hidden className="size-4 text-faint" />
      {alt === '' ? (src ?? 'Image') : alt}
    </span>
  )
}
