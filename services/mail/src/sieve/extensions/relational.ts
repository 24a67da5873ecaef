import { defineExtension, type Match } from '../define.ts'
import { anyPair } from '../match/types.ts'

const relations: Readonly<Record<string, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
}
const operands = Object.keys(relations)

/** RFC 5231. */
export const relational = defineExtension({
  name: 'relational',
  matchTypes: {
    value: {
      operands,
      match: (values, keys, match, run) => anyPair(values, keys, run, (value, key) => holds(value, key, match)),
    },
    count: {
      operands,
      match: (values, keys, match, run) =>
        anyPair([String(values.length)], keys, run, (value, key) => holds(value, key, match)),
    },
  },
})

const holds = (value: string, key: string, { comparator, operand }: Match): boolean =>
  relations[operand ?? '']?.(comparator.order(value, key)) ?? false
