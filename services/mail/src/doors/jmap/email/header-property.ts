import { type HeaderForm, isFormAllowed } from '../../../formats/mime/mime.ts'

/** A property like `header:Resent-To:asAddresses:all` (RFC 8621 §4.1.3). */
export type HeaderProperty = {
  /** The property as the client spelled it: the response uses the same name. */
  readonly property: string
  /** The field name as the client spelled it. */
  readonly name: string
  /** In lower case. */
  readonly field: string
  readonly form: HeaderForm
  readonly isAll: boolean
}

const FORMS: ReadonlyMap<string, HeaderForm> = new Map([
  ['asRaw', 'raw'],
  ['asText', 'text'],
  ['asAddresses', 'addresses'],
  ['asGroupedAddresses', 'groupedAddresses'],
  ['asMessageIds', 'messageIds'],
  ['asDate', 'date'],
  ['asURLs', 'urls'],
])

/** Longer names are in no message: the parser takes them for text. */
const MAX_NAME = 256
const NAME = /^[!-9;-~]+$/

/** True for names of properties that are meant to be header fields, right or wrong. */
export const isHeaderProperty = (property: string): boolean => property.startsWith('header:')

/** The header field that a property names, or null when it is none, or in a form that is forbidden for it. */
export const parseHeaderProperty = (property: string): HeaderProperty | null => {
  if (!isHeaderProperty(property)) return null
  const [, name = '', ...suffixes] = property.split(':')
  const isAll = suffixes.at(-1) === 'all'
  const [formName, ...rest] = isAll ? suffixes.slice(0, -1) : suffixes
  const form = formName === undefined ? 'raw' : FORMS.get(formName)
  if (form === undefined || rest.length > 0 || !isFieldName(name) || !isFormAllowed(name, form)) return null
  return { property, name, field: name.toLowerCase(), form, isAll }
}

const isFieldName = (name: string): boolean => name.length <= MAX_NAME && NAME.test(name)
