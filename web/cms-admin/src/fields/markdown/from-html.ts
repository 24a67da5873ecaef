import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import TurndownService from 'turndown'

/** Stored HTML as Markdown. */
export const markdownOf = (html: string): string => service().turndown(withoutBlankLines(html)).trim()

/** True when the HTML says more than its plain text does. */
export const saysMore = (cleaned: string): boolean =>
  /<(?:h[2-4]|ul|ol|table|blockquote|strong|em|s|a|img|pre|code|hr|figure)\b/.test(cleaned)

const withoutBlankLines = (html: string): string => (cleanHtml(html) ?? '').replaceAll('<p></p>', '')

const service = (): TurndownService =>
  new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  })
    .addRule('strikethrough', { filter: ['s'], replacement: (content) => `~~${content}~~` })
    // Markdown has no words for these: what they hold stays
    .addRule('plain', { filter: ['u', 'mark', 'sub', 'sup'], replacement: (content) => content })
    .addRule('caption', { filter: ['figcaption'], replacement: (content) => `\n\n*${content.trim()}*\n\n` })
    .addRule('cell', {
      filter: ['td', 'th'],
      replacement: (content) =>
        `| ${content
          .trim()
          .replace(/\s*\n\s*/g, ' ')
          .replaceAll('|', '\\|')} `,
    })
    .addRule('row', {
      filter: ['tr'],
      replacement: (content, row) => {
        const cells = row.childNodes.length
        const line = `${content.trim()} |\n`
        return isFirstRow(row) ? `${line}|${' --- |'.repeat(cells)}\n` : line
      },
    })
    .addRule('table', { filter: ['table'], replacement: (content) => `\n\n${content.trim()}\n\n` })
    .addRule('rows', { filter: ['thead', 'tbody'], replacement: (content) => content })

const isFirstRow = (row: HTMLElement): boolean => {
  const group = row.parentNode
  if (!group || group.firstChild !== row) return false
  const before = group.previousSibling?.nodeName
  return before === undefined || before === 'CAPTION'
}
