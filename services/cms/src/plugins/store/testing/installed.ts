import { type PluginManifest, pluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import type { Services } from '../../../context.ts'

/** A plugin of this manifest as the registry would have written it down: switched on, with what it asks for agreed to. */
export const installPlugin = async (
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  given: { name: string } & Partial<Record<keyof PluginManifest, unknown>>,
  { files = {}, hash = 'ab'.repeat(32) }: { files?: Record<string, string | Buffer>; hash?: string } = {},
) => {
  const manifest = pluginManifest.parse({ label: given.name, version: '1.0.0', api: 1, server: 'server.js', ...given })
  const { name, permissions, hosts } = manifest
  const now = clock.now()
  await database.tx(async (tx) => {
    await tx
      .insertInto('plugin')
      .values({
        name,
        enabled: true,
        manifest: JSON.stringify(manifest),
        hash,
        approved: '{}',
        last_error: null,
        last_error_at: null,
        installed_at: now,
        updated_at: now,
        updated_by: null,
      })
      .execute()
    for (const [path, bytes] of Object.entries(files))
      await tx
        .insertInto('plugin_file')
        .values({ plugin: name, path, bytes: Buffer.from(bytes) })
        .execute()
  })
  return { name, manifest, grants: permissions, hosts, hash }
}
