import { z } from 'zod'
import { isObjectMember, typeName } from './fields/names.ts'
import { oneLine } from './one-line.ts'
import { isPositional, selector, withoutSpaces } from './selectors.ts'

/** More sections than this is more than one page. */
const MAX_SECTIONS = 200
const MAX_FIELDS = 300
/** A content type each. */
const MAX_DEFINITIONS = 500
const MAX_LABEL_LENGTH = 200

/** The title of an entry, where a field key is expected: it is no member of `data`. */
export const TITLE_KEY = '$title'

const label = oneLine({ min: 1, max: MAX_LABEL_LENGTH })

/** The id of a section or of a website part: it is stored in layouts and written into attributes. */
export const placeId = z
  .string('must be an ID like "hero"')
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must contain only letters, digits, - and _, up to 64 characters, like "hero"')

const fieldKey = z
  .string()
  .refine((key) => /^[a-z][a-zA-Z0-9]{0,62}$/.test(key) && !isObjectMember(key), 'must be a field key like "heroTitle"')

const fieldOrTitle = z.union(
  [z.literal(TITLE_KEY), fieldKey],
  `must be a field key like "heroTitle", or "${TITLE_KEY}"`,
)

/** Where records are kept that the page shows: entries of that type, under that name. */
const records = z.strictObject({ type: typeName, label })

const section = z.strictObject({
  id: placeId,
  label,
  selector,
  /** Fields that are edited in this section. */
  fields: z.array(fieldOrTitle).max(MAX_FIELDS).default([]),
  /** False: it keeps its place on the page. */
  movable: z.boolean().default(true),
  collection: records.optional(),
})

/** How the page of one content type is edited on the page itself. */
export const visualDefinition = z
  .strictObject({
    sections: z.array(section).max(MAX_SECTIONS).default([]),
    /** Field key to the elements that show it. */
    fields: z.record(fieldOrTitle, selector).default({}),
    /** Fields that hold the slug of an entry of another type. */
    references: z.record(fieldKey, records).default({}),
    /** Fields that hold text with italics and line breaks. */
    formatted: z.array(fieldKey).max(MAX_FIELDS).default([]),
  })
  .superRefine((definition, context) => {
    for (const { path, message } of sectionProblems(definition.sections))
      context.addIssue({ code: 'custom', path: ['sections', ...path], message })
  })
export type VisualDefinition = z.infer<typeof visualDefinition>
export type VisualSection = VisualDefinition['sections'][number]

/** The pages that can be edited visually, by content type. A type without a definition keeps the field editor. */
export const visualDefinitions = z
  .record(typeName, visualDefinition)
  .refine(
    (definitions) => Object.keys(definitions).length <= MAX_DEFINITIONS,
    `must have at most ${MAX_DEFINITIONS} entries`,
  )
export type VisualDefinitions = Readonly<Record<string, VisualDefinition>>

/** The definition of that type, if the host gave one. */
export const visualOf = (definitions: VisualDefinitions, type: string): VisualDefinition | undefined =>
  Object.hasOwn(definitions, type) ? definitions[type] : undefined

/** Which page to fetch for the editor: that of a preview link, or the one on which shared parts are edited. */
export const visualPageInput = z.union(
  [z.strictObject({ entryId: z.uuid(), token: z.string().min(1).max(200) }), z.strictObject({ site: z.literal(true) })],
  'must be { entryId, token } or { site: true }',
)
export type VisualPageInput = z.infer<typeof visualPageInput>

/** A page of the website as its server sent it, and where it came from. */
export const visualPage = z.object({ html: z.string(), url: z.string() })
export type VisualPage = z.infer<typeof visualPage>

type Problem = { path: (string | number)[]; message: string }

/** What is wrong with sections that are right one by one. */
const sectionProblems = (sections: readonly VisualSection[]): Problem[] =>
  sections.flatMap(({ id, selector: own, movable }, index) => {
    const problems: Problem[] = []
    const before = sections.slice(0, index)
    if (before.some((other) => other.id === id))
      problems.push({
        path: [index, 'id'],
        message: `is already the ID of another section; give each section its own ID`,
      })
    // The elements of both would change places with every save.
    const twin = before.find(
      (other) => withoutSpaces(other.selector) === withoutSpaces(own) && (movable || other.movable),
    )
    if (twin)
      problems.push({
        path: [index, 'selector'],
        message: `is also the selector of section "${twin.id}"; make them different, or set movable: false on both`,
      })
    // After a move, such a selector would find another element.
    if (movable && isPositional(own))
      problems.push({
        path: [index, 'selector'],
        message:
          'depends on the position (:nth-…, :first-…, :last-…, :only-…, + or ~); use a class or an id, or set movable: false',
      })
    return problems
  })
