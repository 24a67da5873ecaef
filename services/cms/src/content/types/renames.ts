import { checkRenames, occupiedTargets, type Renames, renameMembers, valuesAt } from '@stoa/cms-model/fields/renames.ts'
import type { Data } from '@stoa/cms-model/fields/values.ts'
import type { CmsTx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import type { ContentType } from './content-type.ts'
import { setRenames } from './queries.ts'
import { renameClaims, type StoredData, scanData, writeData } from './renames/queries.ts'

/** Revisions older than so many renames are read under the keys they were written with. */
const MAX_KEPT = 200

/** What a rename does to the entries there are: how many hold a value of the field. */
export type Renamed = { from: string; to: string; count: number }

type HasFields = Pick<ContentType, 'name' | 'fields'>

/** Refuses renames of fields that are not there, or to keys that are not free. */
export const refuseRenames = (present: HasFields, next: HasFields, renames: Renames): void => {
  const problems = checkRenames(renames, present.fields, next.fields)
  if (problems.length > 0) failFields(problems)
}

/**
 * Moves the stored values of all entries under the new keys, in the trash and in unpublished changes as well. Neither the
 * version nor the date of an entry changes. Entries of the type are not written meanwhile.
 */
export const renameStored = async (tx: CmsTx, type: ContentType, renames: Renames, at: Date): Promise<void> => {
  for await (const page of scanData(tx, type.name)) {
    refuseOccupied(page, renames)
    const moved = page.flatMap(({ id, data, pending }) => {
      const next = { id, data: renameMembers(data, renames), pending: pending && renameMembers(pending, renames) }
      return next.data === data && next.pending === pending ? [] : [next]
    })
    if (moved.length > 0) await writeData(tx, moved)
  }
  const pairs = Object.entries(renames).map(([from, to]) => ({ at: at.toISOString(), from, to }))
  for (const { from, to } of pairs) await renameClaims(tx, type.name, { from, to })
  await setRenames(tx, type.name, [...type.renames, ...pairs].slice(-MAX_KEPT))
}

/** What the renames would do, refused as they would be. */
export const tryRenames = async (tx: CmsTx, type: HasFields, renames: Renames): Promise<Renamed[]> => {
  const renamed = Object.entries(renames).map(([from, to]) => ({ from, to, count: 0 }))
  if (renamed.length === 0) return []
  for await (const page of scanData(tx, type.name)) {
    refuseOccupied(page, renames)
    for (const rename of renamed)
      rename.count += page.filter((entry) => hasValueAt(entry, rename.from.split('.'))).length
  }
  return renamed
}

/** The data of a revision, under the keys that its fields have now. */
export const underPresentKeys = (type: ContentType, data: Data, writtenAt: Date): Data =>
  type.renames
    .filter(({ at }) => new Date(at) >= writtenAt)
    // A revision that went on being saved after the rename has the new key already.
    .filter(({ to }) => !Object.hasOwn(data, to))
    .reduce<Data>((renamed, { from, to }) => renameMembers(renamed, { [from]: to }), data)

const hasValueAt = ({ data, pending }: StoredData, path: readonly string[]): boolean =>
  [data, pending ?? {}].some((members) =>
    valuesAt(members, path).some((value) => value !== undefined && value !== null && value !== ''),
  )

const refuseOccupied = (page: readonly StoredData[], renames: Renames): void => {
  const occupied = new Set(
    page.flatMap(({ data, pending }) => [data, pending ?? {}].flatMap((members) => occupiedTargets(members, renames))),
  )
  const problems = Object.entries(renames)
    .filter(([, to]) => occupied.has(to))
    .map(([from, to]) => ({
      key: `renames.${from}`,
      message: `${to} still has values of a field that was removed. Choose another key.`,
    }))
  if (problems.length > 0) failFields(problems)
}
