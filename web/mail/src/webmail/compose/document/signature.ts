import type { Identity } from '@stoa/mail-model/identities.ts'
import { docToText, SIGNATURE_LINE } from './doc-to-mail.ts'
import { type DocNode, docOf, paragraph } from './document.ts'
import { htmlToBlocks } from './html-to-doc.ts'
import { FORWARD_LINE } from './quote.ts'
import { textToBlocks } from './text-to-doc.ts'

type Signed = Pick<Identity, 'signature_html' | 'signature_text'> | null

/** The signature of an identity for formatted text; none when it has none. */
const signatureBlocks = (identity: Signed): DocNode[] => {
  if (identity === null) return []
  const blocks = htmlToBlocks(identity.signature_html)
  if (blocks.length > 0) return blocks
  const text = identity.signature_text.trim()
  return text === '' ? [] : textToBlocks(text)
}

/** The signature of an identity for plain text. */
const signatureText = (identity: Signed): string => {
  if (identity === null) return ''
  const text = identity.signature_text.replace(/\r\n?/g, '\n').trim()
  return text === '' ? docToText(docOf(htmlToBlocks(identity.signature_html))).trim() : text
}

/** Room to write, the signature, and the original below. */
export const signedDoc = (written: readonly DocNode[], identity: Signed, quote: readonly DocNode[]): DocNode => {
  const signature = signatureBlocks(identity)
  return docOf([
    ...(written.length > 0 ? written : [paragraph()]),
    ...(signature.length > 0 ? [paragraph(), { type: 'signature', content: signature }] : []),
    ...(quote.length > 0 ? [paragraph(), ...quote] : []),
  ])
}

export const signedText = (written: string, identity: Signed, quote: string): string => {
  const signature = signatureText(identity)
  return [
    written,
    ...(signature === '' ? [] : ['', `${SIGNATURE_LINE}\n${signature}`]),
    ...(quote === '' ? [] : ['', quote]),
  ].join('\n')
}

/** Replaces the signature by that of another identity, in the old one's place or above the original. */
export const swapSignature = (doc: DocNode, identity: Signed): DocNode => {
  const blocks = doc.content ?? []
  const signature = signatureBlocks(identity)
  const node: DocNode[] = signature.length > 0 ? [{ type: 'signature', content: signature }] : []
  const at = blocks.findIndex(({ type }) => type === 'signature')
  if (at !== -1) return docOf([...blocks.slice(0, at), ...node, ...blocks.slice(at + 1)])
  if (node.length === 0) return doc
  const quote = quoteStart(blocks)
  const before = withoutEmptyEnd(blocks.slice(0, quote))
  const after = blocks.slice(quote)
  return docOf([...before, paragraph(), ...node, ...(after.length > 0 ? [paragraph(), ...after] : [])])
}

export const swapTextSignature = (text: string, from: Signed, to: Signed): string => {
  const [before, after] = [signatureText(from), signatureText(to)]
  const old = `${SIGNATURE_LINE}\n${before}`
  const signed = after === '' ? '' : `${SIGNATURE_LINE}\n${after}`
  const at = before === '' ? -1 : text.indexOf(old)
  if (at !== -1) return `${text.slice(0, at)}${signed}${text.slice(at + old.length)}`
  if (signed === '') return text
  const quote = textQuoteStart(text)
  const written = text.slice(0, quote).trimEnd()
  const rest = text.slice(quote)
  return `${written}\n\n${signed}${rest === '' ? '' : `\n\n${rest}`}`
}

/** The index of the line that introduces the quoted original. */
const quoteStart = (blocks: readonly DocNode[]): number => {
  const forwarded = blocks.findIndex((block) => textOf(block).startsWith(FORWARD_LINE))
  if (forwarded !== -1) return forwarded
  const quote = blocks.findIndex(({ type }) => type === 'blockquote')
  if (quote === -1) return blocks.length
  const before = blocks[quote - 1]
  return before && isAttribution(textOf(before)) ? quote - 1 : quote
}

const textQuoteStart = (text: string): number => {
  const lines = text.split('\n')
  const at = lines.findIndex(
    (line, index) =>
      line === FORWARD_LINE ||
      (isAttribution(line) && (lines[index + 1] ?? '').startsWith('>')) ||
      (line.startsWith('>') && !isAttribution(lines[index - 1] ?? '')),
  )
  return at === -1 ? text.length : lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0)
}

const isAttribution = (line: string): boolean => /^On .+ wrote:$/.test(line.trim())

const textOf = ({ text = '', content = [] }: DocNode): string => text + content.map(textOf).join('')

const withoutEmptyEnd = (blocks: readonly DocNode[]): readonly DocNode[] => {
  let end = blocks.length
  // One line to write in stays
  while (end > 1 && blocks[end - 1]?.type === 'paragraph' && !blocks[end - 1]?.content) end -= 1
  return blocks.slice(0, end)
}
