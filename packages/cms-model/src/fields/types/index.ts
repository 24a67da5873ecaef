import type { FieldDefinition } from '../define.ts'
import { boolean } from './boolean.ts'
import { color } from './color.ts'
import { date } from './date.ts'
import { datetime } from './datetime.ts'
import { email } from './email.ts'
import { gallery } from './gallery.ts'
import { json } from './json.ts'
import { list } from './list.ts'
import { markdown } from './markdown.ts'
import { media } from './media.ts'
import { multiselect } from './multiselect.ts'
import { number } from './number.ts'
import { reference } from './reference.ts'
import { richtext } from './richtext.ts'
import { select } from './select.ts'
import { text } from './text.ts'
import { textarea } from './textarea.ts'
import { url } from './url.ts'

/** Every field type, in the order of the specification. */
export const fieldTypes = {
  text,
  textarea,
  richtext,
  markdown,
  number,
  boolean,
  date,
  datetime,
  select,
  multiselect,
  media,
  gallery,
  reference,
  // Read when it is asked for: the list needs this registry, so that either file may come first.
  get list() {
    return list
  },
  json,
  color,
  url,
  email,
}
export type FieldType = keyof typeof fieldTypes

// Keys of what was written down above, and nothing else.
export const fieldTypeNames = Object.keys(fieldTypes) as FieldType[]

export const isFieldType = (name: string | null): name is FieldType => name !== null && Object.hasOwn(fieldTypes, name)

/** The type of a field. It takes the field itself as options. */
export const typeOf = (field: { readonly type: FieldType }): FieldDefinition => fieldTypes[field.type]

/** Whether values of the type are texts, which are never null. */
export const isTextType = (type: FieldType): boolean => typeOf({ type }).empty({}) === ''
