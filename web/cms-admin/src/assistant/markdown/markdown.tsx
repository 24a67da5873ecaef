import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { appBase } from '@stoa/ui/request/request.ts'
import { memo, type ReactNode } from 'react'
import { type Block, parseBlock, splitBlocks } from './blocks.ts'
import type { Inline } from './inline.ts'

/** The text of an answer. Blocks that are finished are drawn once, however long the answer goes on. */
export const Markdown = ({ text }: { text: string }) => (
  <div className="flex min-w-0 flex-col gap-2 break-words text-ink text-sm">
    {numbered(splitBlocks(text)).map(([key, source]) => (
      <OneBlock key={key} source={source} />
    ))}
  </div>
)

const OneBlock = memo(({ source }: { source: string }) => <Drawn block={parseBlock(source, appBase())} />)

/** The index can be the key: items of a text never move. */
const numbered = <T,>(items: readonly T[]): [string, T][] => items.map((item, index) => [String(index), item])

const Drawn = ({ block }: { block: Block }): ReactNode => {
  switch (block.kind) {
    case 'heading': {
      const Heading = block.level <= 2 ? 'h3' : 'h4'
      return (
        <Heading className="pt-1 font-semibold">
          <Words nodes={block.children} />
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p className="whitespace-pre-line">
          <Words nodes={block.children} />
        </p>
      )
    case 'code':
      return (
        <pre className="overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs">
          {block.text}
        </pre>
      )
    case 'quote':
      return (
        <blockquote className="flex flex-col gap-2 border-line-strong border-l-2 pl-3 text-muted">
          {numbered(block.children).map(([key, child]) => (
            <Drawn key={key} block={child} />
          ))}
        </blockquote>
      )
    case 'rule':
      return <hr className="border-line" />
    case 'table':
      return <Table {...block} />
    case 'list':
      return <List {...block} />
  }
}

const List = ({ start, items }: Extract<Block, { kind: 'list' }>) => {
  const rows = numbered(items).map(([key, { children, below }]) => (
    <li key={key} className="whitespace-pre-line pl-0.5 marker:text-faint">
      <Words nodes={children} />
      {numbered(below).map(([place, block]) => (
        <Drawn key={place} block={block} />
      ))}
    </li>
  ))
  return start === null ? (
    <ul className="flex list-disc flex-col gap-1 pl-5">{rows}</ul>
  ) : (
    <ol start={start} className="flex list-decimal flex-col gap-1 pl-5">
      {rows}
    </ol>
  )
}

const Table = ({ head, rows }: Extract<Block, { kind: 'table' }>) => (
  <div className="min-w-0 overflow-x-auto">
    <table className="w-full text-left text-xs">
      <thead>
        <tr className="border-line border-b">
          {numbered(head).map(([key, cell]) => (
            <th key={key} scope="col" className="py-1 pr-3 font-medium">
              <Words nodes={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbered(rows).map(([key, cells]) => (
          <tr key={key} className="border-line border-b last:border-0">
            {numbered(cells).map(([place, cell]) => (
              <td key={place} className="py-1 pr-3 align-top">
                <Words nodes={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Words = ({ nodes }: { nodes: readonly Inline[] }): ReactNode =>
  numbered(nodes).map(([key, node]) => <Word key={key} node={node} />)

const Word = ({ node }: { node: Inline }): ReactNode => {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'code':
      return <code className="rounded-sm bg-neutral-soft px-1 py-0.5 font-mono text-xs">{node.text}</code>
    case 'bold':
      return (
        <strong className="font-semibold">
          <Words nodes={node.children} />
        </strong>
      )
    case 'italic':
      return (
        <em>
          <Words nodes={node.children} />
        </em>
      )
    case 'link':
      return (
        <TextLink to={node.to}>
          <Words nodes={node.children} />
        </TextLink>
      )
  }
}
