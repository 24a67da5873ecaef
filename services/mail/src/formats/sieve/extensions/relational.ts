import { defineExtension, type Match } from '../define.ts'
import { anyPair } from '../match/types.ts'
import type { Run } from '../run-state.ts'

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
      match: (values, keys, match, run) => anyPair(values, keys, run, (value, key) => fulfils(value, key, match, run)),
    },
    count: {
      operands,
      match: (values, keys, match, run) =>
        anyPair([String(values.length)], keys, run, (value, key) => fulfils(value, key, match, run)),
    },
  },
})

const fulfils = (value: string, key: string, { comparator, operand }: Match, run: Run): boolean => {
  if (comparator.work) run.spend(comparator.work(value) + comparator.work(key))
  return relations[operand ?? '']?.(comparator.order(value, key)) ?? false
}
