import type { Health } from '@stoa/cms-model/health.ts'
import { overallStatus } from '@stoa/kit/health/health.ts'
import { type MachineWatch, machineKey, watchMachine } from '@stoa/kit/health/machines.ts'
import { claimLook, findReport, type HealthReport, takeReport } from '@stoa/kit/health/report.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { checksOf } from './checks.ts'

export type HealthParts = Pick<Ctx, 'config' | 'db' | 'tx' | 'log' | 'now'>

/** Looks at the whole service. */
export const lookAtHealth = async (parts: HealthParts): Promise<Health> =>
  toHealth(
    await takeReport(checksOf(parts), {
      tx: parts.tx,
      log: parts.log,
      now: parts.now(),
      key: machineKey(parts.config.roles),
    }),
  )

/** Looks at this machine now and then. */
export const watchHealth = (parts: HealthParts): MachineWatch =>
  watchMachine(checksOf(parts), parts, { log: parts.log, key: machineKey(parts.config.roles) })

export const getHealth = async (ctx: Ctx): Promise<Health> => {
  const report = await findReport(ctx.db)
  return report ? toHealth(report) : lookAtHealth(ctx)
}

export const checkNow = async (ctx: Ctx): Promise<Health> => {
  const wait = await ctx.tx((tx) => claimLook(tx, ctx.now()))
  if (wait !== null)
    fail('RATE_LIMITED', {
      message: `The last check was less than a minute ago. Try again in ${wait} s.`,
      headers: { 'retry-after': String(wait) },
    })
  return lookAtHealth(ctx)
}

const toHealth = ({ checkedAt, checks }: HealthReport): Health => ({
  status: overallStatus(checks),
  checkedAt: checkedAt.toISOString(),
  checks: checks.map(({ id, status, message, action, value }) => ({ id, status, message, action, value })),
})
