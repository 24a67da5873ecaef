import type { CmsDb, CmsTx } from '../../context.ts'

export type Kind = 'visual' | 'website' | 'design'

export const listDefinitions = (db: CmsDb): Promise<{ kind: Kind; definition: unknown }[]> =>
  db.selectFrom('host_definition').select(['kind', 'definition']).execute()

/** What is stored under this kind, unchanged until the transaction ends; null when there is nothing. */
export const lockDefinition = async (tx: CmsTx, kind: Kind): Promise<unknown> => {
  const row = await tx
    .selectFrom('host_definition')
    .select('definition')
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
  return row?.definition ?? null
}

export const putDefinition = async (
  tx: CmsTx,
  { kind, definition, at }: { kind: Kind; definition: unknown; at: Date },
): Promise<void> => {
  const text = JSON.stringify(definition)
  await tx
    .insertInto('host_definition')
    .values({ kind, definition: text, stored_at: at })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ definition: text, stored_at: at }))
    .execute()
}

export const deleteDefinition = async (tx: CmsTx, kind: Kind): Promise<void> => {
  await tx.deleteFrom('host_definition').where('kind', '=', kind).execute()
}
