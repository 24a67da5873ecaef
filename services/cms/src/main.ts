import { createLogger } from '@stoa/kit/log.ts'
import { runService } from '@stoa/kit/process.ts'
import { countWorkers } from '@stoa/kit/workers/count.ts'
import { readConfig } from './config.ts'

await runService({
  name: 'cms',
  workers: async () => {
    const { workers, poolSize, databaseUrl, metricsPort, metricsHost, drainSeconds, logLevel } = readConfig()
    const count = await countWorkers({ workers, poolSize, url: databaseUrl.reveal() })
    return { count, metricsPort, metricsHost, drainSeconds, log: createLogger({ name: 'cms', level: logLevel }) }
  },
  // Loaded by those who serve: a primary does without it.
  start: async () => (await import('./serve.ts')).serve(),
})
