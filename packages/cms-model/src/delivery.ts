import { z } from 'zod'
import { typeKinds } from './content-types.ts'
import { listOf } from './lists.ts'
import { moment } from './moments.ts'
import { entryTerm } from './taxonomies.ts'

/** References are followed this far, if nobody asks for more or less. */
export const DEFAULT_DEPTH = 1
export const MAX_DEPTH = 3

const data = z.record(z.string(), z.unknown())

/** What is left of a reference where nobody asked for more. */
export const entryStub = z.object({
  id: z.uuid(),
  slug: z.string(),
  type: z.string(),
  title: z.string(),
  /** Where the website shows it; null when its type has no address template. */
  url: z.string().nullable(),
})
export type EntryStub = z.infer<typeof entryStub>

/** An entry in the place of a reference to it. */
export const referencedEntry = entryStub.extend({ data, publishedAt: moment.nullable() })
export type ReferencedEntry = z.infer<typeof referencedEntry>

/** Who wrote an entry, as visitors may know them. */
const deliveredAuthor = z.object({ id: z.uuid(), name: z.string(), avatarUrl: z.string().nullable() })
/** A term of an entry, as websites read it. */
export const deliveredTerm = entryTerm.extend({ parentId: z.uuid().nullable(), description: z.string() })
export type DeliveredTerm = z.infer<typeof deliveredTerm>

/** An entry of the same family in another language. */
const deliveredTranslation = z.object({ locale: z.string(), slug: z.string(), url: z.string().nullable() })

/** An entry as websites read it. In `data`, files and references are objects. */
export const deliveredEntry = z.object({
  id: z.uuid(),
  slug: z.string(),
  type: z.string(),
  title: z.string(),
  data,
  status: z.enum(['draft', 'published']),
  locale: z.string(),
  /** The entry that this one is a translation of. */
  translationOf: z.uuid().nullable(),
  url: z.string().nullable(),
  publishedAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
  version: z.int(),
  /** With `include=terms`. */
  terms: z.array(deliveredTerm).optional(),
  /** With `include=author`; null when it has none. */
  author: deliveredAuthor.nullable().optional(),
  /** With `include=translations`: the others of its family that are published. */
  translations: z.array(deliveredTranslation).optional(),
})
export type DeliveredEntry = z.infer<typeof deliveredEntry>

/** With `fields`, only the id and the members asked for. */
const askedEntry = deliveredEntry.partial().required({ id: true })

export const deliveredList = listOf(askedEntry)
export const deliveredOne = askedEntry

/** The types that a key may read, with the fields that it can see. */
export const deliveredTypes = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      kind: z.enum(typeKinds),
      /** Like the fields of the type, without hidden ones; `to` is null where the key cannot read the target. */
      fields: z.array(z.looseObject({ key: z.string(), type: z.string() })),
      locales: z.array(z.string()),
    }),
  ),
})
export type DeliveredTypes = z.infer<typeof deliveredTypes>

export const deliveredSettings = z.object({
  title: z.string(),
  tagline: z.string(),
  description: z.string(),
  url: z.string().nullable(),
  locale: z.string(),
  /** Addresses of the files, which `logoId` and `socialImageId` name. */
  logo: z.string().nullable(),
  socialImage: z.string().nullable(),
  logoId: z.uuid().nullable(),
  socialImageId: z.uuid().nullable(),
})
export type DeliveredSettings = z.infer<typeof deliveredSettings>

export type DeliveredMenuItem = {
  id: string
  label: string
  url: string | null
  entryId?: string | undefined
  target?: string | undefined
  children: DeliveredMenuItem[]
}

const deliveredMenuItem = z.object({
  id: z.string(),
  label: z.string(),
  /** Null for an entry whose type has no address template. */
  url: z.string().nullable(),
  entryId: z.uuid().optional(),
  target: z.string().optional(),
  get children(): z.ZodArray<typeof deliveredMenuItem> {
    return z.array(deliveredMenuItem)
  },
})

export const deliveredMenu = z.object({ name: z.string(), label: z.string(), items: z.array(deliveredMenuItem) })
export type DeliveredMenu = z.infer<typeof deliveredMenu>

/** A taxonomy with the terms that published entries have, as far as the key may read them. */
export const deliveredTaxonomy = z.object({
  name: z.string(),
  label: z.string(),
  hierarchical: z.boolean(),
  /** A parent before its children, siblings by position. One without entries is there for the sake of those below it. */
  terms: z.array(
    z.object({
      id: z.uuid(),
      slug: z.string(),
      name: z.string(),
      description: z.string(),
      parentId: z.uuid().nullable(),
      /** Its place among its siblings. */
      position: z.int(),
      /** Published entries that have it, of the types that the key may read. */
      count: z.int(),
    }),
  ),
})
export type DeliveredTaxonomy = z.infer<typeof deliveredTaxonomy>

/** What can be asked of one entry. For the API's description: `readEntryQuery` is what checks it. */
export const entryQueryParameters = z.object({
  include: z.string().optional().describe('Comma-separated list of terms, author, translations'),
  fields: z.string().optional().describe('Comma-separated list of properties and fields to return: title,data.price'),
  depth: z.string().optional().describe('How many levels of references to include: 0 to 3, default 1'),
})

/** What can be asked of a list. For the API's description: `readListQuery` is what checks it. */
export const listQueryParameters = z.object({
  page: z.string().optional().describe('Page number, starting at 1'),
  limit: z.string().optional().describe('Items per page, default 25, maximum 100'),
  sort: z
    .string()
    .optional()
    .describe('Comma-separated list of keys; - before a key sorts in descending order: -publishedAt,title'),
  term: z
    .string()
    .optional()
    .describe(
      'Slug of a term, or taxonomy:slug; taxonomy:slug/* includes its child terms; comma-separated values match any of them',
    ),
  locale: z.string().optional(),
  q: z.string().optional().describe('Words to search for; all of them must match'),
  'filter[key][op]': z
    .string()
    .optional()
    .describe(
      'Up to 20 conditions: eq ne lt lte gt gte in nin contains starts exists. Keys are properties, fields, fields of list items (rows.price matches any item) and of referenced entries (category.slug). Alternatives: filter[or][0][key][op]',
    ),
  ...entryQueryParameters.shape,
})
