import { createLogger } from '@stoa/kit/log.ts'
import { runService } from '@stoa/kit/process.ts'
import { countWorkers } from '@stoa/kit/workers/count.ts'
import { readConfig } from './config.ts'

await runService({
  name: 'mail',
  workers: async () => {
    const {
      workers,
      databasePoolSize: poolSize,
      databaseUrl,
      metricsPort,
      metricsHost,
      drainSeconds,
      logLevel,
    } = readConfig()
    const count = await countWorkers({ workers, poolSize, url: databaseUrl.reveal() })
    return { count, metricsPort, metricsHost, drainSeconds, log: createLogger({ name: 'mail', level: logLevel }) }
  },
  // Loaded by those who serve: a primary does without it.
  start: async () => (await import('./serve.ts')).serve(),
})
