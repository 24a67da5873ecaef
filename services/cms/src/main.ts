import { systemClock } from '@stoa/kit/clock.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { createMetrics, serveMetrics } from '@stoa/kit/http/metrics.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { runService } from '@stoa/kit/process.ts'
import { createApp, migrationsFolder } from './app.ts'
import { readConfig } from './config.ts'

await runService({
  name: 'cms',
  start: async () => {
    const config = readConfig(process.env)
    const log = createLogger({ name: 'cms', level: config.logLevel })
    await migrate(config.databaseUrl.reveal(), migrationsFolder, log)
    const metrics = createMetrics('cms')
    const cms = createApp(config, { log, clock: systemClock, metrics })
    await cms.prepare()
    await cms.startBackground()
    await cms.app.listen({ port: config.port, host: config.host })
    const figures = config.metricsPort === null ? undefined : await serveMetrics(metrics, config.metricsPort)
    return {
      lines: [['CMS admin', `${config.publicUrl}/admin`]],
      stop: async () => {
        await cms.close()
        await figures?.close()
      },
    }
  },
})
