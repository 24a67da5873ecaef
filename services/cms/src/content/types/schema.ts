import {
  type ContentType as ContentTypeJson,
  contentType,
  updateContentTypeInput,
} from '@stoa/cms-model/content-types.ts'
import { typeName } from '@stoa/cms-model/fields/names.ts'
import { fieldTypeNames } from '@stoa/cms-model/fields/types/index.ts'
import { listQuery, searchText, sortBy } from '@stoa/cms-model/lists.ts'
import { z } from 'zod'
import type { TypeRecord } from './content-type.ts'
import { typeSortKeys } from './queries.ts'

export const nameParams = z.object({ name: typeName })
export const typesQuery = listQuery({ q: searchText.optional(), sort: sortBy(typeSortKeys, 'label') })

/** The name may come along, as it is: a record that was read can be sent back. */
export const updateInput = updateContentTypeInput.extend({ name: z.string().optional() })
export type UpdateInput = z.infer<typeof updateInput>

/** Flags are on or off; anything else is a mistake that must not save. */
export const updateQuery = z.strictObject({
  dryRun: z
    .enum(['0', '1', 'false', 'true'])
    .default('0')
    .transform((flag) => flag === '1' || flag === 'true'),
})

/** A create has nothing to try out. */
export const noQuery = z.strictObject({})

/** For each field that would change: how many entries have something in it that would no longer be shown or valid. */
export const affected = z.object({ affected: z.array(z.object({ key: z.string(), count: z.int() })) })

/** What an update would do: also to the entries whose values get another type (`lost` read as empty) or another key. */
const trial = affected.extend({
  converted: z.array(
    z.object({
      key: z.string(),
      from: z.enum(fieldTypeNames),
      to: z.enum(fieldTypeNames),
      count: z.int(),
      lost: z.int(),
    }),
  ),
  renamed: z.array(z.object({ from: z.string(), to: z.string(), count: z.int() })).optional(),
})
export const updated = z.union([contentType, trial])

export const typeJson = (type: TypeRecord): ContentTypeJson => ({
  name: type.name,
  label: type.label,
  labelPlural: type.labelPlural,
  description: type.description,
  icon: type.icon,
  kind: type.kind,
  previewUrl: type.previewUrl,
  fields: [...type.fields],
  taxonomies: type.taxonomies,
  version: type.version,
  createdAt: type.createdAt.toISOString(),
  updatedAt: type.updatedAt.toISOString(),
})
