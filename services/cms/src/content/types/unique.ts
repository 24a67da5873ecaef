import { scalarOf } from '@stoa/cms-model/fields/field.ts'
import type { CmsTx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { ContentType } from './content-type.ts'
import {
  clearClaims,
  fillClaims,
  listDuplicates,
  replaceClaims,
  type TakenValue,
  type UniqueField,
} from './unique/queries.ts'

type HasFields = Pick<ContentType, 'fields'>

/** Enough to see what is meant. */
const MAX_EXAMPLES = 20
const MAX_ENTRIES_PER_EXAMPLE = 5

/**
 * Keeps the values of unique fields of these entries, after their rows have been written (also into the trash and out
 * of it) and while the type is held. Gives the values that other entries have: refuse the write if there are any.
 */
export const claimUniqueValues = async (
  tx: CmsTx,
  type: ContentType,
  entryIds: readonly string[],
): Promise<TakenValue[]> => {
  const fields = uniqueFieldsOf(type)
  return fields.length === 0 || entryIds.length === 0 ? [] : replaceClaims(tx, type.name, fields, entryIds)
}

/** The fields that become unique, or hold other values than before. */
export const newlyUnique = (before: HasFields, after: HasFields): UniqueField[] => {
  const known = uniqueFieldsOf(before)
  return uniqueFieldsOf(after).filter((field) => !known.some((old) => isSame(old, field)))
}

/** Claims the values of fields that become unique, and lets go of those that no longer are. */
export const changeUniqueFields = async (tx: CmsTx, before: ContentType, after: HasFields): Promise<void> => {
  const present = uniqueFieldsOf(after)
  const gone = uniqueFieldsOf(before).filter((field) => !present.some((left) => isSame(left, field)))
  if (gone.length > 0)
    await clearClaims(
      tx,
      before.name,
      gone.map(({ key }) => key),
    )
  const added = newlyUnique(before, after)
  if (added.length === 0) return
  if (!(await fillClaims(tx, before.name, added))) await failDuplicates(tx, before, added)
}

const failDuplicates = async (tx: CmsTx, { name }: ContentType, fields: readonly UniqueField[]): Promise<never> => {
  const examples = await listDuplicates(tx, name, fields, { limit: MAX_EXAMPLES, entries: MAX_ENTRIES_PER_EXAMPLE })
  const [first] = examples
  if (!first) throw new Error(`Values of ${name} are reserved by entries that no longer have them`)
  return fail('TYPE_IN_USE', {
    message: `Some entries have the same value for ${first.key}, for example "${first.value.slice(0, 50)}". Change them before you make the field unique.`,
    details: { reason: 'duplicates', examples },
  })
}

const uniqueFieldsOf = ({ fields }: HasFields): UniqueField[] =>
  fields.flatMap((field) => {
    const scalar = scalarOf(field)
    if (!field.unique || scalar === undefined) return []
    return [{ key: field.key, kind: scalar === 'number' || scalar === 'boolean' ? scalar : 'string' }]
  })

const isSame = (one: UniqueField, other: UniqueField): boolean => one.key === other.key && one.kind === other.kind
