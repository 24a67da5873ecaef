import type { Field } from './field.ts'
import { typeOf } from './types/index.ts'

/** The field whose picture stands for an entry: one with a single file, if there is one. */
export const pictureField = (fields: readonly Field[]): Field | undefined => {
  const pictures = fields.filter((field) => typeOf(field).comparesAs === 'media')
  return pictures.find((field) => !Array.isArray(typeOf(field).empty(field))) ?? pictures[0]
}
