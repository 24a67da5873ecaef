import { z } from 'zod'
import { isObjectMember, typeName } from './fields/names.ts'
import { oneLine } from './one-line.ts'
import { slug } from './slugs.ts'

/** Deeper trees are not found again by those who file things in them. */
export const MAX_TERM_DEPTH = 10
/** At most this many terms are returned with their taxonomy; the list of terms has all of them. */
export const MAX_EMBEDDED_TERMS = 1000
/** In the place of type names: all types, also those that come later. */
export const ALL_TYPES = '*'

const MAX_NAME_LENGTH = 63
const MAX_LABEL_LENGTH = 200
const MAX_DESCRIPTION_LENGTH = 2000
/** More types than a site has; keeps the question to the database small. */
const MAX_TYPES = 500
const MAX_POSITION = 1_000_000

/** What a taxonomy is called in addresses and in `?term=name:slug`. */
export const taxonomyName = slug
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .refine((name) => !isObjectMember(name), 'is reserved; choose another name')

const label = oneLine({ min: 1, max: MAX_LABEL_LENGTH })

/** The types whose entries can have terms of a taxonomy. */
const types = z
  .array(z.union([z.literal(ALL_TYPES), typeName], 'must be the name of a content type'))
  .max(MAX_TYPES, `must have at most ${MAX_TYPES} types`)
  .refine((names) => !names.includes(ALL_TYPES) || names.length === 1, `must be ["${ALL_TYPES}"] or names of types`)
  .transform((names) => [...new Set(names)])

export const createTaxonomyInput = z.strictObject({
  name: taxonomyName,
  label,
  /** Terms can have terms below them. */
  hierarchical: z.boolean().default(false),
  types: types.default([ALL_TYPES]),
})
export type CreateTaxonomyInput = z.infer<typeof createTaxonomyInput>

/** Only the members sent change; `types` are replaced whole. */
export const updateTaxonomyInput = z.strictObject({
  name: taxonomyName.optional(),
  label: label.optional(),
  hierarchical: z.boolean().optional(),
  types: types.optional(),
  version: z.int().min(1).optional(),
})
export type UpdateTaxonomyInput = z.infer<typeof updateTaxonomyInput>

const termMembers = {
  name: label,
  description: z.string().trim().max(MAX_DESCRIPTION_LENGTH, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`),
  slug,
  parentId: z.uuid('must be the ID of a term').nullable(),
  position: z
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(MAX_POSITION, `must be ${MAX_POSITION} or less`),
}

export const createTermInput = z.strictObject({
  name: termMembers.name,
  /** Made of the name, if absent. */
  slug: termMembers.slug.optional(),
  description: termMembers.description.default(''),
  parentId: termMembers.parentId.default(null),
  /** After its siblings, if absent; who has the place now, and those after, move on by one. */
  position: termMembers.position.optional(),
})
export type CreateTermInput = z.infer<typeof createTermInput>

/** Only the members sent change. */
export const updateTermInput = z.strictObject({
  name: termMembers.name.optional(),
  slug: termMembers.slug.optional(),
  description: termMembers.description.optional(),
  /** A new parent; null: none. Its own terms come along. */
  parentId: termMembers.parentId.optional(),
  /** The place to move to; the siblings in between close up. Without it, a term with a new parent goes to the end. */
  position: termMembers.position.optional(),
  version: z.int().min(1).optional(),
})
export type UpdateTermInput = z.infer<typeof updateTermInput>

export const term = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  parentId: z.uuid().nullable(),
  /** Its place among its siblings. */
  position: z.int(),
  /** Published entries that have it. */
  count: z.int(),
  version: z.int(),
})
export type Term = z.infer<typeof term>

export const taxonomy = z.object({
  id: z.uuid(),
  name: z.string(),
  label: z.string(),
  hierarchical: z.boolean(),
  /** Names of types; `["*"]`: all. */
  types: z.array(z.string()),
  /** A parent before its children, siblings by position; the first 1000. */
  terms: z.array(term),
  termCount: z.int(),
  version: z.int(),
})
export type Taxonomy = z.infer<typeof taxonomy>

/** How terms are named from outside: by the name of their taxonomy and their slug. */
export const termReference = z.strictObject({ taxonomy: taxonomyName, slug })
export type TermReference = z.infer<typeof termReference>

/** A term as it is shown on an entry. */
export const entryTerm = z.object({ id: z.uuid(), slug: z.string(), name: z.string(), taxonomy: z.string() })
export type EntryTerm = z.infer<typeof entryTerm>

/** True when entries of this type can have terms of a taxonomy for these types. */
export const isForType = (types: readonly string[], type: string): boolean =>
  types.includes(type) || types.includes(ALL_TYPES)
