import { COLOURS, type DocMark, type DocNode, isColour } from './document.ts'
import { safeHref } from './links.ts'

/** A text of the editor as the HTML of a mail: plain elements with the few styles that mail programs know. */
export const docToHtml = (doc: DocNode): string =>
  withoutTail(doc.content ?? [])
    .map(blockHtml)
    .join('')

/** The document as plain text, with quotations marked as every mail program does. */
export const docToText = (doc: DocNode): string =>
  blocksText(withoutTail(doc.content ?? []))
    .replace(/[ \t]+\n/g, '\n')
    .replaceAll(SIGNATURE_GUARD, SIGNATURE_LINE)
    .trimEnd()

/** RFC 3676 §4.3: the space belongs to it. */
export const SIGNATURE_LINE = '-- '
const SIGNATURE_GUARD = '\u0000'

const QUOTE_STYLE = 'margin:0 0 0 0.8ex;border-left:2px solid #c5c9d0;padding-left:1ex'

/** The empty line that editors keep at the end is not written. */
const withoutTail = (blocks: readonly DocNode[]): readonly DocNode[] => {
  let end = blocks.length
  while (end > 0 && blocks[end - 1]?.type === 'paragraph' && !blocks[end - 1]?.content) end -= 1
  return blocks.slice(0, end)
}

const blockHtml = (node: DocNode): string => {
  const blocks = () => (node.content ?? []).map(blockHtml).join('')
  // A break at the end of a line is seen only before another one
  const end = node.content?.at(-1)?.type === 'hardBreak' ? '<br>' : ''
  const line = () => (node.content ?? []).map(inlineHtml).join('') + end
  switch (node.type) {
    case 'paragraph':
      return node.attrs?.spaced === true ? `<p>${line() || '<br>'}</p>` : `<div>${line() || '<br>'}</div>`
    case 'heading': {
      const level = [1, 2, 3].find((one) => one === node.attrs?.level) ?? 3
      return `<h${level}>${line()}</h${level}>`
    }
    case 'blockquote':
      return `<blockquote type="cite" style="${QUOTE_STYLE}">${blocks()}</blockquote>`
    case 'signature':
      return `<div class="stoa-signature">${blocks()}</div>`
    case 'bulletList':
      return `<ul>${blocks()}</ul>`
    case 'orderedList':
      return `<ol${node.attrs?.start === 1 ? '' : ` start="${Number(node.attrs?.start)}"`}>${blocks()}</ol>`
    case 'listItem':
      return `<li>${blocks()}</li>`
    case 'codeBlock':
      return `<pre>${escapeHtml((node.content ?? []).map(({ text = '' }) => text).join(''))}</pre>`
    case 'horizontalRule':
      return '<hr>'
    case 'table':
      return `<table style="border-collapse:collapse"><tbody>${blocks()}</tbody></table>`
    case 'tableRow':
      return `<tr>${blocks()}</tr>`
    case 'tableCell':
      return cellHtml(node, blocks())
    default:
      return line()
  }
}

const cellHtml = ({ attrs }: DocNode, content: string): string => {
  const tag = attrs?.header === true ? 'th' : 'td'
  const spans = (['colspan', 'rowspan'] as const)
    .filter((name) => Number(attrs?.[name] ?? 1) > 1)
    .map((name) => ` ${name}="${Number(attrs?.[name])}"`)
  return `<${tag}${spans.join('')} style="border:1px solid #d5d8de;padding:4px 8px;vertical-align:top;text-align:left">${content}</${tag}>`
}

const inlineHtml = (node: DocNode): string => {
  if (node.type === 'hardBreak') return '<br>'
  if (node.type === 'image') return pictureHtml(node)
  // HTML collapses repeated spaces
  const text = escapeHtml(node.text ?? '').replace(/ {2}/g, ' \u00a0')
  return (node.marks ?? []).reduce(markHtml, text)
}

const pictureHtml = ({ attrs }: DocNode): string => {
  const width = typeof attrs?.width === 'number' ? ` width="${attrs.width}"` : ''
  return `<img src="cid:${escapeHtml(String(attrs?.cid ?? ''))}" alt="${escapeHtml(String(attrs?.alt ?? ''))}"${width} style="max-width:100%">`
}

const TAG_OF: Readonly<Record<string, string>> = { bold: 'b', italic: 'i', underline: 'u', strike: 's', code: 'code' }

const markHtml = (inner: string, { type, attrs }: DocMark): string => {
  if (type === 'link') {
    const href = safeHref(attrs?.href)
    return href === null ? inner : `<a href="${escapeHtml(href)}">${inner}</a>`
  }
  if (type === 'textColour')
    return isColour(attrs?.colour) ? `<span style="color:${COLOURS[attrs.colour]}">${inner}</span>` : inner
  const tag = TAG_OF[type]
  return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign)

const blocksText = (blocks: readonly DocNode[]): string => {
  const pieces: string[] = []
  let end = ''
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1]
    // Paragraphs with space around them, and blocks of another kind, stand apart
    const isApart = before !== undefined && (isSpacious(block) || isSpacious(before)) && end !== '\n\n'
    const piece = `${before ? '\n' : ''}${isApart ? '\n' : ''}${blockText(block)}`
    // Joining once at the end avoids copying the text again for each block
    end = `${end}${piece.slice(-2)}`.slice(-2)
    pieces.push(piece)
  }
  return pieces.join('')
}

const isSpacious = ({ type, attrs }: DocNode): boolean =>
  type === 'paragraph' ? attrs?.spaced === true : !['signature', 'blockquote'].includes(type)

const blockText = (node: DocNode): string => {
  const blocks = node.content ?? []
  switch (node.type) {
    case 'blockquote':
      return quoteLines(blocksText(blocks))
    case 'signature':
      return `${SIGNATURE_GUARD}\n${blocksText(blocks)}`
    case 'bulletList':
      return blocks.map((item) => itemText('- ', item)).join('\n')
    case 'orderedList': {
      const start = Number(node.attrs?.start ?? 1)
      return blocks.map((item, index) => itemText(`${start + index}. `, item)).join('\n')
    }
    case 'horizontalRule':
      return '---'
    case 'table':
      return blocks.map(({ content: cells = [] }) => cells.map(cellText).join(' | ')).join('\n')
    default:
      return blocks.map(inlineText).join('')
  }
}

const cellText = ({ content = [] }: DocNode): string => blocksText(content).replace(/\s*\n\s*/g, ' ')

const itemText = (sign: string, { content = [] }: DocNode): string =>
  sign + tightText(content).replaceAll('\n', `\n${' '.repeat(sign.length)}`)

const tightText = (blocks: readonly DocNode[]): string => blocks.map(blockText).join('\n')

/** RFC 3676 §4.5: quoted again, the signs stand together. */
export const quoteLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n')

const inlineText = ({ type, text = '', attrs, marks = [] }: DocNode): string => {
  if (type === 'hardBreak') return '\n'
  if (type === 'image') return attrs?.alt ? `[${String(attrs.alt)}]` : ''
  const href = marks.find((mark) => mark.type === 'link')?.attrs?.href ?? null
  const plain = text.replaceAll('\u00a0', ' ')
  return href === null || isSameAddress(plain, href) ? plain : `${plain} <${href}>`
}

const isSameAddress = (text: string, href: string): boolean => {
  const bare = (address: string) =>
    address
      .trim()
      .replace(/^(?:https?:\/\/|mailto:|tel:)/i, '')
      .replace(/\/$/, '')
      .toLowerCase()
  return bare(text) === bare(href)
}
