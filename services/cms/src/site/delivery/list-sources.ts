import type { Condition } from '@stoa/cms-model/delivery/filter.ts'
import type { Operand } from '@stoa/cms-model/delivery/operands.ts'
import type { ListQuery } from '@stoa/cms-model/delivery/query.ts'
import { ALL_MEDIA, ALL_TERMS, entriesOf, type Sources } from './changes.ts'

/** What decides which entries of a type a list has, in which order, and how many there are. */
export const listSources = ({ name }: { name: string }, { terms, filter }: ListQuery): Sources => {
  const sources: Sources = new Set([entriesOf(name)])
  if (terms !== null) sources.add(ALL_TERMS)
  const conditions: readonly Condition[] = [...filter.all, ...filter.any.flat()]
  for (const { operand } of conditions) addOperand(sources, operand)
  return sources
}

/** A condition on what is referred to holds or not with the entries and files that are there. */
const addOperand = (sources: Sources, operand: Operand): void => {
  if (operand.kind === 'reference' || operand.kind === 'through') sources.add(entriesOf(operand.field.to))
  if (operand.kind === 'media') sources.add(ALL_MEDIA)
  if (operand.kind === 'rows' || operand.kind === 'through') addOperand(sources, operand.inner)
}
