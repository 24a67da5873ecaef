import type { Problem, Scalar } from '@stoa/cms-model/fields/define.ts'
import { type Field, scalarOf } from '@stoa/cms-model/fields/field.ts'
import { isRecord, type Members, memberOf, readMembers } from '@stoa/cms-model/fields/members.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { defaultData } from '@stoa/cms-model/fields/values.ts'

export const rowsOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** A row that nobody filled in. */
export const newRow = (fields: readonly Field[]): Members => readMembers(fields, defaultData(fields), 'all')

/** How many problems the row has, also inside of its own lists. */
export const countProblems = (problems: readonly Problem[], rowPath: string): number =>
  problems.filter(({ key }) => key === rowPath || key.startsWith(`${rowPath}.`)).length

/** Their editors are one line; that of a moment says more below it, and a switch has its label beside it. */
const oneLiners: ReadonlySet<Scalar | undefined> = new Set(['text', 'number', 'date'])

/** Whether a row is no more than one input, which needs no opening. */
export const isInline = (fields: readonly Field[]): boolean => {
  const [only] = fields
  return fields.length === 1 && only !== undefined && oneLiners.has(scalarOf(only))
}

/** The first media file of a row, for its picture. */
export const pictureOf = (fields: readonly Field[], row: Members): string | undefined => {
  for (const field of fields) {
    if (typeOf(field).comparesAs !== 'media') continue
    const value = memberOf(row, field.key)
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (typeof first === 'string') return first
  }
  return undefined
}
