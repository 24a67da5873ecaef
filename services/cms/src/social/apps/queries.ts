import type { AppOverrides } from '@stoa/cms-model/social-apps.ts'
import { appOverrides } from '@stoa/cms-model/social-apps.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'

/** An app as it is stored. A client id of '' leaves the credentials to the environment. */
export type StoredApp = {
  network: string
  clientId: string
  secretSealed: string | null
  secretLast4: string | null
  enabled: boolean
  overrides: AppOverrides
  pausedUntil: Date | null
  version: number
  updatedAt: Date
}

const columns = [
  'network',
  'client_id',
  'secret_sealed',
  'secret_last4',
  'enabled',
  'overrides',
  'paused_until',
  'version',
  'updated_at',
] as const

type Row = {
  network: string
  client_id: string
  secret_sealed: string | null
  secret_last4: string | null
  enabled: boolean
  overrides: unknown
  paused_until: Date | null
  version: number
  updated_at: Date
}

const toApp = (row: Row): StoredApp => ({
  network: row.network,
  clientId: row.client_id,
  secretSealed: row.secret_sealed,
  secretLast4: row.secret_last4,
  enabled: row.enabled,
  overrides: appOverrides.parse(row.overrides),
  pausedUntil: row.paused_until,
  version: row.version,
  updatedAt: row.updated_at,
})

export const listStoredApps = async (db: CmsDb): Promise<StoredApp[]> =>
  (await db.selectFrom('social_app').select(columns).execute()).map(toApp)

export const findStoredApp = async (db: CmsDb, network: string): Promise<StoredApp | null> => {
  const row = await db.selectFrom('social_app').select(columns).where('network', '=', network).executeTakeFirst()
  return row ? toApp(row) : null
}

/** The app, which nobody else changes before the transaction ends. */
export const lockStoredApp = async (tx: CmsTx, network: string): Promise<StoredApp | null> => {
  const row = await tx
    .selectFrom('social_app')
    .select(columns)
    .where('network', '=', network)
    .forUpdate()
    .executeTakeFirst()
  return row ? toApp(row) : null
}

/** Inserts the app with version 0 if it is missing. Of two concurrent inserts, the second waits here for the first. */
export const ensureStoredApp = async (tx: CmsTx, network: string, at: Date): Promise<void> => {
  await tx
    .insertInto('social_app')
    .values({
      network,
      client_id: '',
      secret_sealed: null,
      secret_last4: null,
      enabled: true,
      overrides: '{}',
      paused_until: null,
      version: 0,
      created_at: at,
      updated_at: at,
      updated_by: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type AppValues = Pick<StoredApp, 'clientId' | 'secretSealed' | 'secretLast4' | 'enabled' | 'overrides'>

export const updateStoredApp = async (
  tx: CmsTx,
  network: string,
  values: AppValues,
  { at, by }: { at: Date; by: string },
): Promise<StoredApp> => {
  const row = await tx
    .updateTable('social_app')
    .set((set) => ({
      client_id: values.clientId,
      secret_sealed: values.secretSealed,
      secret_last4: values.secretLast4,
      enabled: values.enabled,
      overrides: JSON.stringify(values.overrides),
      version: set('version', '+', 1),
      updated_at: at,
      updated_by: by,
    }))
    .where('network', '=', network)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toApp(row)
}

export const deleteStoredApp = async (tx: CmsTx, network: string): Promise<void> => {
  await tx.deleteFrom('social_app').where('network', '=', network).execute()
}

/** Who saved the app last, if that is known. */
export const lastEditorOf = async (db: CmsDb, network: string): Promise<Editor | null> => {
  const row = await db
    .selectFrom('social_app')
    .innerJoin('account', 'account.id', 'social_app.updated_by')
    .select(['account.id', 'account.name'])
    .where('network', '=', network)
    .executeTakeFirst()
  return row ?? null
}

export const pauseStoredApp = async (tx: CmsTx, network: string, until: Date): Promise<void> => {
  await tx.query({
    text: 'update social_app set paused_until = greatest(paused_until, $2) where network = $1',
    values: [network, until],
  })
}
