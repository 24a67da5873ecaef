import type { CmsDb } from '../../context.ts'

/** A file of a plugin that is on, as it was when it was switched on or loaded again. */
export const findPluginFile = async (db: CmsDb, plugin: string, path: string): Promise<Buffer | null> => {
  const [row] = await db.query<{ bytes: Buffer }>({
    name: 'find-plugin-file',
    text: `select f.bytes from plugin_file f join plugin p on p.name = f.plugin
      where f.plugin = $1 and f.path = $2 and p.enabled`,
    values: [plugin, path],
  })
  return row?.bytes ?? null
}
