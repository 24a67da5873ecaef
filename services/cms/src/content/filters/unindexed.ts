import type { Condition, Filter } from '@stoa/cms-model/delivery/filter.ts'
import type { SortKey } from '@stoa/cms-model/delivery/query.ts'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'

/** Sorting and filtering by what has no index reads every entry of the type: bearable up to here. */
export const MAX_UNINDEXED = 50_000

/** The sort keys and filters that scan all entries of the type: refused by name where there are too many. */
export const unindexedIn = ({ sort, filter }: { sort: readonly SortKey[]; filter: Filter }): FieldProblem[] => [
  ...sort
    .filter(({ operand }) => operand.kind === 'field' && !operand.field.indexed)
    .map(({ key }) => ({ key: 'sort', message: tooMany(key) })),
  ...[...filter.all, ...filter.any.flat()]
    .filter(isUnindexed)
    .map(({ key, op }) => ({ key: `filter[${key}][${op}]`, message: tooMany(key) })),
]

/** No index finds the middle of a text, what is inside of lists and behind references, or what is missing in them. */
const isUnindexed = ({ operand, op }: Condition): boolean => {
  switch (operand.kind) {
    case 'identity':
      return false
    case 'member':
      return op === 'contains' || op === 'starts'
    case 'field':
      return op === 'contains' || op === 'starts' || !operand.field.indexed
    case 'reference':
    case 'media':
      return op !== 'eq' && op !== 'in'
    default:
      return true
  }
}

const tooMany = (key: string): string =>
  `can't use ${key} here, because this type has more than ${MAX_UNINDEXED} entries and no index for this field`
