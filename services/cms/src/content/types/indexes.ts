import { createHash } from 'node:crypto'
import type { Scalar } from '@stoa/cms-model/fields/define.ts'
import { scalarOf } from '@stoa/cms-model/fields/field.ts'
import { escapeLiteral } from 'pg'
import type { ContentType } from './content-type.ts'

/** An index takes no longer rows. A comparison with `=` compares the whole value as well. */
export const INDEXED_TEXT_LENGTH = 200

/**
 * The value of a field of `entry.data` as SQL, as it is shown: null where it is not of the field's kind, and for empty
 * text; what is not true is false. It is what fields are sorted and filtered by. It must be written exactly like this for the index of the field to be used, which is made of this
 * expression, then the id, over entries of the type that are not in the trash.
 */
export const fieldExpression = (scalar: Scalar, key: string): string => {
  const name = escapeLiteral(key)
  const as = (kind: string, value: string) => `case jsonb_typeof(data -> ${name}) when '${kind}' then ${value} end`
  switch (scalar) {
    case 'text':
      return `(${as('string', `nullif(left(data ->> ${name}, ${INDEXED_TEXT_LENGTH}), '')`)})`
    case 'date':
    case 'datetime':
      // Days and moments are stored so that they sort as text does, letter by letter.
      return `((${as('string', `left(data ->> ${name}, ${INDEXED_TEXT_LENGTH})`)}) collate "C")`
    case 'number':
      return `(${as('number', `(data ->> ${name})::numeric`)})`
    case 'boolean':
      return `coalesce(data -> ${name} = 'true'::jsonb, false)`
  }
}

export type FieldIndex = { name: string; definition: string }

/** Distinguishes indexes of fields from those of the migrations. */
export const INDEX_PREFIX = 'entry_field_'

/** The indexes that a type asks for. A field of another kind of value has another index. */
export const indexesOf = (type: Pick<ContentType, 'name' | 'fields'>): FieldIndex[] =>
  type.fields.flatMap((field) => {
    const scalar = scalarOf(field)
    return field.indexed && scalar !== undefined ? [toIndex(type.name, field.key, scalar)] : []
  })

const toIndex = (type: string, key: string, scalar: Scalar): FieldIndex => ({
  // Type and key together are longer than a name of PostgreSQL may be.
  name:
    INDEX_PREFIX +
    createHash('sha256')
      .update(`${type}.${key}.${fieldExpression(scalar, key)}`)
      .digest('hex')
      .slice(0, 40),
  definition: `on entry (${fieldExpression(scalar, key)}, id) where type = ${escapeLiteral(type)} and deleted_at is null`,
})
