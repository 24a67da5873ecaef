import { createMetrics, serveMetrics } from '@stoa/kit/http/metrics.ts'
import { drain } from '@stoa/kit/http/stopping.ts'
import { runService } from '@stoa/kit/process.ts'
import { startApp } from './app.ts'
import { openCmsWeb } from './site/certificates/certificates.ts'

await runService({
  name: 'cms',
  start: async () => {
    const metrics = createMetrics('cms')
    const cms = await startApp({ metrics })
    const { config } = cms.services
    await cms.app.listen({ port: config.port, host: config.host })
    const web = await openCmsWeb(cms.app, cms.services)
    const figures = config.metricsPort === null ? undefined : await serveMetrics(metrics, config.metricsPort)
    return {
      lines: [['CMS admin', `${config.publicUrl}/admin`]],
      drain: () => drain(cms.app, config.drainSeconds * 1_000),
      stop: async () => {
        await web.stopOrdering()
        // Together, for they share their connections.
        await Promise.all([cms.close(), web.close()])
        await figures?.close()
      },
    }
  },
})
