import { hasTag, tagTexts } from '../arguments.ts'
import { currentPart } from '../current-part.ts'
import { defineExtension, type TagDefinition } from '../define.ts'
import { headersNamed, partsBelow, type SieveHeader } from '../message.ts'
import { mainValue, parametersOf } from '../mime-values.ts'

const needsMime = (name: string): Pick<TagDefinition, 'check'> => ({
  check: (call) => (hasTag(call, 'mime') ? null : `":${name}" requires ":mime"`),
})

/** RFC 5703 §4.1: the header of the current part, with `:anychild` also those of the parts below it. */
const mimeTag: TagDefinition = {
  headers: {
    stage: 'source',
    pick: (_found, call, run, name) => {
      const { part } = currentPart(run)
      const parts = hasTag(call, 'anychild') ? partsBelow(part, run.limits.parts) : [part]
      run.spend(parts.length)
      return parts.flatMap(({ headers }) => headersNamed(headers, name))
    },
  },
}

const valueTag = (name: string, read: (value: string) => readonly string[]): TagDefinition => ({
  ...needsMime(name),
  oneOf: 'mime option',
  headers: {
    stage: 'value',
    pick: (found) => found.flatMap((header) => read(header.decoded).map((value) => withValue(header, value))),
  },
})

const withValue = ({ name }: SieveHeader, value: string): SieveHeader => ({ name, raw: value, decoded: value })

/** RFC 5703 §4.2. A disposition has no second half. */
const options = {
  type: valueTag('type', (value) => [mainValue(value).split('/')[0] ?? '']),
  subtype: valueTag('subtype', (value) => [mainValue(value).split('/')[1] ?? '']),
  contenttype: valueTag('contenttype', (value) => [mainValue(value)]),
  param: {
    ...needsMime('param'),
    value: 'strings',
    oneOf: 'mime option',
    headers: {
      stage: 'value',
      pick: (found, call, run) => {
        const names = tagTexts(call, 'param', run).map((name) => name.toLowerCase())
        return found.flatMap((header) => {
          run.spend(1 + header.decoded.length / 16)
          const parameters = parametersOf(header.decoded)
          return names.flatMap((name) => (parameters.has(name) ? [withValue(header, parameters.get(name) ?? '')] : []))
        })
      },
    },
  } satisfies TagDefinition,
}

const source = { mime: mimeTag, anychild: needsMime('anychild') }

/** RFC 5703 §4. */
export const mime = defineExtension({
  name: 'mime',
  tags: { header: { ...source, ...options }, address: source, exists: source },
})
