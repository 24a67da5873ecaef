import {
  TableRow,
  TableCell as TipTapCell,
  TableHeader as TipTapHeader,
  Table as TipTapTable,
} from '@tiptap/extension-table'
import type { DOMOutputSpec } from '@tiptap/pm/model'
import { elementsIn, isTag, numberOf, textAttribute } from './element.ts'

/** A table with a caption of plain text. Its rows are in one group; the stored HTML has a head where one is meant. */
export const Table = TipTapTable.extend({
  addAttributes: () => ({
    caption: { default: null, rendered: false, parseHTML: captionOf },
  }),
  parseHTML: () => [{ tag: 'table' }, { tag: 'caption', ignore: true }],
  renderHTML: ({ node, HTMLAttributes }) => {
    const caption = textAttribute(node.attrs, 'caption')
    const rows: DOMOutputSpec = ['tbody', 0]
    return caption === null || caption === ''
      ? ['table', HTMLAttributes, rows]
      : ['table', HTMLAttributes, ['caption', { contenteditable: 'false' }, caption], rows]
  },
}).configure({ resizable: false, allowTableNodeSelection: true })

export const TableCell = TipTapCell.extend({
  addAttributes: () => spans,
  parseHTML: () => [{ tag: 'td' }],
})

/** Every cell of a head is a heading, also where it was written as a plain one. */
export const TableHeader = TipTapHeader.extend({
  addAttributes: () => ({ ...spans, scope: { default: null } }),
  parseHTML: () => [{ tag: 'th' }, { tag: 'thead > tr > td', priority: 60 }],
})

export { TableRow }

const span = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Math.max(1, numberOf(element, name) ?? 1),
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] === 1 ? {} : { [name]: attributes[name] }),
})

const spans = {
  colspan: span('colspan'),
  rowspan: span('rowspan'),
  // Asked for by the commands of tables; widths are the website's
  colwidth: { default: null, rendered: false, parseHTML: () => null },
}

const captionOf = (table: Element): string | null => {
  const caption = elementsIn(table).find((child) => isTag(child, 'caption'))
  return caption?.textContent?.replace(/\s+/g, ' ').trim() || null
}
