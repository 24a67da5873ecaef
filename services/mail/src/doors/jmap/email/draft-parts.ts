import { mediaType, parameterValue, parseParameterised } from '../../../formats/mime/mime.ts'
import type { Args } from '../method.ts'
import { failProperties } from '../set-error.ts'
import { isId, isRecord, isStrings, isUnsignedInt } from '../standard/arguments.ts'
import { type Field, readFields } from './draft-fields.ts'

/** A part of a message that is to be written. */
export type DraftPart = {
  /** In lower case. */
  readonly type: string
  /** Parameters of the Content-Type, without the boundary. */
  readonly parameters: Readonly<Record<string, string>>
  /** The Content-Disposition, if there is one. */
  readonly disposition: { readonly value: string; readonly parameters: Readonly<Record<string, string>> } | null
  /** Other header fields. */
  readonly fields: readonly Field[]
  readonly content: DraftContent
}

export type DraftContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'blob'; readonly blobId: string }
  | { readonly kind: 'parts'; readonly parts: readonly DraftPart[] }

/** Texts by part id. */
export type BodyValues = ReadonlyMap<string, string>

/** The server's choices for parts that leave them out. */
type PartDefaults = { type?: string; disposition?: (part: { cid: unknown }) => string }

const TYPE = /^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}$/
const TOKEN = /^[A-Za-z0-9!#$&^_.+-]{1,60}$/
const CONTROL = /\p{Cc}/u
const CONTENT_ID = /^[^\s<>\p{Cc}]{1,900}$/u
const LANGUAGE = /^[A-Za-z0-9-]{1,35}$/
const LOCATION = /^[!-~]{1,900}$/
/** The parser's limit on parts of a message. */
const MAX_PARTS = 1_000

const PROPERTIES = new Set('partId blobId size name type charset disposition cid language location subParts'.split(' '))

/** The texts of a message that is to be written (RFC 8621 §4.6). */
export const readBodyValues = (value: unknown): BodyValues => {
  if (value === undefined || value === null) return new Map()
  if (!isRecord(value)) return failProperties(['bodyValues'], 'Body values must be an object.')
  return new Map(
    Object.entries(value).map(([partId, each]) => {
      const { value: text, isEncodingProblem = false, isTruncated = false, ...rest } = isRecord(each) ? each : {}
      const isGood = typeof text === 'string' && isEncodingProblem === false && isTruncated === false
      return isGood && Object.keys(rest).length === 0
        ? [partId, text]
        : failProperties(
            [`bodyValues/${partId}`],
            'A body value must have a value, and must not be truncated or have an encoding problem.',
          )
    }),
  )
}

/** Reads the parts of one message; `values` are its texts. */
export const createPartReader = (values: BodyValues) => {
  let count = 0
  const read = (value: unknown, path: string, defaults: PartDefaults = {}): DraftPart => {
    count += 1
    if (count > MAX_PARTS) return failProperties([path], `A message can have up to ${MAX_PARTS} parts.`)
    if (!isRecord(value)) return failProperties([path], 'A part must be an object.')
    const part = withoutNulls(value)
    checkNames(part, path)
    const { fields, given } = readFields(part, path, isOwnField)
    const contentType = readType(part, given.get('content-type'), path, defaults.type)
    const content = readContent(part, { type: contentType.type, path, values, read })
    return {
      ...withName(part, path, contentType, readDisposition(part, given.get('content-disposition'), path, defaults)),
      fields: [...fields, ...readOwnFields(part, given, path)],
      content,
    }
  }
  return read
}

const withoutNulls = (object: Args): Args =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))

const checkNames = (part: Args, path: string): void => {
  const unknown = Object.keys(part).filter((name) => !PROPERTIES.has(name) && !name.startsWith('header:'))
  if (unknown.length > 0)
    failProperties(
      unknown.map((name) => `${path}/${name}`),
      'This property cannot be set on a part.',
    )
}

/** Fields that are not written as they were given: what they say is part of the structure. */
const isOwnField = (field: string): boolean => field === 'content-type' || field === 'content-disposition'

const readType = (part: Args, header: string | undefined, path: string, otherwise?: string) => {
  const { type, charset } = part
  if (header !== undefined) {
    if (type !== undefined || charset !== undefined)
      return failProperties([`${path}/type`], 'The type is set twice: as a property and as a header field.')
    const { value, parameters } = parseParameterised(header.trim())
    const names = [...new Set(parameters.map(([name]) => name.replace(/\*.*$/s, '')))]
    const known = names.filter((name) => name !== 'boundary' && TOKEN.test(name))
    return {
      type: mediaType(value),
      parameters: Object.fromEntries(known.map((name) => [name, parameterValue(parameters, name) ?? ''])),
    }
  }
  const isMultipart = part.subParts !== undefined
  const fallback =
    otherwise ?? (isMultipart ? 'multipart/mixed' : part.blobId ? 'application/octet-stream' : 'text/plain')
  const given = type ?? fallback
  if (typeof given !== 'string' || !TYPE.test(given)) return failProperties([`${path}/type`], 'Invalid media type.')
  if (charset !== undefined && (typeof charset !== 'string' || !TOKEN.test(charset)))
    return failProperties([`${path}/charset`], 'Invalid charset name.')
  return { type: given.toLowerCase(), parameters: charset === undefined ? {} : { charset } }
}

const readDisposition = (part: Args, header: string | undefined, path: string, defaults: PartDefaults) => {
  const { disposition, name } = part
  if (header !== undefined) {
    if (disposition !== undefined || name !== undefined)
      return failProperties([`${path}/disposition`], 'The disposition or the name is set twice.')
    const { value, parameters } = parseParameterised(header.trim())
    const fileName = parameterValue(parameters, 'filename')
    if (!TOKEN.test(value)) return failProperties([`${path}/header:Content-Disposition`], 'Invalid disposition.')
    return { value, parameters: fileName === null ? {} : { filename: fileName } }
  }
  const given = disposition ?? defaults.disposition?.({ cid: part.cid })
  if (given === undefined) return null
  if (typeof given !== 'string' || !TOKEN.test(given))
    return failProperties([`${path}/disposition`], 'Invalid disposition.')
  return { value: given.toLowerCase(), parameters: {} }
}

/** RFC 8621 §4.1.4: the name is the file name of the disposition; without one, the name of the type. */
const withName = (
  { name, partId }: Args,
  path: string,
  { type, parameters }: { type: string; parameters: Record<string, string> },
  disposition: DraftPart['disposition'],
): Pick<DraftPart, 'type' | 'parameters' | 'disposition'> => {
  // What we write is UTF-8, whatever a header field said.
  const own = partId === undefined || !type.startsWith('text/') ? parameters : { ...parameters, charset: 'utf-8' }
  if (name === undefined) return { type, parameters: own, disposition }
  if (typeof name !== 'string' || CONTROL.test(name) || name.length > 1_000)
    return failProperties([`${path}/name`], 'Invalid file name.')
  if (disposition) return { type, parameters: own, disposition: { ...disposition, parameters: { filename: name } } }
  return { type, parameters: { ...own, name }, disposition }
}

type Reading = {
  type: string
  path: string
  values: BodyValues
  read: (value: unknown, path: string) => DraftPart
}

const readContent = (part: Args, { type, path, values, read }: Reading): DraftContent => {
  const { partId, blobId, subParts, charset, size } = part
  if (type.startsWith('multipart/')) {
    if (partId !== undefined || blobId !== undefined)
      return failProperties([path], 'A multipart must have parts and no content of its own.')
    if (!Array.isArray(subParts) || subParts.length === 0)
      return failProperties([`${path}/subParts`], 'A multipart must have at least one part.')
    return { kind: 'parts', parts: subParts.map((inner, index) => read(inner, `${path}/subParts/${index}`)) }
  }
  if (subParts !== undefined) return failProperties([`${path}/subParts`], 'Only a multipart can have parts.')
  if ((partId === undefined) === (blobId === undefined))
    return failProperties([`${path}/partId`, `${path}/blobId`], 'A part must have either a partId or a blobId.')
  if (blobId !== undefined) {
    if (size !== undefined && !isUnsignedInt(size)) return failProperties([`${path}/size`], 'Invalid size.')
    return isId(blobId) ? { kind: 'blob', blobId } : failProperties([`${path}/blobId`], 'Must be an id.')
  }
  if (charset !== undefined) return failProperties([`${path}/charset`], 'The charset of a text cannot be set.')
  if (size !== undefined) return failProperties([`${path}/size`], 'The size of a text cannot be set.')
  const text = typeof partId === 'string' ? values.get(partId) : undefined
  if (text === undefined) return failProperties([`${path}/partId`], 'bodyValues has no entry with this id.')
  return { kind: 'text', text }
}

/** Header fields that parts have properties for. */
const readOwnFields = (part: Args, given: ReadonlyMap<string, string>, path: string): Field[] => {
  const { cid, language, location } = part
  const one = (name: string, property: string, isGood: boolean, value: () => string): Field[] => {
    if (part[property] === undefined) return []
    if (given.has(name.toLowerCase()) || !isGood)
      return failProperties([`${path}/${property}`], 'Set twice, or not valid in a header field.')
    return [{ name, value: ` ${value()}` }]
  }
  const hasLanguages = isStrings(language) && language.length > 0 && language.length <= 50
  return [
    ...one('Content-ID', 'cid', typeof cid === 'string' && CONTENT_ID.test(cid), () => `<${cid}>`),
    ...one('Content-Language', 'language', hasLanguages && language.every((tag) => LANGUAGE.test(tag)), () =>
      isStrings(language) ? language.join(', ') : '',
    ),
    ...one(
      'Content-Location',
      'location',
      typeof location === 'string' && LOCATION.test(location),
      () => `${location}`,
    ),
  ]
}
