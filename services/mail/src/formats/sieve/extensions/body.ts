import { hasTag, keys, tagTexts } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { defineExtension } from '../define.ts'
import { htmlText } from '../html-text.ts'
import { keepingCaptures } from '../match/captures.ts'
import { matchValues } from '../match/match.ts'
import { partsBelow, type SievePart } from '../message.ts'
import type { Run } from '../run-state.ts'

/** RFC 5173. */
export const body = defineExtension({
  name: 'body',
  tests: {
    body: {
      positional: ['strings'],
      matches: true,
      tags: {
        raw: { oneOf: 'transform' },
        content: { value: 'strings', oneOf: 'transform' },
        text: { oneOf: 'transform' },
      },
      test: async (call, run) => {
        const raw = await run.chain.message.body()
        // RFC 5173 §4: of a message that is a header and nothing else, every test is false.
        if (raw === null) return false
        const values = await bodyTexts(call, raw, run)
        // RFC 5173 §6: what a body test matches sets no variables.
        return keepingCaptures(run, () => matchValues(call, values, keys(call, run), run))
      },
    },
  },
})

const bodyTexts = async (call: Call, raw: string, run: Run): Promise<string[]> => {
  const { message } = run.chain
  if (hasTag(call, 'raw')) return [raw]
  const all = partsBelow(message.root, run.limits.parts)
  run.spend(all.length)
  if (hasTag(call, 'content')) return contentTexts(all, tagTexts(call, 'content', run), run)
  const texts = all.filter((part) => part.type === 'text' || isXhtml(part))
  return Promise.all(texts.map((part) => readableText(part, run)))
}

const contentTexts = async (all: readonly SievePart[], types: readonly string[], run: Run): Promise<string[]> => {
  const found: string[] = []
  for (const part of all) {
    if (!types.some((type) => isOfType(part, type))) continue
    // RFC 5173 §5.2: the prologue and the epilogue of a multipart are two strings.
    const texts = part.around ? await part.around() : [await contentText(part)]
    for (const text of texts) run.spend(text.length / 64)
    found.push(...texts)
  }
  return found
}

/** RFC 5173 §5.2: `""` is every type, `text` all of them, `text/html` one; a type with other slashes is none. */
const isOfType = ({ type, subtype }: SievePart, wanted: string): boolean => {
  const lower = wanted.toLowerCase()
  if (lower === '' || lower === type) return true
  return lower === `${type}/${subtype}` && lower.split('/').length === 2
}

/** RFC 5173 §5.2: of an enclosed message its header, of everything else what it holds itself. */
const contentText = (part: SievePart): string | Promise<string> => {
  const [inner] = part.parts
  if (part.type !== 'message' || !inner) return part.text()
  return inner.headers.map(({ name, raw }) => `${name}:${raw}\r\n`).join('')
}

const readableText = async (part: SievePart, run: Run): Promise<string> => {
  const text = (await part.text()).slice(0, run.limits.textLength)
  run.spend(text.length / 64)
  return part.subtype === 'html' || isXhtml(part) ? htmlText(text) : text
}

const isXhtml = ({ type, subtype }: SievePart): boolean => type === 'application' && subtype === 'xhtml+xml'
