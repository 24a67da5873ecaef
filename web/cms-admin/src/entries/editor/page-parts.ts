import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'

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

/** What of an entry is edited as a page, and what as a form below it. */
export const pagePartsOf = ({ fields }: Pick<ContentType, 'fields'>): PageParts => {
  const cover = fields.find((field) => COVER.test(field.key) && takesImages(field))
  const text = fields.find(({ type }) => type === 'richtext' || type === 'markdown')
  return { cover, text, rest: fields.filter((field) => field !== cover && field !== text) }
}

const takesImages = (field: Field): boolean =>
  field.type === 'media' && field.accept.some((type) => type.startsWith('image/'))
