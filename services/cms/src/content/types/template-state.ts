import { hash } from 'node:crypto'
import { TEMPLATE_FORMAT } from '@stoa/cms-model/delivery/template.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import type { ContentType } from './content-type.ts'

/**
 * Names a state of a type's fields: what visitors see of an entry's data can be kept for it. The order of fields is part of
 * it, because it is the order of what is shown.
 */
export const templateState = ({
  name,
  fields,
  searchVersion,
}: Pick<ContentType, 'name' | 'fields' | 'searchVersion'>) =>
  hash('sha1', JSON.stringify([TEMPLATE_FORMAT, name, searchVersion, orderOf(fields)]), 'base64url')

/** Keys as they follow each other, also inside of lists. */
export const orderOf = (fields: readonly Field[]): unknown[] =>
  fields.map((field) => (field.type === 'list' ? [field.key, orderOf(field.fields)] : field.key))
