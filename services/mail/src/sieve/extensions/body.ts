import { hasTag, keys, tagTexts } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { defineExtension } from '../define.ts'
import { htmlText } from '../html-text.ts'
import { keepingCaptures } from '../match/captures.ts'
import { matchValues } from '../match/match.ts'
import { partsBelow, type SievePart } from '../message.ts'
import type { Run } from '../run.ts'

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
        const values = await bodyTexts(call, run)
        // RFC 5173 §6: what a body test matches sets no variables.
        return keepingCaptures(run, () => matchValues(call, values, keys(call, run), run))
      },
    },
  },
})

const bodyTexts = async (call: Call, run: Run): Promise<string[]> => {
  const { message } = run.chain
  if (hasTag(call, 'raw')) return [await message.body()]
  const all = partsBelow(message.root, run.limits.parts)
  run.spend(all.length)
  if (hasTag(call, 'content')) return contentTexts(all, tagTexts(call, 'content', run))
  const texts = all.filter(({ type }) => type === 'text')
  return Promise.all(texts.map((part) => readableText(part, run)))
}

const contentTexts = (all: readonly SievePart[], types: readonly string[]): Promise<string[]> =>
  Promise.all(all.filter((part) => types.some((type) => isOfType(part, type))).map(contentText))

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
  return part.subtype === 'html' ? htmlText(text) : text
}
