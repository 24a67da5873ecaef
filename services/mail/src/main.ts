import { systemClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { createMetrics, serveMetrics } from '@stoa/kit/http/metrics.ts'
import { stopHttp } from '@stoa/kit/http/server.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { runService } from '@stoa/kit/process.ts'
import { createMail, migrationsFolder } from './app.ts'
import { readConfig } from './config.ts'
import type { Tables } from './tables.ts'

await runService({
  name: 'mail',
  start: async () => {
    const config = readConfig()
    const log = createLogger({ name: 'mail', level: config.logLevel })
    const url = config.databaseUrl.reveal()
    await migrate(url, migrationsFolder, log)
    const database = openDatabase<Tables>({ url, poolSize: config.databasePoolSize, log, applicationName: 'stoa-mail' })
    const metrics = createMetrics('mail')
    const http = createMail({ config, database, log, clock: systemClock, metrics })
    await http.listen({ port: config.port, host: config.host })
    const figures = config.metricsPort === undefined ? undefined : await serveMetrics(metrics, config.metricsPort)
    return {
      lines: [['Mail panel', config.publicUrl]],
      stop: async () => {
        await stopHttp(http)
        await figures?.close()
        await database.close()
      },
    }
  },
})
