import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { overallStatus } from '@stoa/kit/health/health.ts'
import { type MachineWatch, machineKey, watchMachine } from '@stoa/kit/health/machines.ts'
import { claimLook, findReport, type HealthReport, takeReport } from '@stoa/kit/health/report.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Health } from '@stoa/mail-model/health.ts'
import type { Config } from '../../config.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Tables } from '../../tables.ts'
import { checksOf } from './checks.ts'

export type HealthParts = { config: Config; database: Database<Tables>; log: Log; clock: Clock }

/** Looks at the whole instance. */
export const lookAtHealth = async (parts: HealthParts): Promise<Health> => {
  const { config, database, log, clock } = parts
  const key = machineKey(config.roles)
  return healthJson(await takeReport(checksOf(parts), { tx: database.tx, log, now: clock.now(), key }))
}

/** Looks at this machine now and then. */
export const watchHealth = (parts: HealthParts): MachineWatch =>
  watchMachine(checksOf(parts), parts.database, { log: parts.log, key: machineKey(parts.config.roles) })

export const getHealth = async (ctx: Ctx): Promise<Health> => {
  const report = await findReport(ctx.db)
  return report ? healthJson(report) : lookAtHealth(ctx.parts)
}

export const checkNow = async (ctx: Ctx): Promise<Health> => {
  const wait = await ctx.tx((tx) => claimLook(tx, ctx.now()))
  if (wait !== null)
    fail('rate_limit_exceeded', {
      message: `The last check was less than a minute ago. Try again in ${wait} s.`,
      headers: { 'retry-after': String(wait) },
    })
  return lookAtHealth(ctx.parts)
}

const healthJson = ({ checkedAt, checks }: HealthReport): Health => ({
  object: 'health',
  status: overallStatus(checks),
  checked_at: checkedAt.toISOString(),
  checks: checks.map(({ id, status, message, action, value }) => ({ id, status, message, action, value })),
})
