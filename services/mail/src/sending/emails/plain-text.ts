import { BoundedTokenizer } from '@stoa/html/parse.ts'
import { type Token, type TokenHandler, type Tokenizer, TokenizerMode } from 'parse5'

/** Longer ones have no text beside them: it would take long to make, and nobody reads it. */
const MAX_HTML = 2_097_152

/** Elements without readable text, with the tokenizer state that finds their end. */
const SILENT: ReadonlyMap<string, Tokenizer['state'] | null> = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['title', TokenizerMode.RCDATA],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['textarea', TokenizerMode.RCDATA],
  ['head', null],
  ['template', null],
  ['svg', null],
  ['math', null],
  ['object', null],
  ['select', null],
])

/** Elements that begin a new line; 2: with an empty line before. */
const BLOCKS: ReadonlyMap<string, 1 | 2> = new Map([
  ...'div section article header footer main nav aside address dt dd li tr figcaption form'
    .split(' ')
    .map((name): [string, 1] => [name, 1]),
  ...'p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre hr figure center'
    .split(' ')
    .map((name): [string, 2] => [name, 2]),
])

/**
 * The words of a mail's HTML for the part that programs without HTML show: paragraphs, lists, links with where they lead
 * to, and what pictures stand for. In time that grows with its length; null when it is too long.
 */
export const plainTextOf = (html: string): string | null => {
  if (html.length > MAX_HTML) return null
  const page = new Page()
  const tokenizer = new BoundedTokenizer(
    {},
    handlerFor(page, (): Tokenizer => tokenizer),
  )
  tokenizer.write(html, true)
  return page.text()
}

const handlerFor = (page: Page, tokenizer: () => Tokenizer): TokenHandler => ({
  onStartTag(token) {
    const mode = SILENT.get(token.tagName)
    if (mode) tokenizer().state = mode
    startTag(page, token)
  },
  onEndTag: ({ tagName }) => endTag(page, tagName),
  onCharacter: ({ chars }) => page.write(chars),
  onWhitespaceCharacter: ({ chars }) => page.space(chars),
  onNullCharacter: nothing,
  onComment: nothing,
  onDoctype: nothing,
  onEof: nothing,
})

const nothing = (): void => undefined

const startTag = (page: Page, { tagName, attrs, selfClosing }: Token.TagToken): void => {
  const attribute = (name: string): string => attrs.find((one) => one.name === name)?.value ?? ''
  if (SILENT.has(tagName)) {
    if (!selfClosing) page.silence(tagName)
    return
  }
  const lines = BLOCKS.get(tagName)
  if (lines) page.breakLine(lines)
  if (tagName === 'br') page.newLine()
  if (tagName === 'hr') page.write('---')
  if (tagName === 'td' || tagName === 'th') page.space(' ')
  if (tagName === 'li') page.write('* ')
  if (tagName === 'img') page.write(attribute('alt').replace(/\s+/g, ' '))
  if (tagName === 'pre') page.pre += 1
  if (tagName === 'a') page.openLink(attribute('href').trim())
}

const endTag = (page: Page, tagName: string): void => {
  page.speak(tagName)
  if (tagName === 'a') page.closeLink()
  if (tagName === 'pre') page.pre = Math.max(0, page.pre - 1)
  const lines = BLOCKS.get(tagName)
  if (lines) page.breakLine(lines)
}

const SPACE = 32
const LINE_END = 10

/** Text under way: spaces are joined, and empty lines come one at a time. */
class Page {
  pre = 0
  readonly #pieces: string[] = []
  #silent: string | null = null
  #depth = 0
  #lines = 2
  #isSpace = true
  #link: { href: string; from: number } | null = null

  write(text: string): void {
    if (this.#silent === null && text !== '') this.#push(text)
  }

  /** One space for many, and none where a line begins. */
  space(chars: string): void {
    if (this.#silent !== null) return
    if (this.pre > 0) this.#push(chars.replace(/\r\n?/g, '\n'))
    else if (!this.#isSpace) this.#push(' ')
  }

  newLine(): void {
    if (this.#silent === null) this.#push('\n')
  }

  /** At least so many line ends before what comes next. */
  breakLine(count: 1 | 2): void {
    if (this.#silent === null && this.#lines < count) this.#push('\n'.repeat(count - this.#lines))
  }

  /** Only the outermost of the same kind counts: what is in it is silent, too. */
  silence(name: string): void {
    if (this.#silent === null) this.#silent = name
    if (this.#silent === name) this.#depth += 1
  }

  speak(name: string): void {
    if (this.#silent !== name) return
    this.#depth -= 1
    if (this.#depth === 0) this.#silent = null
  }

  openLink(href: string): void {
    this.#link = { href, from: this.#pieces.length }
  }

  closeLink(): void {
    const link = this.#link
    this.#link = null
    if (!link || !/^(?:https?|mailto|tel):/i.test(link.href) || /\s/.test(link.href)) return
    const shown = this.#pieces.slice(link.from).join('').trim()
    const address = link.href.replace(/^(?:mailto|tel):/i, '')
    if (shown !== link.href && shown !== address) this.write(shown === '' ? link.href : ` [${link.href}]`)
  }

  text(): string {
    return this.#pieces
      .join('')
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/\u00a0/g, ' ')
      .trim()
      .toWellFormed()
  }

  #push(text: string): void {
    this.#pieces.push(text)
    let ends = 0
    while (ends < text.length && text.charCodeAt(text.length - 1 - ends) === LINE_END) ends += 1
    this.#lines = ends === text.length ? this.#lines + ends : ends
    this.#isSpace = ends > 0 || text.charCodeAt(text.length - 1) === SPACE
  }
}
