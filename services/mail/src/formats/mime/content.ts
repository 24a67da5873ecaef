import { headerBytes, headerText } from './header-text.ts'
import { type Parameters, parameterValue, parseParameterised } from './parameters.ts'
import type { Bytes, HeaderField, Part } from './structure.ts'

/** What a part's header says about its body, in the form that the parser needs. */
export type ContentHeader = { readonly type: string; readonly encoding: string; readonly boundary: string }

const NOT_ASCII = /[\x80-\uffff]/
const TYPE = /^[a-z0-9!#$&^_.+*'`{}|~%-]{1,127}\/[a-z0-9!#$&^_.+*'`{}|~%-]{1,127}$/
/** Types that mailers write without their second half. */
const HALF_TYPES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  html: 'text/html',
  multipart: 'multipart/mixed',
}

export const contentOf = (part: Pick<Part, 'fields'>, bytes: Bytes, defaultType: string): ContentHeader => {
  let typeField: HeaderField | null = null
  let encodingField: HeaderField | null = null
  for (const field of part.fields) {
    if (field.name === 'content-type') typeField ??= field
    else if (field.name === 'content-transfer-encoding') encodingField ??= field
  }
  const encoding = encodingField ? encodingOf(headerText(bytes, encodingField)) : '7bit'
  if (!typeField) return { type: defaultType, encoding, boundary: '' }
  const { value, parameters } = parseParameterised(headerText(bytes, typeField))
  const type = readType(value) ?? (parameterValue(parameters, 'name') ? 'application/octet-stream' : 'text/plain')
  if (!type.startsWith('multipart/')) return { type, encoding, boundary: '' }
  const boundary = boundaryIn(parameters)
  if (!NOT_ASCII.test(boundary)) return { type, encoding, boundary }
  return { type, encoding, boundary: boundaryIn(parseParameterised(headerBytes(bytes, typeField)).parameters) }
}

/** A media type in lower case. A wrong one counts as text (RFC 2045 §5.2). */
export const mediaType = (value: string): string => readType(value) ?? 'text/plain'

const readType = (value: string): string | null => {
  const type = value.toLowerCase().replace(/\s+/g, '')
  if (TYPE.test(type)) return type
  if (Object.hasOwn(HALF_TYPES, type)) return HALF_TYPES[type] ?? null
  const [, main = '', sub = ''] = FIRST_TYPE.exec(value) ?? []
  const first = `${main}/${sub}`.toLowerCase()
  return TYPE.test(first) ? first : null
}

/** A type with quotes around it, or with something behind it that does not belong there. */
const FIRST_TYPE = /^["\s]*([^\s/",:]{1,127})\s*\/\s*([^\s/",:]{1,127})(?=[\s",:]|$)/

/** The boundary as it stands in the bytes: delimiters are compared byte by byte, whatever looks like an encoded word. */
const boundaryIn = (parameters: Parameters): string => {
  const plain = parameters.find(([name]) => name === 'boundary')?.[1]
  const boundary = plain ?? Buffer.from(parameterValue(parameters, 'boundary') ?? '', 'utf8').toString('latin1')
  return boundary.trimEnd()
}

const encodingOf = (value: string): string => {
  const encoding = /[^\s;()"]{1,40}/.exec(value)?.[0]?.toLowerCase() ?? '7bit'
  return ALIASES.get(encoding) ?? encoding
}

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['7-bit', '7bit'],
  ['8-bit', '8bit'],
  ['7bits', '7bit'],
  ['8bits', '8bit'],
  ['quoted-printable:', 'quoted-printable'],
  ['quotedprintable', 'quoted-printable'],
  // From `quoted printable`.
  ['quoted', 'quoted-printable'],
  ['quoted_printable', 'quoted-printable'],
  ['base-64', 'base64'],
])
