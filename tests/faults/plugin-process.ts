import { startApp } from '@stoa/cms/app.ts'
import { inProcessPlugins } from '@stoa/cms/plugins/store/testing/in-process.ts'
import { pluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import { runService } from '@stoa/kit/process.ts'
import { openLook } from './table.ts'

/** The CMS as it is, with one plugin whose handler writes down in the table `told` what it hears, and takes its time. */
await runService({
  name: 'cms',
  start: async () => {
    const look = openLook(process.env.CMS_DATABASE_URL ?? '')
    const manifest = pluginManifest.parse(JSON.parse(process.env.PLUGIN_MANIFEST ?? ''))
    const plugins = inProcessPlugins()
    plugins.set({ name: manifest.name, manifest, grants: [], hosts: [], hash: '' }, async ({ input }) => {
      const { id, slug } = input as { id: string; slug: string }
      await look.rows('insert into told (entry, slug) values ($1, $2)', [id, slug])
      await look.rows('select pg_sleep($1)', [0.1 + Math.random() * 0.3])
      return undefined
    })
    const cms = await startApp({ plugins })
    const { config } = cms.services
    await cms.app.listen({ port: config.port, host: config.host })
    return {
      lines: [],
      stop: async () => {
        await cms.close()
        await look.close()
      },
    }
  },
})
