import { MAX_TERM_DEPTH } from '@stoa/cms-model/taxonomies.ts'
import type { CmsTx } from '../../../context.ts'
import { failFields } from '../../../errors.ts'
import type { TaxonomyRecord } from '../queries.ts'
import {
  findEndPosition,
  findHeight,
  isPositionTaken,
  listAncestors,
  type Siblings,
  shiftSiblings,
  type TermRecord,
} from './queries.ts'

type NewParent = {
  parentId: string
  /** The term that moves below it; null for a new one. */
  moved: TermRecord | null
}

/** Refuses a parent of another taxonomy, one below the term itself, and a tree that would become too deep. */
export const refuseBadParent = async (
  tx: CmsTx,
  taxonomy: TaxonomyRecord,
  { parentId, moved }: NewParent,
): Promise<void> => {
  if (!taxonomy.hierarchical) refuseParent('must be null, because this taxonomy is flat')
  const ancestors = await listAncestors(tx, taxonomy.id, parentId)
  if (ancestors.length === 0) refuseParent('must be a term in this taxonomy')
  if (moved && ancestors.includes(moved.id)) refuseParent('must not be the term itself or one of its child terms')
  const height = moved ? await findHeight(tx, moved.id) : 1
  if (ancestors.length + height > MAX_TERM_DEPTH) refuseParent(`would nest terms deeper than ${MAX_TERM_DEPTH} levels`)
}

/** The position of a newcomer: the one wished for, whose holder moves on with all after it, else the end. */
export const makeRoom = async (tx: CmsTx, siblings: Siblings, wish: number | undefined): Promise<number> => {
  if (wish === undefined) return findEndPosition(tx, siblings)
  if (await isPositionTaken(tx, siblings, wish)) await shiftSiblings(tx, siblings, { from: wish, by: 1 })
  return wish
}

/** Makes room for the term at its new position, and returns that position. */
export const moveTerm = async (
  tx: CmsTx,
  present: TermRecord,
  { parentId, position: wish }: { parentId: string | null | undefined; position: number | undefined },
): Promise<number> => {
  if (parentId !== undefined) return makeRoom(tx, { taxonomyId: present.taxonomyId, parentId }, wish)
  const { position } = present
  if (wish === undefined || wish === position) return position
  if (wish > position) await shiftSiblings(tx, present, { from: position + 1, to: wish + 1, by: -1 })
  else await shiftSiblings(tx, present, { from: wish, to: position, by: 1 })
  return wish
}

const refuseParent = (message: string): never => failFields([{ key: 'parentId', message }])
