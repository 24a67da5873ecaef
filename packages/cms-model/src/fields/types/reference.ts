import { z } from 'zod'
import {
  checkCount,
  checkCountOptions,
  checkId,
  cleanId,
  cleanIds,
  countOptions,
  isId,
  isNoItem,
  problem,
  readsOneByOne,
} from '../checks.ts'
import { defineField } from '../define.ts'
import { typeName } from '../names.ts'
import { countNarrows, isChanged } from '../narrowing.ts'
import { quote } from '../typescript.ts'

/** Entries of a declared type, by their ids, each once; with `multiple: false` one entry. */
export const reference = defineField({
  type: 'reference',
  options: z.strictObject({ to: typeName, multiple: z.boolean().default(true), ...countOptions }),
  checkOptions: (options) => {
    const isCounted = options.minItems !== undefined || options.maxItems !== undefined
    if (!options.multiple && isCounted) return problem('multiple', 'must be true to limit the number of items')
    return checkCountOptions(options)
  },
  narrows: { to: isChanged, multiple: isChanged, ...countNarrows },
  empty: ({ multiple }) => (multiple ? [] : null),
  isEmpty: isNoItem,
  check: (value, options, path) => {
    if (!options.multiple) return value === null ? [] : checkId(value, path, 'an entry')
    const problems = checkCount(value, options, path)
    if (problems.length > 0 || !Array.isArray(value)) return problems
    return value.flatMap((item, index) => checkId(item, `${path}.${index}`, 'an entry'))
  },
  clean: (value, { multiple }) => (multiple ? cleanIds(value) : cleanId(value)),
  adopt: (value, { multiple }) => (multiple && isId(value) ? [value] : undefined),
  read: (value, { multiple }) => {
    if (multiple) return (Array.isArray(value) ? value : [value]).filter(isId)
    return isId(value) ? value : null
  },
  isMisfit: readsOneByOne,
  links: (value, { to }) => ({
    entries: (Array.isArray(value) ? value : [value]).filter(isId).map((id) => ({ to, id })),
  }),
  text: () => '',
  comparesAs: 'reference',
  // A target that the key may not read never arrives.
  typescript: ({ to, multiple }, types) => {
    const data = types.dataOf(to)
    const one = data === undefined ? 'never' : `Reference<${quote(String(to))}, ${data}>`
    return multiple === false ? `${one} | null` : `${one}[]`
  },
  changeView: 'list',
})
