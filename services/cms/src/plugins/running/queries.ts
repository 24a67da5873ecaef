import type { CmsDb, CmsTx } from '../../context.ts'
import type { LogLine } from '../sandbox/sandbox.ts'

/** The code of the plugin, while it is on and has these files. */
export const findCode = async (
  db: CmsDb,
  { name, hash, path }: { name: string; hash: string; path: string },
): Promise<string | null> => {
  const row = await db
    .selectFrom('plugin')
    .innerJoin('plugin_file', 'plugin_file.plugin', 'plugin.name')
    .select('plugin_file.bytes')
    .where('plugin.name', '=', name)
    .where('plugin.hash', '=', hash)
    .where('plugin.enabled', '=', true)
    .where('plugin_file.path', '=', path)
    .executeTakeFirst()
  return row ? row.bytes.toString('utf8') : null
}

export type Run = {
  readonly id: string
  readonly at: Date
  readonly kind: 'start' | 'route' | 'event' | 'schedule'
  readonly name: string
  readonly ms: number
  readonly outcome: 'done' | 'refused' | 'failed'
  readonly message: string | null
  readonly lines: readonly LogLine[]
}

/** The runs kept per plugin. */
const KEPT_RUNS = 100

/** Adds a run and drops the oldest; does nothing for a plugin that is gone. */
export const insertRun = async (tx: CmsTx, plugin: string, run: Run): Promise<void> => {
  const values = [run.id, plugin, run.at, run.kind, run.name, run.ms, run.outcome, run.message]
  await tx.query({
    name: 'plugin-run',
    text: `with added as (
      insert into plugin_run (id, plugin, at, kind, name, ms, outcome, message, lines)
      select $1, name, $3, $4, $5, $6, $7, $8, $9::jsonb from plugin where name = $2 for key share)
    delete from plugin_run where plugin = $2 and id <= (
      select id from plugin_run where plugin = $2 order by id desc offset ${KEPT_RUNS - 1} limit 1)`,
    values: [...values, JSON.stringify(run.lines)],
  })
}

/** Saves the plugin's last error; the record's version stays. */
export const updateLastError = async (tx: CmsTx, plugin: string, message: string, at: Date): Promise<void> => {
  await tx.updateTable('plugin').set({ last_error: message, last_error_at: at }).where('name', '=', plugin).execute()
}

export const updateDeaths = async (
  tx: CmsTx,
  plugin: string,
  { deaths, message, at }: { deaths: Date[]; message: string; at: Date },
): Promise<void> => {
  await tx
    .updateTable('plugin')
    .set({ deaths, last_error: message, last_error_at: at })
    .where('name', '=', plugin)
    .execute()
}

/** Switches the plugin off after a failure: no account becomes its last editor. */
export const disableFailed = async (tx: CmsTx, plugin: string, at: Date): Promise<void> => {
  await tx
    .updateTable('plugin')
    .set((set) => ({ enabled: false, version: set('version', '+', 1), updated_at: at, updated_by: null }))
    .where('name', '=', plugin)
    .execute()
}
