import { z } from 'zod'
import { checkCount, checkCountOptions, countOptions, isNoItem, MAX_SEARCH_TEXT, problem } from '../checks.ts'
import { defineField, type FieldDefinition } from '../define.ts'
import { type Field, type FieldInput, fieldList } from '../field.ts'
import { checkMembers, cleanMembers, isRecord, joinLinks, linksIn, missingIn, readMembers, textIn } from '../members.ts'
import { countNarrows, isNeverNarrower } from '../narrowing.ts'

type ListShape = {
  fields: z.ZodType<Field[], FieldInput[]>
  minItems: z.ZodOptional<z.ZodInt>
  maxItems: z.ZodOptional<z.ZodInt>
}
type ListDefinition = FieldDefinition<'list', z.infer<z.ZodObject<ListShape>>, z.ZodObject<ListShape, z.core.$strict>>

/**
 * A repeater: items with fields of their own, which may be lists again. Written with its type, because a list is made of
 * fields and a field may be a list.
 */
export const list: ListDefinition = defineField({
  type: 'list',
  options: z.strictObject({ fields: z.lazy(() => fieldList), ...countOptions }),
  checkOptions: checkCountOptions,
  narrows: { fields: isNeverNarrower, ...countNarrows },
  empty: () => [],
  isEmpty: isNoItem,
  check: (value, options, path) => {
    const problems = checkCount(value, options, path)
    if (problems.length > 0 || !Array.isArray(value)) return problems
    return value.flatMap((item, index) => {
      if (!isRecord(item)) return problem(`${path}.${index}`, 'must be an object with the fields of the list')
      return checkMembers(options.fields, item, `${path}.${index}.`)
    })
  },
  clean: (value, { fields }, site) =>
    Array.isArray(value) ? value.map((item) => (isRecord(item) ? cleanMembers(fields, item, site) : item)) : value,
  read: (value, { fields }, seen) => itemsOf(value).map((item) => readMembers(fields, item, seen)),
  missing: (value, { fields }, path) =>
    itemsOf(value).flatMap((item, index) => missingIn(fields, item, `${path}.${index}.`)),
  links: (value, { fields }) => joinLinks(itemsOf(value).map((item) => linksIn(fields, item))),
  text: (value, { fields }) => {
    let text = ''
    for (const item of itemsOf(value)) if (text.length < MAX_SEARCH_TEXT) text += ` ${textIn(fields, item)}`
    return text.trim().slice(0, MAX_SEARCH_TEXT)
  },
  comparesAs: 'presence',
  typescript: ({ fields }, types) => `${types.objectOf(fields)}[]`,
  changeView: 'list',
})

const itemsOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])
