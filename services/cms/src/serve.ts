import { addHealthMetrics } from '@stoa/kit/health/metrics.ts'
import { findReport } from '@stoa/kit/health/report.ts'
import { createMetrics, showMetrics } from '@stoa/kit/http/metrics.ts'
import { drain } from '@stoa/kit/http/stopping.ts'
import type { RunningService } from '@stoa/kit/process.ts'
import { startApp } from './app.ts'
import { openCmsWeb } from './site/certificates/certificates.ts'

/** Starts what the roles of the process ask for, and listens. */
export const serve = async (): Promise<RunningService> => {
  const metrics = createMetrics('cms')
  const cms = await startApp({ metrics })
  const { config } = cms.services
  const isServing = config.roles.has('http')
  if (isServing) await cms.app.listen({ port: config.port, host: config.host })
  const web = isServing ? await openCmsWeb(cms.app, cms.services) : null
  addHealthMetrics(metrics.registry, () => findReport(cms.database.db))
  const figures = await showMetrics(metrics, config, cms.app)
  return {
    lines: isServing ? [['CMS admin', `${config.publicUrl}/admin`]] : [['CMS', 'background work only']],
    drain: () => drain(cms.app, config.drainSeconds * 1_000),
    stop: async (deadline) => {
      // Together, for they share their connections and the database.
      await cms.close(deadline, web ? [deadline.wait('certificates', web.stopOrdering()), web.close()] : [])
      await figures?.close()
    },
  }
}
