import type { Args } from '../method.ts'
import { failProperties } from '../set-error.ts'
import { type HeaderProperty, isHeaderProperty, parseHeaderProperty } from './header-property.ts'
import { writeForm } from './header-values.ts'

/** A header field as it is sent: its value is folded, with the space before it. */
export type Field = { readonly name: string; readonly value: string }

/**
 * The header fields that an object for Email/set gives by `header:` properties. Those that `isOwn` names are only given
 * by name, and not among the fields.
 */
export const readFields = (
  object: Args,
  path: string,
  isOwn: (field: string) => boolean = () => false,
): { fields: Field[]; given: Map<string, string> } => {
  const fields: Field[] = []
  const given = new Map<string, string>()
  for (const [property, value] of Object.entries(object)) {
    if (!isHeaderProperty(property) || value === null) continue
    const header = parseHeaderProperty(property)
    const at = path === '' ? property : `${path}/${property}`
    if (!header || header.field === 'content-transfer-encoding')
      return failProperties([at], 'This header field or form cannot be set.')
    if (given.has(header.field)) return failProperties([at], 'This header field is set twice.')
    const values = writeValues(header, value, at)
    given.set(header.field, values.at(-1) ?? '')
    if (!isOwn(header.field)) fields.push(...values.map((each) => ({ name: header.name, value: each })))
  }
  return { fields, given }
}

/** More fields of one name are no mail. */
const MAX_FIELDS = 200

const writeValues = ({ form, isAll }: HeaderProperty, value: unknown, path: string): string[] => {
  const values = isAll ? value : [value]
  if (!Array.isArray(values) || values.length > MAX_FIELDS)
    return failProperties([path], 'Must be a list with one value for each header field.')
  return values.map((each) => writeValue(form, each, path))
}

export const writeValue = (form: HeaderProperty['form'], value: unknown, path: string): string =>
  writeForm(form, value) ?? failProperties([path], 'This value is not valid in a header field.')
