import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { viewOf } from '../../fields/index.ts'

/** How the picture is called that stands for a whole entry. */
const COVER = /^(?:cover|hero|banner|featured)|^(?:image|picture|photo)$/i

type PageParts = {
  /** Shown above the title. */
  cover: Field | undefined
  /** Written below the title, as on a page. */
  text: Field | undefined
  /** All others, in the order of the type. */
  rest: readonly Field[]
}

/** Splits the fields into those edited as a page and those in a form below it. */
export const pagePartsOf = ({ fields }: Pick<ContentType, 'fields'>): PageParts => {
  const onPage = (field: Field) => viewOf(field).onPage?.(field)
  const cover = fields.find((field) => COVER.test(field.key) && onPage(field) === 'cover')
  const text = fields.find((field) => onPage(field) === 'text')
  return { cover, text, rest: fields.filter((field) => field !== cover && field !== text) }
}
