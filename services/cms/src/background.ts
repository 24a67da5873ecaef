import { startBackups } from '@stoa/kit/backup/schedule.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import { createJobs, type Jobs } from '@stoa/kit/jobs/jobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Polling } from '@stoa/kit/queue/worker.ts'
import type { StopDeadline } from '@stoa/kit/stop-deadline.ts'
import { createWebhookWorker } from '@stoa/kit/webhooks/worker.ts'
import { conversationTasks } from './assistant/conversations/jobs.ts'
import { visitorTasks } from './assistant/visitor/jobs.ts'
import { entryTasks, keepSchedule } from './content/entries/jobs.ts'
import { backupSource } from './content/media/backup.ts'
import { mediaTasks } from './content/media/jobs.ts'
import { resyncEntriesBehind, typeTasks } from './content/types/jobs.ts'
import { contextFor, type Services } from './context.ts'
import { DELIVERIES_DUE } from './events/events.ts'
import { watchHealth } from './instance/health/health.ts'
import { healthTasks } from './instance/health/jobs.ts'
import { invitationTasks } from './people/invitations/jobs.ts'
import { passwordResetTasks } from './people/password-reset/jobs.ts'
import { createPluginWork } from './plugins/events/events.ts'
import { previewTasks } from './site/preview/jobs.ts'
import { realtimeTasks } from './site/realtime/jobs.ts'
import { accountTasks as socialAccountTasks } from './social/accounts/jobs.ts'
import { socialTasks } from './social/worker/jobs.ts'
import { createSocialWorker } from './social/worker/worker.ts'
import type { Tables } from './tables.ts'
import type { Task } from './task.ts'

/** Every job of the service: one line per slice. */
const tasks: readonly Task[] = [
  ...invitationTasks,
  ...passwordResetTasks,
  ...typeTasks,
  ...entryTasks,
  ...mediaTasks,
  ...previewTasks,
  ...realtimeTasks,
  ...socialAccountTasks,
  ...socialTasks,
  ...conversationTasks,
  ...visitorTasks,
  ...healthTasks,
]

/** Saving a live entry is two events, and the second must not overtake the first on its way to the same webhook. */
const WEBHOOK_LIMITS = { perEndpoint: 1 }

export const openJobs = (database: Database<Tables>, { bus, log }: { bus: Bus; log: Log }): Jobs =>
  createJobs(database, { log, bus, jobs: tasks.map(({ job }) => job) })

/** What a process does besides answering. */
export type Background = {
  /** Makes the queues, so that jobs can be enqueued; takes part in the work unless `workers` is false. */
  start(options: { workers: boolean }): Promise<void>
  /** Takes nothing new and lets what runs finish; what does not in time is left to other processes. */
  stop(deadline: StopDeadline): Promise<void>
}

export const createBackground = (services: Services, { pollMs }: Polling): Background => {
  const { jobs, bus } = services
  const worker = createWebhookWorker(services.webhooks, { pollMs, limits: WEBHOOK_LIMITS })
  const social = createSocialWorker(services, { pollMs })
  const plugins = createPluginWork(services, { pollMs })
  /** Subscriptions that wake the workers when work is due. */
  const listening: (() => void)[] = []
  const running: { name: string; stop(): Promise<void> }[] = []

  return {
    async start({ workers }) {
      if (workers) for (const task of tasks) task.register(jobs, services)
      await jobs.start()
      await services.media.tidy()
      running.push({ name: 'jobs', stop: jobs.stop })
      const health = watchHealth(contextFor(services, { kind: 'system', name: 'health.check' }))
      running.push({ name: 'health', stop: health.stop })
      if (!workers) return
      await resyncEntriesBehind(services)
      // Own and foreign changes alike: whichever process is free first delivers.
      listening.push(
        bus.subscribe(({ event }) => {
          if (event === DELIVERIES_DUE) worker.wake()
        }, worker.wake),
      )
      worker.start()
      running.push({ name: 'webhooks', stop: worker.stop })
      listening.push(
        bus.subscribe(({ topic }) => {
          if (topic === 'social') social.wake()
        }, social.wake),
      )
      social.start()
      running.push({ name: 'social posts', stop: social.stop })
      listening.push(bus.subscribe(plugins.notify, plugins.wake))
      plugins.start()
      running.push({ name: 'events of plugins', stop: plugins.stop })
      const backups = startBackups(backupSource(services.config, services.media), {
        settings: services.config.backup,
        log: services.log,
      })
      if (backups) running.push({ name: 'backups', stop: backups.stop })
      running.push({ name: 'scheduled entries', stop: keepSchedule(services).stop })
    },
    async stop(deadline) {
      for (const leave of listening.splice(0)) leave()
      await Promise.all(running.splice(0).map(({ name, stop }) => deadline.wait(name, stop())))
    },
  }
}
