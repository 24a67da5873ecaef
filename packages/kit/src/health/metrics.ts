import { Gauge, type Registry } from 'prom-client'
import type { HealthReport } from './report.ts'

const LEVELS = { ok: 0, warning: 1, error: 2 } as const

/** Shows what the last look at the service found. All workers show the same, so their figures are not summed. */
export const addHealthMetrics = (registry: Registry, find: () => Promise<HealthReport | undefined>): void => {
  const read = () => find().catch(() => undefined)
  new Gauge({
    name: 'stoa_health_checked_timestamp_seconds',
    help: 'When the health of the service was last checked, as a Unix time; 0 while the database is unavailable',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const report = await read()
      this.set(report ? report.checkedAt.getTime() / 1000 : 0)
    },
  })
  new Gauge({
    name: 'stoa_health_status',
    help: 'What the last health check found: 0 ok, 1 warning, 2 error',
    labelNames: ['check'],
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const report = await read()
      this.reset()
      for (const { id, status } of report?.checks ?? []) this.set({ check: id }, LEVELS[status])
    },
  })
}
